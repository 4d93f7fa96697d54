import type { Edits } from '../../../bytes/edits.ts'
import { PICTURE_RATES } from '../../../codecs/mpeg12/headers.ts'
import { fitsShape, headOfShape } from '../../../codecs/mpeg12/lent-head.ts'
import { shapeOf } from '../../../codecs/mpeg12/picture-shape.ts'
import { readSequenceHead } from '../../../codecs/mpeg12/sequence-head.ts'
import type { SampleTable } from '../../../model/sample-table.ts'
import { mpeg1PacketHeader, packetHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import { fitsPictures } from '../read/avc-heads.ts'
import type { Headless } from '../read/sequence-heads.ts'

/** Bytes of a packet in front of those that its length counts, where that stands, and the greatest. */
const PACKET_HEAD = 6
const LENGTH_AT = 4
const LONGEST = 0xffff
/** Ticks by which time stamps are off whole pictures, and share of them that keep to a rate. */
const ROUNDING = 2
const KEPT = 0.9

/** What a sample has in front of its pictures. */
export interface SampleHeads {
  readonly sequence: Uint8Array | undefined
  /** Of H.264, with start codes. */
  readonly sets: Uint8Array | undefined
}

/** What the headers that are put in are taken from, and what of them nothing proves. */
export interface PutIn {
  /** What of the sample was used. */
  readonly used: readonly string[]
  readonly assumed: boolean
  /** No header could be made for a stream, or none of its pictures is intra. */
  readonly missing: boolean
}

/**
 * Puts a sequence header in front of streams that lack theirs: one that stands farther behind, else the sample's where the
 * pictures are as large as it says, else, of MPEG-1, one made of what the pictures and their times tell. Parameter sets of H.264
 * are the sample's where pictures read to their ends with them.
 */
export function putInSequenceHeads(
  headless: readonly Headless[],
  sample: SampleHeads | undefined,
  edits: Edits,
): PutIn {
  const used = new Set<string>()
  let assumed = false
  let missing = false
  for (const lacking of headless) {
    const { stream, own, pictures, begun } = lacking
    if (!begun) missing = true
    if (lacking.isAvc) {
      const fits = sample?.sets && begun && fitsPictures(sample.sets, pictures)
      const sets = own ?? (fits ? sample.sets : undefined)
      if (!own && sets) used.add('parameter sets')
      if (sets) putIn(lacking, sets, edits)
      else missing = true
      if (sets) stream.codec = 'h264'
      continue
    }
    const shape = shapeOf(pictures)
    const lent = !own && sample?.sequence && fitsShape(sample.sequence, shape) ? sample.sequence : undefined
    const head = own ?? lent ?? (shape && headOfShape(shape, rateCodeOf(stream.table)))
    if (!head) {
      missing = true
      continue
    }
    if (lent) used.add('sequence header')
    if (!own && !(lent && shape)) assumed = true
    putIn(lacking, head, edits)
    stream.codec = readSequenceHead(head)?.mpeg1 ? 'mpeg1video' : 'mpeg2video'
  }
  return { used: [...used], assumed, missing }
}

/**
 * Puts a header right in front of the first picture: players that see slices of none behind it do not take the stream for
 * pictures. Where no picture begins whole in a packet, it gets one of its own.
 */
function putIn({ stream, offset, isMpeg1Packet, picture }: Headless, head: Uint8Array, edits: Edits): void {
  const length = picture ? picture.length - PACKET_HEAD + head.length : Number.POSITIVE_INFINITY
  if (picture && length <= LONGEST) {
    edits.replace(picture.packet + LENGTH_AT, 2, Uint8Array.of(length >> 8, length & 255))
    edits.insert(picture.at, head)
    return
  }
  const packet = (isMpeg1Packet ? mpeg1PacketHeader : packetHeader)(stream.id, head.length, -1, -1)
  edits.insert(offset, Uint8Array.of(...packet, ...head))
}

/** The frame_rate_code whose pictures the time stamps keep to: the slowest. */
function rateCodeOf({ dts, length }: SampleTable): number {
  const steps: number[] = []
  for (let row = 1; row < length; row++) {
    const step = dts[row] - dts[row - 1]
    if (step > 0) steps.push(step)
  }
  const keeps = (rate: number): boolean => {
    const ticks = CLOCK / rate
    const kept = steps.filter((step) => Math.abs(step - Math.round(step / ticks) * ticks) <= ROUNDING)
    return kept.length >= steps.length * KEPT
  }
  const code = PICTURE_RATES.findIndex((rate) => rate > 0 && keeps(rate))
  return code > 0 ? code : PICTURE_RATES.indexOf(25)
}
