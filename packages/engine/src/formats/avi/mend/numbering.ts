import type { ByteReader } from '../../../bytes/reader.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import { type ChunkTable, LOST } from '../read/chunk-table.ts'
import type { AviStream } from '../read/stream.ts'

/** Pictures read on either side of a hole. */
const READ = 14
/** Fewest that tell anything. */
const ENOUGH = 5
/** Share of the best count's votes that any other one may have. */
const CLEAR = 0.7

/** A picture's number for showing, and which chunk of its row it is. */
interface Ordered {
  readonly order: number
  readonly index: number
}

/** How many pictures a bitstream's own numbers say were lost: `count`, or more by a multiple of `period`. */
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
  // the settings come with key pictures, such as the first one
  for (const at of rowsOf(chunks, 0, 1, stream.number))
    recogniser.learn?.(reader, chunks.offset[at], chunks.size[at])
  const orders = (rows: readonly number[]): Ordered[] => {
    const found: Ordered[] = []
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
  const cycle = Math.round(period / step)
  if (cycle < 2 || Math.abs(period / step - cycle) > 0.01) return undefined
  const ahead = ({ order, index }: Ordered): number => Math.round(order / step) - index
  const votes = new Map<number, number>()
  for (const one of first) {
    for (const other of second) {
      const lost = ahead(other) - ahead(one) - before.length
      const count = ((lost % cycle) + cycle) % cycle
      votes.set(count, (votes.get(count) ?? 0) + 1)
    }
  }
  const [best, next] = [...votes].sort((a, b) => b[1] - a[1])
  return next && next[1] > best[1] * CLEAR ? undefined : { count: best[0], period: cycle }
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
