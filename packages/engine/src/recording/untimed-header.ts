import { NO_STAMP, type PacketHeader, PREFIX_BYTES, parsePacketHeader } from '../syntax/pes/packet-header.ts'
import { writeTimeStamp } from '../syntax/pes/time-stamp.ts'
import { firstStamp, isFilled } from './header-habits.ts'

const STAMP_BYTES = 5
/** Where the first one stands in a header of MPEG-2. */
const FIRST_STAMP = PREFIX_BYTES + 3
const STUFFING = 0xff

/** A PES packet's header as long as it is, without time stamps; undefined where its syntax has no room for that. */
export function withoutStamps(
  head: Uint8Array,
  header: PacketHeader | undefined = parsePacketHeader(head, 0),
): Uint8Array | undefined {
  if (!header || header.pts < 0) return undefined
  const at = firstStamp(head, 0)
  const stamps = head[at] >> 4 === 3 ? 2 * STAMP_BYTES : STAMP_BYTES
  const without = head.slice()
  if (header.mpeg1) {
    // stuffing goes in front of the size of a buffer, ISO/IEC 11172-1:1993 §2.4.3.3
    const size = head.subarray(PREFIX_BYTES, at).filter((byte) => byte !== STUFFING)
    without.fill(STUFFING, PREFIX_BYTES)
    without.set(size, head.length - 1 - size.length)
    without[head.length - 1] = NO_STAMP
  } else {
    without[PREFIX_BYTES + 1] &= 0x3f
    without.copyWithin(at, at + stamps)
    without.fill(STUFFING, head.length - stamps)
  }
  return parsePacketHeader(without, 0)?.headerLength === head.length ? without : undefined
}

/**
 * A header of MPEG-2 whose time stamps alone break the syntax, without them: flags and length tell where those stand, and what
 * is behind them fills up.
 */
export function withoutHitStamps(head: Uint8Array): Uint8Array | undefined {
  const kinds = head[PREFIX_BYTES + 1] >> 6
  if (head[PREFIX_BYTES] >> 6 !== 2 || kinds < 2) return undefined
  const stamped = head.slice()
  writeTimeStamp(stamped, FIRST_STAMP, kinds, 0)
  if (kinds === 3) writeTimeStamp(stamped, FIRST_STAMP + STAMP_BYTES, 1, 0)
  const header = parsePacketHeader(stamped, 0)
  if (!header || !isFilled(stamped, 0, header)) return undefined
  return withoutStamps(stamped.subarray(0, header.headerLength))
}
