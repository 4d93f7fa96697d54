import type { Fault } from '../../verification.ts'

/** Stretches told one by one; beyond, the nearest are joined. */
const MOST_FAULTS = 2_000

/** A frame that does not decode as it should, in seconds of the file's clock. */
interface Place {
  readonly start: number
  readonly end: number
  readonly likely: boolean
}

/** Collects the frames of a track that do not decode as they should, in any order. */
export class Faults {
  readonly #places = new Map<number, Place>()

  /** The frame that starts at `start`. One that a decoder complains of stays so, however it looks. */
  add(start: number, seconds: number, likely = false): void {
    const known = this.#places.get(start)
    if (known && !known.likely) return
    this.#places.set(start, { start, end: start + Math.max(seconds, 0), likely })
  }

  get size(): number {
    return this.#places.size
  }

  /** Neighbours joined to stretches, in seconds after `origin`. */
  list(origin: number): Fault[] {
    const places = [...this.#places.values()].sort((a, b) => a.start - b.start)
    const joined = join(places.map(faultAfter(origin)), TOUCHING)
    for (let gap = FIRST_GAP; ; gap *= 2) {
      if (joined.length <= MOST_FAULTS) return joined
      joined.splice(0, joined.length, ...join(joined, gap))
    }
  }
}

/** Seconds by which containers round the times of neighbours. */
const TOUCHING = 0.002
const FIRST_GAP = 0.25

function faultAfter(origin: number): (place: Place) => Fault {
  return ({ start, end, likely }) => ({
    start: Math.max(start - origin, 0),
    end: Math.max(end - origin, 0),
    units: 1,
    ...(likely ? { likely: true as const } : {}),
  })
}

/** Joins stretches of a kind with no more than `gap` seconds between them; any kinds where the gap is wide. */
function join(faults: readonly Fault[], gap: number): Fault[] {
  const joined: Fault[] = []
  for (const fault of faults) {
    const last = joined.at(-1)
    const alike = last && (last.likely === fault.likely || gap > TOUCHING)
    if (!last || !alike || fault.start > last.end + gap) {
      joined.push(fault)
      continue
    }
    joined[joined.length - 1] = {
      start: last.start,
      end: Math.max(last.end, fault.end),
      units: last.units + fault.units,
      ...(last.likely && fault.likely ? { likely: true as const } : {}),
    }
  }
  return joined
}
