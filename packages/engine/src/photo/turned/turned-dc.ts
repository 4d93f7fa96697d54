import { Allowance } from '../../model/allowance.ts'
import type { StepInput } from '../levels/weigh-dc-steps.ts'
import type { MeanPlanes } from '../preview/reference.ts'
import { medianOf, NORMAL } from '../statistics.ts'
import { CodeChanges, type CodedScan } from './code-changes.ts'
import { changesOf, type DifferenceReader } from './dc-changes.ts'
import { DcLikelihood } from './dc-likelihood.ts'
import { PreviewSteps } from './preview-steps.ts'
import { RowOffsets } from './row-offsets.ts'

const BLOCK = 8
/** Levels by which a turned bit changes DC that are looked for: less hardly shows. */
const LEAST = 1
const MOST = 24
/**
 * How much likelier a row must be for its bits to be looked at: a logarithm. In 50 healthy photos of as many cameras no bit comes
 * to what is asked for below.
 */
const LEAST_OF_ROW = 2
/** And with the preview and the value itself, where the preview clearly tells the change, too, and where none does. */
const LEAST_GAIN = 7.5
const LEAST_GAIN_UNTOLD = 11
const CLEARLY_TOLD = 2.5
/** A preview that would speak so clearly for a change, if it were right, does speak for it. */
const SURELY_TOLD = 5
/** MCUs from the ends of a row where edges of the picture's own begin, too. */
const FROM_ROW_ENDS = 3
const OF_ROW_ENDS = 1 / 24
/** Each part of a row must gain that part of what it should. */
const OF_EACH_PART = 0.25
/** MCUs aside of where a row begins to be off that the bit may be in. */
const ASIDE = 3
/** Degrees of freedom of Student's distribution: differences of DC are small, but for some. */
const FREEDOM = 2
const MOST_LEARNED = 8_192
/** Codes of other coefficients that are tried with a bit turned, for each MCU of the picture and at least. */
const CODES_PER_MCU = 4
const LEAST_CODES = 1 << 16
/** There are so many times more of them than of bits of differences: a logarithm. */
const OF_CODES = 3

export interface TurnedDcInput extends StepInput {
  readonly reader: DifferenceReader
  readonly starts: Uint32Array
  /** All codes of the scan, where it has those of other coefficients, too. */
  readonly coded?: CodedScan
  /** Lowest bits of DC that other scans tell, none by default. */
  readonly low?: number
}

/** A bit that was turned and changed a difference of DC, by what speaks for it: logarithms of likelihoods. */
export interface TurnedDc {
  readonly bit: number
  readonly mcu: number
  readonly component: number
  /** Units of quantised DC that turning it back adds. */
  readonly change: number
  readonly gain: number
}

/**
 * Bits that were turned within differences of DC: reading goes on in step, and only levels from there on are off. That shows
 * along one row of MCUs from the bit on, neither in front nor behind, by the preview from there on, and by the difference itself,
 * that is larger than usual. The change must be one that a single bit there makes, in the difference or else in codes of other
 * coefficients, which swallowed it. The likeliest first.
 */
export function turnedDc(input: TurnedDcInput, shown: MeanPlanes | undefined): TurnedDc[] {
  const { layout, quantisation } = input
  const { sectionOf, lineOf } = owners(input)
  const likelihood = new DcLikelihood(input.means, input.coefficients, layout, quantisation)
  const preview = shown && new PreviewSteps(input, lineOf, shown)
  const { coded } = input
  const codes =
    coded && new CodeChanges(coded, new Allowance(Math.max(LEAST_CODES, CODES_PER_MCU * layout.mcuCount)))
  const found: TurnedDc[] = []
  layout.components.forEach((_, component) => {
    const rows = new RowOffsets(input, sectionOf, component, likelihood)
    const usual = usualValue(input, component)
    const unit = unitOf(input, component)
    const values = (mcu: number): Candidate[] =>
      changesOf(input, mcu, component).map(({ bit, value, change }) => {
        return { bit, change, likelier: likely((value + change) / usual) - likely(value / usual) }
      })
    const coded = (mcu: number): Candidate[] =>
      (codes?.of(mcu, component, LEAST / unit, MOST / unit) ?? []).flatMap((each) => {
        const likelier = each.likelier - OF_CODES
        return likelier < LEAST_GAIN ? [] : [{ ...each, likelier, hit: true }]
      })
    for (const place of placesOff(input, rows, lineOf)) {
      const search = { input, rows, preview, lineOf, component, around: place }
      const likeliest = bestAt(search, (mcu) => [...values(mcu), ...coded(mcu)])
      if (likeliest) found.push(likeliest)
    }
  })
  found.sort((a, b) => b.gain - a.gain)
  const kept: TurnedDc[] = []
  for (const each of found)
    if (kept.every(({ mcu }) => Math.abs(mcu - each.mcu) >= layout.mcuWide)) kept.push(each)
  return kept
}

