import { type EntropyData, withoutBytes } from '../../codecs/jpeg/entropy-data.ts'
import { MarkerColumns } from '../../codecs/jpeg/marker-columns.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { BorderSamples } from '../levels/border-samples.ts'
import type { ColouredSection } from '../levels/colour.ts'
import { type EdgeMeans, edgeMeans } from '../levels/edge-means.ts'
import { DcStepFinder } from '../levels/find-dc-steps.ts'
import { isUnchanged, solveInSteps } from '../levels/solve-in-steps.ts'
import { type DcStep, weighDcSteps } from '../levels/weigh-dc-steps.ts'
import { Edges } from '../placing/edges.ts'
import { BreakFinder } from '../placing/find-breaks.ts'
import { LossEvidence } from '../placing/losses.ts'
import { Places } from '../placing/placed-pieces.ts'
import {
  alignPreview,
  likeliestPreview,
  likelyAlignments,
  type PlacedSection,
} from '../preview/align-preview.ts'
import type { Preview } from '../preview/preview.ts'
import { type MeanPlanes, Reference } from '../preview/reference.ts'
import { damagedZones, isOverwritten } from '../reading/damaged-zones.ts'
import { FrontReader } from '../reading/fronts.ts'
import { lostWay } from '../reading/lost-way.ts'
import { cutAtSteps, joinRuns, type Piece, rejoin, type Section } from '../reading/pieces.ts'
import { type McuStream, StreamMemory, StreamReader } from '../reading/read-stream.ts'
import { type Joint, jointsOf } from '../turned/joints.ts'
import { areRounded, areUnits } from '../turned/rounded-steps.ts'
import { type Sign, turnedBits } from '../turned/turn-bits.ts'
import { turnedInIntervals } from '../turned/turn-in-intervals.ts'
import { turnedDc } from '../turned/turned-dc.ts'

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
  /** The data's front is gone: they begin with no MCU of which place and levels are known. */
  readonly frontLost?: boolean
  /** Small pictures of the photo, one or those that may be it; made when they are needed first. */
  readonly previews: () => readonly Preview[]
  /** Asked where the scan is not read whole at once: whether it is given up, since with another header it is. */
  readonly givenUp?: () => boolean
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
  /** What shows the photo where nothing was read, if it was asked for and is there. */
  readonly preview: Preview | undefined
}

/** By how much a place must be better than any other to be beyond doubt. */
const CLEAR_MARGIN = 12
/** With more pieces losses within them show by their places. */
const FEW_PIECES = 4
/** Rounds of turning bits back, and bits tried for each MCU of the picture and at least. */
const TURN_ROUNDS = 3
const TURNS_PER_MCU = 6
/** MCUs read in front of sections, for each of the picture and at least. */
const STEPS_BACK_PER_MCU = 8
const LEAST_STEPS_BACK = 400_000
/** MCUs read in search of bits within restart intervals, for each of the picture. */
const STEPS_IN_INTERVALS = 64
/** Usual MCUs between bits that are turned in different rounds, at least. */
const TURNED_APART = 8
const LEAST_TURNS = 400_000
const MARKER_PREFIX = 0xff

/**
 * Reads one interleaved sequential scan of all components and puts what survives in its places. Bits that were turned are turned
 * back first, and the scan is read anew: what is behind them is as it was then. Undefined where it is given up.
 */
