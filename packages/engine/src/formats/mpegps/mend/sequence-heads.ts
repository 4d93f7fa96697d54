import type { Edits } from '../../../bytes/edits.ts'
import { PICTURE_RATES } from '../../../codecs/mpeg12/headers.ts'
import { type PictureShape, shapeOf } from '../../../codecs/mpeg12/picture-shape.ts'
import { readSequenceHead, writeSequenceHead } from '../../../codecs/mpeg12/sequence-head.ts'
import type { SampleTable } from '../../../model/sample-table.ts'
import { mpeg1PacketHeader, packetHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK } from '../../../syntax/pes/time-stamp.ts'
import type { Headless } from '../read/sequence-heads.ts'

const MACROBLOCK = 16
/** Width by height of pictures without any other hint. */
const USUAL_FORM = 4 / 3
/** Ticks by which time stamps are off whole pictures, and share of them that keep to a rate. */
const ROUNDING = 2
const KEPT = 0.9

/** What the headers that are put in are taken from, and what of them nothing proves. */
export interface PutIn {
  readonly fromSample: boolean
  readonly assumed: boolean
  /** No header could be made for a stream. */
  readonly missing: boolean
}

/**
 * Puts a sequence header in front of streams that lack theirs: one that stands farther behind, else the sample's where the pictures are
 * as large as it says, else, of MPEG-1, one made of what the pictures and their times tell.
 */
export function putInSequenceHeads(
  headless: readonly Headless[],
  sample: Uint8Array | undefined,
  edits: Edits,
): PutIn {
  let fromSample = false
  let assumed = false
  let missing = false
  for (const { stream, offset, isMpeg1Packet, own, pictures } of headless) {
    const shape = shapeOf(pictures)
    const lent = !own && sample && fits(sample, shape) ? sample : undefined
    const head = own ?? lent ?? (shape && deduced(shape, stream.table))
    if (!head) {
      missing = true
      continue
    }
    if (lent) fromSample = true
    if (!own && !(lent && shape)) assumed = true
    const packet = (isMpeg1Packet ? mpeg1PacketHeader : packetHeader)(stream.id, head.length, -1, -1)
    edits.insert(offset, Uint8Array.of(...packet, ...head))
    stream.codec = readSequenceHead(head)?.mpeg1 ? 'mpeg1video' : 'mpeg2video'
  }
  return { fromSample, assumed, missing }
}

/** Whether pictures of an unknown size may be those of a header; ones that are known have to be. */
function fits(head: Uint8Array, shape: PictureShape | undefined): boolean {
  const sequence = readSequenceHead(head)
  if (!sequence || !shape) return sequence !== undefined
  const columns = Math.ceil(sequence.width / MACROBLOCK)
  const rows = sequence.progressive
    ? Math.ceil(sequence.height / MACROBLOCK)
    : 2 * Math.ceil(sequence.height / (2 * MACROBLOCK))
  return (
    sequence.mpeg1 === shape.mpeg1 &&
    columns * rows === shape.macroblocks &&
    (shape.columns ?? columns) === columns
  )
}

/** A header of MPEG-1; MPEG-2 has more to say than its pictures tell. */
function deduced({ mpeg1, macroblocks, columns }: PictureShape, table: SampleTable): Uint8Array | undefined {
  const wide = columns ?? likelyColumns(macroblocks)
  return mpeg1
    ? writeSequenceHead(wide * MACROBLOCK, (macroblocks / wide) * MACROBLOCK, rateCodeOf(table))
    : undefined
}

/** The columns of as many macroblocks that come nearest to the usual form. */
function likelyColumns(macroblocks: number): number {
  let best = macroblocks
  const off = (columns: number): number => Math.abs(Math.log(columns ** 2 / macroblocks / USUAL_FORM))
  for (let columns = 1; columns <= macroblocks; columns++)
    if (macroblocks % columns === 0 && off(columns) < off(best)) best = columns
  return best
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
