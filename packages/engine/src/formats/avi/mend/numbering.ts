import type { ByteReader } from '../../../bytes/reader.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import { type ChunkTable, LOST } from '../read/chunk-table.ts'
import type { AviStream } from '../read/stream.ts'

/** Pictures read on either side of a hole. */
const READ = 14
/** Fewest that tell anything. */
const ENOUGH = 5

/** How many pictures a bitstream's own numbers say were lost: `count`, or more by a multiple of `period` (0: exactly). */
export interface Numbered {
  readonly count: number
  readonly period: number
}

/**
 * Reads the pictures' own numbers on both sides of a hole in front of `row`. Undefined where the bitstream numbers nothing, or begins anew.
 */
export function numberedLoss(
  reader: ByteReader,
  chunks: ChunkTable,
  row: number,
  stream: AviStream,
): Numbered | undefined {
  if (stream.description.codec !== 'mpeg4') return undefined
  const recogniser = codecNamed('mpeg4')?.recogniser(stream.description)
  if (!recogniser) return undefined
  const before = rowsOf(chunks, row - 1, -1, stream.number).reverse()
  const after = rowsOf(chunks, row, 1, stream.number)
  const unit = new Unit()
  const orders = (rows: readonly number[]): { order: number; index: number }[] => {
    const found: { order: number; index: number }[] = []
    for (const [index, at] of rows.entries()) {
      const offset = chunks.offset[at]
      // a picture that stands for none, as packed streams have behind two in one chunk, has no number of its own
      if (chunks.size[at] < 12) continue
      if (!recogniser.recognise(reader, offset, offset + chunks.size[at], unit) || unit.damaged) continue
      recogniser.accept(reader, offset, unit)
      found.push({ order: unit.order, index })
    }
    return found
  }
  const first = orders(before)
  recogniser.discontinuity()
  const second = orders(after)
  const { orderStep: step, orderPeriod: period = 0 } = recogniser
  if (first.length < ENOUGH || second.length < ENOUGH || step <= 0) return undefined
  const base = (rows: readonly { order: number; index: number }[]): number =>
    Math.max(...rows.map(({ order, index }) => order - step * index))
  const lost = (base(second) - (base(first) + step * before.length)) / step
  const cycle = period / step
  if (Math.abs(lost - Math.round(lost)) > 0.2 || cycle < 2) return undefined
  const whole = Math.round(cycle)
  return {
    count: ((Math.round(lost) % whole) + whole) % whole,
    period: Math.abs(cycle - whole) < 0.01 ? whole : 0,
  }
}

/** The rows of a stream's chunks from `row` on in one direction, up to what is lost. */
function rowsOf(chunks: ChunkTable, row: number, step: number, stream: number): number[] {
  const rows: number[] = []
  for (let at = row; at >= 0 && at < chunks.length && rows.length < READ; at += step) {
    if (chunks.stream[at] !== stream) continue
    if (chunks.flags[at] & LOST) break
    rows.push(at)
  }
  return rows
}
