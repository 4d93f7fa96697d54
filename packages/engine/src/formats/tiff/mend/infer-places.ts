import { isZero } from '../../../bytes/zeros.ts'
import { HEADER_BYTES } from '../../../syntax/tiff-ifd/header.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { checkUnit, unpackedWithin } from '../read/check-units.ts'
import { UNCOMPRESSED, unpacks } from '../read/compression.ts'
import { explainedRanges } from '../read/explained.ts'
import { plainBytes, type TiffImage, type Unit } from '../read/image.ts'
import type { Structure } from '../read/structure.ts'

/** A picture of which zeros had overwritten where strips or tiles lie, or how long they are. */
export interface InferredPlaces {
  readonly image: TiffImage
  /** Strips and tiles that were told of by nothing. */
  readonly count: number
  /** Some have no place; else they lack a length alone. */
  readonly placeless: boolean
  /** Nothing else fits what is around, or their codes show that they lie there. */
  readonly proven: boolean
}

/** Bytes that a writer leaves in front of what it starts at an even place. */
const PADDING = 1

type Span = readonly [number, number]

/** Units laid into a gap, bytes of it that are left, and whether those are what a writer leaves. */
interface Way {
  readonly units: readonly Unit[]
  readonly left: number
  readonly fits: boolean
}

/**
 * Strips and tiles by what is around them: one without a length reaches to what comes next, and those without a place follow each
 * other, where their lengths fill what nothing else takes of the file. Those that have neither are left: some writers name empty
 * ones so.
 */
export class PlaceInference {
  readonly #numbers: TiffNumbers
  readonly #structure: Structure
  #known: readonly Span[] | undefined

  constructor(numbers: TiffNumbers, structure: Structure) {
    this.#numbers = numbers
    this.#structure = structure
  }

  /** Undefined where a picture's fields tell of all that it has, or nothing helps. */
  infer(image: TiffImage): InferredPlaces | undefined {
    const units = [...image.units]
    const inferred = new Set<number>()
    const put = (unit: Unit): void => {
      units[unit.index] = unit
      inferred.add(unit.index)
    }
    const placeless = image.units.some(({ offset, bytes }) => offset === 0 && bytes > 0)
    let proven = true
    for (const unit of image.units)
      if (unit.offset > 0 && unit.bytes === 0) put({ ...unit, bytes: this.#lengthOf(image, unit) })
    for (const run of withoutPlace(units)) {
      const found = this.#placeOf(image, units, run)
      for (const unit of found?.units ?? []) put(unit)
      if (found) proven &&= found.proven
    }
    if (inferred.size === 0) return undefined
    return { image: { ...image, units, inferred }, count: inferred.size, placeless, proven }
  }

  #lengthOf(image: TiffImage, unit: Unit): number {
    const plain = image.compression === UNCOMPRESSED ? plainBytes(this.#numbers, image, unit) : 0
    if (plain > 0) return image.kind === 'tile' ? plain : image.rowBytes * unit.height
    const { size } = this.#numbers.reader
    let [low, high] = [0, this.#spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#spans[middle][0] > unit.offset) high = middle
      else low = middle + 1
    }
    return Math.max(0, (this.#spans[low]?.[0] ?? size) - unit.offset)
  }

  /** Where units of known lengths lie that follow each other. */
  #placeOf(
    image: TiffImage,
    units: readonly Unit[],
    run: readonly Unit[],
  ): { readonly units: readonly Unit[]; readonly proven: boolean } | undefined {
    const before = units[run[0].index - 1]
    const after = units[run[run.length - 1].index + 1]
    const between: Span | undefined =
      before && before.offset > 0 && after && after.offset > before.offset
        ? [before.offset + before.bytes, after.offset]
        : undefined
    const gaps = between ? [between] : this.#gaps()
    const likely = gaps
      .flatMap((gap) => this.#ways(run, gap))
      .filter(({ left }) => left >= 0)
      .sort((a, b) => a.left - b.left)
      .slice(0, MOST_WAYS)
    if (unpacks(image.compression)) {
      const allowance = unpackedWithin(this.#numbers.reader.size)
      const whole = likely.find((way) =>
        [way.units[0], way.units[run.length - 1]].every(
          (unit) => checkUnit(this.#numbers, image, unit, allowance).state === 'whole',
        ),
      )
      if (whole) return { units: whole.units, proven: true }
    }
    const fitting = likely.filter(({ fits }) => fits)
    const [best] = fitting.length > 0 ? fitting : likely
    if (!best) return undefined
    return { units: best.units, proven: fitting.length > 0 && fitting.every((way) => samePlace(way, best)) }
  }

  /** Ways to lay units that follow each other into a gap: from its beginning on, or up to its end. */
  #ways(run: readonly Unit[], [from, to]: Span): Way[] {
    const ways = WAYS.map(({ first, even }) => {
      const units = laid(run, multiple(from, first), even)
      const left = to - endOf(units)
      return { units, left, fits: left <= PADDING }
    })
    const left = ways[0].left
    const start = from + left
    // where a directory of fixed room stands in front, what it does not need are zeros
    const { reader } = this.#numbers
    const fits = left > PADDING && isZero(reader, from, start) && !isZero(reader, to - left, to)
    return left < 0 ? [] : [...ways, { units: laid(run, start, 1), left, fits }]
  }

  /** What something is told of, in the order of the file. */
  get #spans(): readonly Span[] {
    this.#known ??= explainedRanges(this.#numbers, this.#structure)
      .filter(([from]) => from > 0)
      .sort(([a], [b]) => a - b)
    return this.#known
  }

  /** What nothing is told of. */
  #gaps(): readonly Span[] {
    const gaps: Span[] = []
    let reached = HEADER_BYTES
    for (const [from, to] of [...this.#spans, [this.#numbers.reader.size, 0] as const]) {
      if (from > reached) gaps.push([reached, from])
      reached = Math.max(reached, to)
    }
    return gaps
  }
}

/** What the first one, and each, begins at a multiple of. */
const WAYS = [
  { first: 1, even: 1 },
  { first: 2, even: 1 },
  { first: 2, even: 2 },
]
/** Ways to lay units that are held against the bytes. */
const MOST_WAYS = 16

/** Units that have a length and no place, those that follow each other together. */
function withoutPlace(units: readonly Unit[]): Unit[][] {
  const runs: Unit[][] = []
  for (const unit of units) {
    if (unit.offset > 0 || unit.bytes === 0) continue
    const last = runs.at(-1)
    if (last?.at(-1)?.index === unit.index - 1) last.push(unit)
    else runs.push([unit])
  }
  return runs
}

/** Units one behind the other from an offset on, each at a multiple of `even`. */
function laid(run: readonly Unit[], from: number, even: number): Unit[] {
  let at = from
  return run.map((unit) => {
    const offset = multiple(at, even)
    at = offset + unit.bytes
    return { ...unit, offset }
  })
}

function multiple(at: number, of: number): number {
  return Math.ceil(at / of) * of
}

function samePlace(one: Way, other: Way): boolean {
  return one.units.every(({ offset }, i) => offset === other.units[i].offset)
}

function endOf(units: readonly Unit[]): number {
  const last = units[units.length - 1]
  return last.offset + last.bytes
}