export function mendScan(input: ScanInput): MendedScan | undefined {
  const allowance = new Allowance(Math.max(LEAST_TURNS, TURNS_PER_MCU * input.layout.mcuCount))
  let { data } = input
  const all: number[] = []
  const failed = new Set<string>()
  // bytes that were overwritten are more than single bits
  const single = input.interval === 0 && !damagedZones(data).some(isOverwritten)
  const places = new Places()
  const memory = new StreamMemory()
  const first = readPieces(input, memory)
  if (!isWhole(first.joined, input.layout) && input.givenUp?.()) return undefined
  const mendedIntervals = input.interval > 0 ? turnIntervals(input, first, memory) : undefined
  if (mendedIntervals) data = mendedIntervals.data
  for (let round = 0; ; round++) {
    const read = round === 0 ? (mendedIntervals?.read ?? first) : readPieces({ ...input, data }, memory)
    /** Bits that explain where sections do not go on; none once there were rounds enough. */
    const turned = (joints: readonly Joint[], sign: Sign = 'seen'): number[] => {
      if (round >= TURN_ROUNDS || !single) return []
      const found = { ...read.stream, ...read, ...input }
      return apart(turnedBits(found, joints, allowance, failed, sign))
    }
    // where one was turned already and something is still wrong, another is no better
    const near = TURNED_APART * read.stream.usualBits
    const apart = (bits: readonly number[]): number[] =>
      bits.filter(
        (bit, index) => ![...all, ...bits.slice(0, index)].some((other) => Math.abs(bit - other) < near),
      )
    let bits = turned(
      jointsOf(
        read.seen.flatMap(({ sections }) => sections),
        read.stream,
      ),
    )
    if (bits.length === 0) {
      const mended = arrange({ ...input, data }, read, places, round > 0)
      // where one bit was turned others were: what alone would be too little to tell is looked at, too
      bits = turned(jointsOf(mended.sections, read.stream))
      if (bits.length === 0 && round > 0 && round <= TURN_ROUNDS) {
        const found = { ...read, ...read.stream, ...input, ...mended }
        bits = turned(jointsOf(cutAt(weighDcSteps(found, true), mended, read), read.stream), 'suspected')
      }
      // what bytes are missing or too many leaves steps of its own: a bit within DC alone is looked for where single ones show
      const hit = all.length + bits.length > 0 || (isWhole(read.joined, input.layout) && !mended.whole)
      if (single && hit && !read.brokenOff && round <= TURN_ROUNDS) {
        const found = { ...read, ...read.stream, ...input, ...mended }
        bits = apart([
          ...bits,
          ...turnedDc(
            { ...found, coded: { ...read, ...read.stream, ...input } },
            shownOver(mended, found),
          ).map(({ bit }) => bit),
        ])
      }
      if (bits.length === 0) {
        const untouched = round === 0 && data === input.data
        // bits that may have made such steps were looked for, and none is likely to have: they are the picture's own
        const own = untouched && single && isWhole(read.joined, input.layout) && areUnits(mended.sections)
        if (own) return asRead(mended)
        const whole = mended.whole && untouched
        return { ...(mended.whole ? mended : readFronts({ ...input, data }, read, mended)), whole }
      }
    }
    all.push(...bits)
    data = withTurned(data, bits)
  }
}

/** What lies in front of sections behind damage, read once more. */
function readFronts(
  { data, layout, quantisation }: ScanInput,
  { reader }: ReadPieces,
  mended: MendedScan,
): MendedScan {
  const steps = Math.max(LEAST_STEPS_BACK, STEPS_BACK_PER_MCU * layout.mcuCount)
  return new FrontReader(reader, data, layout, quantisation, new Allowance(steps)).read(mended)
}

/** Turns bits within restart intervals back, in rounds: what one interval hides of the next shows then. */
function turnIntervals(
  input: ScanInput,
  first: ReadPieces,
  memory: StreamMemory,
): { readonly data: EntropyData; readonly read: ReadPieces } {
  const allowance = new Allowance(STEPS_IN_INTERVALS * input.layout.mcuCount)
  let { data } = input
  let read = first
  for (let round = 0; round < TURN_ROUNDS; round++) {
    const hit = round > 0 || !isWhole(read.joined, input.layout)
    const { bits, surplus } = turnedInIntervals({ ...input, ...read, data }, allowance, hit)
    if (bits.length + surplus.length === 0) break
    data = withoutBytes(withTurned(data, bits), surplus)
    read = readPieces({ ...input, data }, memory)
  }
  return { data, read }
}

function withTurned(data: EntropyData, bits: readonly number[]): EntropyData {
  const bytes = data.bytes.slice()
  for (const bit of bits) bytes[bit >> 3] ^= 0x80 >> (bit & 7)
  return { ...data, bytes, foreign: stillMarkers(data.foreign, bytes) }
}

/** Of markers that no scan holds those that bits turned back leave. */
function stillMarkers(foreign: MarkerColumns, bytes: Uint8Array): MarkerColumns {
  const left = new MarkerColumns()
  for (let i = 0; i < foreign.count; i++)
    if (bytes[foreign.at(i)] === MARKER_PREFIX) left.add(foreign.at(i), foreign.code(i))
  return left
}

