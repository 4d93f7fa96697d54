import type { EntropyData } from '../codecs/jpeg/entropy-data.ts'
import type { McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../codecs/jpeg/mcu-reader.ts'
import { type ColouredSection, solveColour } from './colour.ts'
import { Edges } from './edges.ts'
import { BreakFinder } from './find-breaks.ts'
import { joinRuns, type Piece } from './pieces.ts'
import { Placer } from './place.ts'
import type { Preview } from './preview.ts'
import { type McuStream, StreamReader } from './read-stream.ts'
import { Reference } from './reference.ts'

export interface ScanInput {
  readonly data: EntropyData
  readonly layout: McuLayout
  /** Tables of each block of an MCU. */
  readonly tables: readonly BlockTables[]
  /** Quantisation of each component, in zigzag order. */
  readonly quantisation: readonly ArrayLike<number>[]
  /** MCUs between restart markers; 0 when there are none. */
  readonly interval: number
  readonly precision: number
  /** The scan's end was there: a marker, not the end of the file. */
  readonly complete: boolean
  /** Made when it is needed first. */
  readonly preview: () => Preview | undefined
}

/** A scan put in order. */
export interface MendedScan {
  readonly stream: McuStream
  /** The MCU of the stream at each position of the picture, -1 where it is lost. */
  readonly source: Int32Array
  readonly sections: readonly ColouredSection[]
  /** Every MCU of the picture was read without a break: the scan is as it was written, as far as can be told. */
  readonly whole: boolean
  /** Sections whose place another one rivals. */
  readonly doubtfulPlaces: number
}

/** By how much a place must be better than any other to be beyond doubt. */
const CLEAR_MARGIN = 12

/** Reads one interleaved sequential scan of all components and puts what survives in its places. */
export function mendScan(input: ScanInput): MendedScan {
  const { data, layout, quantisation } = input
  const reader = new McuReader(data.bytes, data.length, input.tables, input.precision)
  const stream = new StreamReader(data, reader, layout, input.interval).read()
  const edges = new Edges(stream.coefficients, stream.count, layout, quantisation[0])
  const joined = joinRuns(stream.runs)
  const finder = new BreakFinder(edges, layout.mcuWide)
  const complete = isWhole(joined, layout)
  const cut = joined.flatMap((piece) => {
    if (piece.step > 1) return [piece]
    return finder.cut(piece, !complete, piece.startBit === 0 ? 0 : undefined)
  })
  if (isWhole(cut, layout)) {
    const source = Int32Array.from({ length: layout.mcuCount }, (_, i) => i)
    const sections = solveColour({
      ...input,
      ...stream,
      pieces: cut,
      places: [0],
      source,
      reference: undefined,
    })
    return { stream, source, sections, whole: true, doubtfulPlaces: 0 }
  }
  const preview = input.preview()
  const reference = preview && new Reference(stream.coefficients, layout, quantisation, preview.means(layout))
  const { source, places, margins } = new Placer({
    coefficients: stream.coefficients,
    edges,
    layout,
    pieces: cut,
    usualBits: stream.usualBits,
    complete: input.complete,
    quantisation,
    reference,
  }).place()
  const sections = solveColour({ ...input, ...stream, pieces: cut, places, source, reference })
  const doubtfulPlaces = margins.filter((margin) => margin < CLEAR_MARGIN).length
  return { stream, source, sections, whole: false, doubtfulPlaces }
}

/** One piece of all MCUs from the scan's first bit to its last. */
function isWhole(pieces: readonly Piece[], { mcuCount }: McuLayout): boolean {
  const [piece] = pieces
  return (
    pieces.length === 1 && piece.startBit === 0 && piece.count === mcuCount && piece.flush && !piece.broken
  )
}
