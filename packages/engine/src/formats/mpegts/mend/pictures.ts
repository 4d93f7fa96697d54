import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
import { type Layout, PACKET_BYTES, payloadStart } from '../read/packet.ts'
import { withPayload } from '../write/packets.ts'

/** Access unit delimiters of H.264 and HEVC, behind a start code. */
const DELIMITERS = [0x09, 0x46]
/** What a picture of MPEG video begins with: its own header, or those of a sequence or of a group. */
const MPEG = [0x00, 0xb3, 0xb8]

/** The start codes by which pictures begin in a stream one of whose PES packets begins so; none where others begin so as well. */
export function openersOf(payload: Uint8Array): readonly number[] {
  const code = payload[nextCode(payload, 0) + 3]
  const isFirst = nextCode(payload, 0) <= 1
  if (!isFirst || code === undefined) return []
  if (MPEG.includes(code)) return MPEG
  return DELIMITERS.includes(code) ? [code] : []
}

/** A picture that stays behind a hole, though the PES packet that it began in is gone. */
export interface Adopted {
  readonly offset: number
  /** Bytes. */
  readonly size: number
  /** Its first packet is written anew. */
  readonly isTrimmed: boolean
}

/**
 * Keeps of the packets behind a hole those from where a picture begins, by one of `openers`: it follows what is left of the
 * picture in front, from which every decoder tells it by its start code. Undefined where none begins: nothing is changed then.
 */
export function adoptPicture(
  reader: ByteReader,
  layout: Layout,
  edits: Edits,
  packets: readonly number[],
  openers: readonly number[],
): Adopted | undefined {
  let adopted: Adopted | undefined
  for (const [i, offset] of packets.entries()) {
    const bytes = reader.bytes(offset, layout.size).slice()
    const packet = bytes.subarray(layout.lead, layout.lead + PACKET_BYTES)
    const payload = packet.subarray(payloadStart(packet, 0))
    if (adopted) {
      adopted = { ...adopted, size: adopted.size + payload.length }
      continue
    }
    const from = beginOf(payload, openers)
    if (from < 0) continue
    for (const before of packets.slice(0, i)) edits.drop(before, layout.size)
    if (from > 0) edits.replace(offset, layout.size, withPayload(bytes, layout, payload.slice(from)))
    adopted = { offset, size: payload.length - from, isTrimmed: from > 0 }
  }
  return adopted
}

/** Where a picture begins in a payload, with the zero that may stand in front of its start code; -1 where none does. */
function beginOf(payload: Uint8Array, openers: readonly number[]): number {
  for (let at = nextCode(payload, 0); at + 3 < payload.length; at = nextCode(payload, at + 3))
    if (openers.includes(payload[at + 3])) return at > 0 && payload[at - 1] === 0 ? at - 1 : at
  return -1
}