/** A scan's MCUs, and the pieces that go on without a visible break. */
interface ReadPieces {
  readonly bytes: Uint8Array
  readonly reader: McuReader
  readonly stream: McuStream
  readonly edges: Edges
  readonly means: readonly EdgeMeans[]
  readonly borders: readonly BorderSamples[]
  readonly steps: DcStepFinder
  readonly joined: readonly Piece[]
  /** It breaks off, and nothing else tells that more is wrong with it. */
  readonly brokenOff: boolean
  /** Cut where reading seems to have lost its way. */
  readonly cut: readonly Piece[]
  /** Cut where DC seems to take a step, too. */
  readonly seen: readonly Piece[]
}

/** Reads a scan into memory that no reading before needs any more. */
function readPieces(input: ScanInput, memory: StreamMemory): ReadPieces {
  const { data, layout, quantisation } = input
  const { bytes } = data
  const reader = new McuReader(bytes, data.length, input.tables, input.precision)
  const stream = new StreamReader(
    data,
    reader,
    layout,
    input.interval,
    quantisation,
    memory,
    input.frontLost,
  ).read()
  const edges = new Edges(stream.coefficients, stream.count, layout, quantisation[0])
  const joined = joinRuns(stream.runs)
  const means = layout.components.map((_, component) =>
    edgeMeans(stream.coefficients, stream.count, layout, component, quantisation[component]),
  )
  const borders = layout.components.map(
    (_, component) => new BorderSamples(stream.coefficients, layout, component, quantisation[component]),
  )
  const newSteps = (): DcStepFinder =>
    new DcStepFinder(means, layout.mcuWide, (mcu) => hasDetail(stream.coefficients, mcu, layout))
  const found = { bytes, reader, stream, edges, means, borders, joined }
  if (isWhole(joined, layout)) {
    const steps = newSteps()
    const seen = joined.map((piece) => (piece.step > 1 ? piece : steps.cut(piece, 0)))
    return { ...found, steps, brokenOff: false, cut: joined, seen }
  }
  const finder = new BreakFinder(edges, layout.mcuWide)
  const brokenOff = joined.length === 1 && !input.complete && joined[0].startBit === 0 && !input.frontLost
  const cut = brokenOff ? joined : joined.flatMap((piece) => (piece.step > 1 ? [piece] : finder.cut(piece)))
  const early = newSteps()
  const seen = brokenOff ? cut : cut.map((piece) => (piece.step > 1 ? piece : early.cut(piece, 0)))
  return { ...found, steps: newSteps(), brokenOff, cut, seen }
}

/** Puts what was read in its places with its colours; where bits were `turned` back others may have changed DC. */
function arrange(input: ScanInput, read: ReadPieces, kept: Places, turned: boolean): MendedScan {
  const { layout, quantisation } = input
  const { stream, edges, means, borders, steps, joined } = read
  if (isWhole(joined, layout)) {
    const pieces = read.seen
    const source = Int32Array.from({ length: layout.mcuCount }, (_, i) => i)
    const [first, second] = pieces[0].sections
    const known = [{ ...first, place: 0 }]
    const preview =
      second && likeliestPreview(input.previews(), known, stream.coefficients, layout, quantisation)
    const reference =
      preview && new Reference(stream.coefficients, layout, quantisation, preview.means(layout))
    const sections = solveInSteps({
      ...input,
      ...stream,
      means,
      borders,
      pieces,
      places: [0],
      source,
      reference,
    })
    const whole = isUnchanged(sections) || areRounded(sections, { ...read, layout, starts: stream.starts })
    const mended = { stream, source, sections, whole, doubtfulPlaces: 0, preview }
    return whole ? asRead(mended) : mended
  }
  const finder = new BreakFinder(edges, layout.mcuWide)
  const cut = input.complete && hidesLoss(read.cut, stream, layout) ? finder.cutAtWorst(read.cut) : read.cut
  const [front] = cut.length > 0 && cut[0].startBit === 0 && !input.frontLost ? cut[0].sections : []
  const known = front ? [{ ...front, place: 0 }] : []
  const preview = likeliestPreview(input.previews(), known, stream.coefficients, layout, quantisation)
  if (cut.length === 0) return nothingRead(stream, layout, preview)
  const referenceTo = (aligned: Preview): Reference =>
    new Reference(stream.coefficients, layout, quantisation, aligned.means(layout))
  /** The preview as it lies over sections that have their places. */
  const referenceOf = (sections: readonly PlacedSection[]): Reference | undefined =>
    preview && referenceTo(alignPreview(preview, sections, stream.coefficients, layout, quantisation))
  const references = preview
    ? likelyAlignments(preview, known, stream.coefficients, layout, quantisation).map(referenceTo)
    : [undefined]
  const found = kept.of(joined, cut, references, {
    coefficients: stream.coefficients,
    edges,
    layout,
    starts: stream.starts,
    usualBits: stream.usualBits,
    complete: input.complete,
    quantisation,
  })
  const { pieces: parts, placed } = found
  const joinedAgain = rejoin(
    parts.filter((_, index) => placed.places[index] >= 0),
    placed.places.filter((place) => place >= 0),
  )
  const { source } = placed
  joinedAgain.pieces.forEach(({ first, count }, index) => {
    const place = joinedAgain.places[index]
    for (let i = 0; i < count && place + i < source.length; i++)
      if (source[place + i] < 0) source[place + i] = first + i
  })
  const { places } = joinedAgain
  const pieces = joinedAgain.pieces.map((piece, index) =>
    piece.step > 1 ? piece : steps.cut(piece, places[index]),
  )
  const reference = referenceOf(
    pieces.flatMap((piece, index) =>
      piece.sections.map((section) => ({ ...section, place: places[index] + section.first - piece.first })),
    ),
  )
  const sections = solveInSteps(
    { ...input, ...stream, means, borders, pieces, places, source, reference },
    turned,
    turned ? undefined : lostWay(input.data, read.cut, stream),
  )
  const doubtfulPlaces = placed.margins.filter(
    (margin, index) => placed.places[index] >= 0 && margin < CLEAR_MARGIN,
  ).length
  return { stream, source, sections, whole: false, doubtfulPlaces, preview }
}

