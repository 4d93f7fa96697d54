import type { ByteReader } from '../bytes/reader.ts'
import { LONGEST_HEADER, type PacketHeader, PREFIX_BYTES } from '../syntax/pes/packet-header.ts'

/** Headers of one kind from which it is a habit. */
export const HABIT = 4
/** Bits that may be turned. */
const MOST_TURNED = 2
/** Kinds of headers that are remembered. */
const MOST_KINDS = 64
const STAMP_BYTES = 5
/** Prefix and marker bits of a time stamp. */
const STAMP_MASK = Uint8Array.of(0xf1, 0, 1, 0, 1)
const STUFFING = 0xff
/** Of a byte that is the same in all headers of a kind. */
const WHOLE = 0xff

/** What headers of one kind have in common: the bits under the mask. */
interface Kind {
  readonly bits: Uint8Array
  readonly mask: Uint8Array
  count: number
}

/** How a writer's headers look, and what one of them was that was hit in a bit or two. */
export class HeaderHabits {
  readonly #kinds: Kind[] = []

  /** Takes a header; `mask`: the bits that are the same in all of its kind. */
  learn(header: Uint8Array, mask: Uint8Array): void {
    for (const kind of this.#kinds) {
      if (kind.mask.length !== mask.length || distance(header, kind) > 0) continue
      kind.count++
      return
    }
    if (this.#kinds.length < MOST_KINDS) {
      const bits = Uint8Array.from(mask, (bit, i) => header[i] & bit)
      this.#kinds.push({ bits, mask, count: 1 })
    }
  }

  /** Takes a header that is just as long as those of a usual kind, and as they are; says whether it is. */
  takeUsual(reader: ByteReader, offset: number, length: number): boolean {
    if (offset + length > reader.size) return false
    for (const kind of this.#kinds) {
      if (kind.count < HABIT || kind.mask.length !== length || !isAsIn(reader, offset, kind)) continue
      kind.count++
      return true
    }
    return false
  }

  /** Whether a header is of no usual kind, though there are some. */
  isStrange(header: Uint8Array): boolean {
    const usual = this.#kinds.filter(({ count }) => count >= HABIT)
    return usual.length > 0 && usual.every((kind) => distance(header, kind) > 0)
  }

  /**
   * The header with the marks of time stamps of the one usual kind that it is but for them; where several are, of the longest
   * whose stamps were overwritten with zeros.
   */
  withStamps(header: Uint8Array): Uint8Array | undefined {
    const alike = this.#kinds
      .filter(
        ({ count, mask }) => count >= HABIT && mask.length <= header.length && mask.includes(STAMP_MASK[0]),
      )
      .filter((kind) => differsInStamps(header, kind))
      .sort((a, b) => b.mask.length - a.mask.length)
    const kind = alike.length === 1 ? alike[0] : alike.find((one) => isCleared(header, one))
    return kind && Uint8Array.from(kind.mask, (bit, i) => (header[i] & ~bit) | kind.bits[i])
  }

  /** The header with as few bits turned as make it one of a usual kind; undefined where several kinds are as near, or none is. */
  mend(header: Uint8Array): Uint8Array | undefined {
    const near = this.#kinds
      .filter(({ count, mask }) => count >= HABIT && mask.length <= header.length)
      .map((kind) => ({ kind, turned: distance(header, kind) }))
      .filter(({ turned }) => turned <= MOST_TURNED)
      .sort((a, b) => a.turned - b.turned)
    const [best, second] = near
    if (!best || best.turned === second?.turned) return undefined
    const { bits, mask } = best.kind
    return Uint8Array.from(mask, (bit, i) => (header[i] & ~bit) | bits[i])
  }
}

/** Whether a header differs from a kind in nothing but its time stamps. */
function differsInStamps(header: Uint8Array, { bits, mask }: Kind): boolean {
  return mask.every((byte, i) => byte !== WHOLE || header[i] === bits[i])
}

/** Whether all bytes of a header's time stamps are zero. */
function isCleared(header: Uint8Array, { mask }: Kind): boolean {
  const start = mask.indexOf(STAMP_MASK[0])
  return header.subarray(start, mask.length).every((byte) => byte === 0)
}

/** Whether the header at `offset` is of a kind. */
function isAsIn(reader: ByteReader, offset: number, { bits, mask }: Kind): boolean {
  for (let i = 0; i < mask.length; i++) if ((reader.u8(offset + i) & mask[i]) !== bits[i]) return false
  return true
}

/** Bits under a kind's mask that a header has otherwise. */
function distance(header: Uint8Array, { bits, mask }: Kind): number {
  let count = 0
  for (let i = 0; i < mask.length; i++)
    for (let left = (header[i] & mask[i]) ^ bits[i]; left !== 0; left &= left - 1) count++
  return count
}

/**
 * What of a PES packet's header, which begins at `at`, does not change from packet to packet: all but its length, times, and data
 * that flags ask for.
 */
export function packetMask(
  bytes: Uint8Array,
  at: number,
  { headerLength, mpeg1, pts, dts }: PacketHeader,
): Uint8Array {
  const mask = new Uint8Array(Math.min(headerLength, LONGEST_HEADER)).fill(0xff)
  mask.fill(0, 4, PREFIX_BYTES)
  if (pts < 0) return mask
  const stamp = firstStamp(bytes, at)
  const stamps = bytes[at + stamp] >> 4 === 3 || dts !== pts ? 2 : 1
  for (let i = 0; i < stamps && stamp + (i + 1) * STAMP_BYTES <= mask.length; i++)
    mask.set(STAMP_MASK, stamp + i * STAMP_BYTES)
  if (!mpeg1 && asksForMore(bytes[at + 7])) mask.fill(0, stamp + stamps * STAMP_BYTES)
  return mask
}

function asksForMore(flags: number): boolean {
  return (flags & 0x3f) !== 0
}

/** Where the first time stamp of a header stands; in MPEG-1 behind stuffing and buffer size. */
export function firstStamp(bytes: Uint8Array, at: number): number {
  let next = PREFIX_BYTES
  if (bytes[at + next] >> 6 === 2) return next + 3
  while (bytes[at + next] === STUFFING) next++
  return bytes[at + next] >> 6 === 1 ? next + 2 : next
}

/** The bytes of a header that are others than they were, by their place in it. */
export function* turnedBytes(
  before: Uint8Array,
  after: Uint8Array,
): Generator<readonly [place: number, byte: number]> {
  for (let i = 0; i < after.length; i++) if (before[i] !== after[i]) yield [i, after[i]]
}

/** Whether an MPEG-2 header's data is filled by its time stamps and stuffing; true of all that flags ask more for. */
export function isFilled(bytes: Uint8Array, at: number, { headerLength, mpeg1 }: PacketHeader): boolean {
  if (mpeg1 || headerLength <= PREFIX_BYTES || asksForMore(bytes[at + 7])) return true
  const stamps = Math.max(0, (bytes[at + 7] >> 6) - 1)
  for (let i = at + PREFIX_BYTES + 3 + stamps * STAMP_BYTES; i < at + headerLength && i < bytes.length; i++)
    if (bytes[i] !== STUFFING) return false
  return true
}