/** By place: the section, and the first of those that only steps of DC part; -1 where there is none. */
function owners({ layout, sections, source }: StepInput) {
  const sectionOf = new Int32Array(layout.mcuCount).fill(-1)
  const lineOf = new Int32Array(layout.mcuCount).fill(-1)
  let line = 0
  sections.forEach(({ place, count, first, free }, index) => {
    if (!free) line = index
    for (let i = 0; i < count && place + i < layout.mcuCount; i++) {
      if (source[place + i] !== first + i) continue
      sectionOf[place + i] = index
      lineOf[place + i] = line
    }
  })
  return { sectionOf, lineOf }
}

/** Places from which on a row is off, the clearest of those within a row of each other. */
function placesOff({ layout }: StepInput, rows: RowOffsets, lineOf: Int32Array): number[] {
  const { mcuWide: wide, mcuCount } = layout
  const off: { readonly place: number; readonly contrast: number }[] = []
  for (let place = wide; place + wide <= mcuCount; place++) {
    if (lineOf[place] < 0 || lineOf[place - 1] !== lineOf[place]) continue
    const { levels, gain } = rows.likeliest(place, place + wide)
    if (gain < LEAST_OF_ROW || Math.abs(levels) < LEAST / 2) continue
    off.push({ place, contrast: rows.contrast(place) })
  }
  off.sort((a, b) => b.contrast - a.contrast)
  const kept: number[] = []
  for (const { place } of off) if (kept.every((other) => Math.abs(other - place) >= wide)) kept.push(place)
  return kept
}

/**
 * A bit that may have been turned, what turning it back adds to DC, and how much likelier it makes what is coded: a logarithm.
 */
interface Candidate {
  readonly bit: number
  readonly change: number
  readonly likelier: number
  /** What is coded tells by itself that it was hit: no edge of the picture's own makes it so. */
  readonly hit?: boolean
}

/** A place from which on a row is off, and what is asked of bits there. */
interface Search {
  readonly input: TurnedDcInput
  readonly rows: RowOffsets
  readonly preview: PreviewSteps | undefined
  readonly lineOf: Int32Array
  readonly component: number
  readonly around: number
}

/** The likeliest bit around a place from which on a row is off, of those of each MCU of the stream. */
function bestAt(
  { input, rows, preview, lineOf, component, around }: Search,
  candidatesIn: (mcu: number) => readonly Candidate[],
): TurnedDc | undefined {
  const { layout, source } = input
  const wide = layout.mcuWide
  const unit = unitOf(input, component)
  const ends = FROM_ROW_ENDS + OF_ROW_ENDS * wide
  let best: TurnedDc | undefined
  for (let place = around - ASIDE; place <= around + ASIDE; place++) {
    if (lineOf[place] !== lineOf[around]) continue
    const mcu = source[place]
    const column = place % wide
    const turn = place - column + wide
    // where rows begin edges of the picture's own do, too
    const edge = column < ends || column >= wide - ends
    for (const { bit, change, likelier, hit } of candidatesIn(mcu)) {
      const levels = change * unit
      if (Math.abs(levels) < LEAST || Math.abs(levels) > MOST) continue
      const inside = rows.gain(place, place + wide, levels)
      if (inside < LEAST_OF_ROW) continue
      const row =
        inside -
        Math.max(0, rows.gain(place - wide, place, levels)) -
        Math.max(0, rows.gain(place + wide, place + 2 * wide, levels))
      const least = (OF_EACH_PART * row) / wide
      // edges of the picture's own do not go on in the next row up to where they began
      if (!hit && rows.gain(place, turn, levels) < least * (turn - place)) continue
      if (!hit && rows.gain(turn, place + wide, levels) < least * (place + wide - turn)) continue
      const told = preview?.gain(component, place, levels) ?? 0
      const gain = row + told + likelier
      const clear = told >= CLEARLY_TOLD
      if (gain < (clear ? LEAST_GAIN : LEAST_GAIN_UNTOLD)) continue
      if (edge && !clear && !hit) continue
      // what the preview would show if it were so
      if (!clear && preview && preview.mostGain(component, place, levels) >= SURELY_TOLD) continue
      if (!best || gain > best.gain) best = { bit, mcu, component, change, gain }
    }
  }
  return best
}

/** Levels of a unit of quantised DC of a component. */
function unitOf({ quantisation, low = 0 }: TurnedDcInput, component: number): number {
  return (quantisation[component][0] << low) / BLOCK
}

/** The usual size of a difference of DC of a component, in units. */
function usualValue({ reader, starts, layout, sections }: TurnedDcInput, component: number): number {
  const total = sections.reduce((sum, { count }) => sum + count, 0)
  const stride = Math.max(1, Math.ceil(total / MOST_LEARNED))
  const differences = new Int16Array(layout.blocksPerMcu)
  const sizes: number[] = []
  for (const { first, count } of sections) {
    for (let i = 0; i < count; i += stride) {
      if (reader.pass(starts[first + i], differences) < 0) continue
      for (let block = 0; block < layout.blocksPerMcu; block++)
        if (layout.componentOf[block] === component) sizes.push(Math.abs(differences[block]))
    }
  }
  return 1 + NORMAL * medianOf(Float32Array.from(sizes))
}

/** The logarithm of how likely a difference is that is so many times the usual one. */
function likely(times: number): number {
  return (-(FREEDOM + 1) * Math.log1p((times * times) / FREEDOM)) / 2
}