/** What the preview shows of each MCU of a mended scan, laid over what is known of that. */
function shownOver(
  mended: MendedScan,
  { stream, layout, quantisation, previews }: ReadPieces & ScanInput,
): MeanPlanes | undefined {
  const { sections } = mended
  const preview =
    mended.preview ?? likeliestPreview(previews(), sections, stream.coefficients, layout, quantisation)
  return preview && alignPreview(preview, sections, stream.coefficients, layout, quantisation).means(layout)
}

/** Sections of a mended scan cut at steps of DC. */
function cutAt(steps: readonly DcStep[], { sections }: MendedScan, read: ReadPieces): Section[] {
  const [cut] = cutAtSteps([{ ...read.joined[0], sections }], sections, steps)
  return [...cut.sections]
}

/** What is left of a scan of which not one MCU can be read. */
function nothingRead(stream: McuStream, { mcuCount }: McuLayout, preview: Preview | undefined): MendedScan {
  const source = new Int32Array(mcuCount).fill(-1)
  return { stream, source, sections: [], whole: false, doubtfulPlaces: 0, preview }
}

/** A scan that is as it was written: its levels are those that were read. */
function asRead(mended: MendedScan): MendedScan {
  const sections = mended.sections.map((section) => ({
    ...section,
    known: true,
    dc: section.dc.map(() => 0),
  }))
  return { ...mended, sections, whole: true }
}

/** Whether an MCU has any coefficient but DC. */
function hasDetail(coefficients: Int16Array, mcu: number, { mcuLength }: McuLayout): boolean {
  const from = mcu * mcuLength
  for (let i = 0; i < mcuLength; i++) {
    if (coefficients[from + i] !== 0 && i % BLOCK_COEFFICIENTS !== 0) return true
  }
  return false
}

/** Whether few pieces up to the scan's end have other losses between them than their bits tell: then some are within them. */
function hidesLoss(
  pieces: readonly Piece[],
  { starts, usualBits }: McuStream,
  { mcuCount }: McuLayout,
): boolean {
  if (pieces.length === 0 || pieces.length > FEW_PIECES || !pieces[pieces.length - 1].flush) return false
  const missing = mcuCount - pieces.reduce((sum, { count }) => sum + count, 0)
  return missing !== 0 && !new LossEvidence(pieces, starts, usualBits, mcuCount, missing).agrees
}

/** One piece of all MCUs from the scan's first bit to its last. */
function isWhole(pieces: readonly Piece[], { mcuCount }: McuLayout): boolean {
  const [piece] = pieces
  return (
    pieces.length === 1 && piece.startBit === 0 && piece.count === mcuCount && piece.flush && !piece.broken
  )
}
