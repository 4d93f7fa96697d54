import type { Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { aroundOf, type Measured, type Part, type Side, type Sides } from './measure.ts'
import { mixInto, sharesOf } from './mix.ts'
import { depthOf, type Plane, planesOf } from './planes.ts'

/**
 * Where there is a sound picture on one side only, the pictures beside it have to be this much like it in the large: what changes
 * altogether is another scene.
 */
const SAME_SCENE = 0.3

/**
 * Mixes into pictures that likely show errors the sound ones before and behind, block by block, each by how near to right it
 * likely is.
 */
export class Mender {
  readonly #part: Part
  readonly #stretches: { readonly sides: Sides; readonly evidence: Evidence }[]

  constructor(part: Part, { steps, sides }: Measured) {
    this.#part = part
    const around = aroundOf(part.film, part.origins, steps, part.grid)
    this.#stretches = sides
      .filter(isOneScene)
      .map((each) => ({ sides: each, evidence: evidenceOf({ ...around, stretch: each.stretch }) }))
  }

  /** The picture of a place as it is best shown: the one given, or a new one for the caller to free. */
  mended(frame: Frame, rank: number): Frame {
    const found = this.#stretches.find(
      ({ sides: { stretch } }) => stretch.start <= rank && rank < stretch.end,
    )
    const likely = found?.evidence.errors[rank - found.sides.stretch.start]
    const own = planesOf(frame)
    if (!found || !likely || own.length === 0) return frame
    const { before, behind, stretch } = found.sides
    const [one, other] = [before, behind].map((side) => side && planesOf(side.frame))
    const sides = [
      this.#compared(own, one, before, behind, rank - stretch.start, frame),
      this.#compared(own, other, behind, before, stretch.end - 1 - rank, frame),
    ]
    const errors = likely.map((error, at) =>
      sides.reduce(
        (least, side) =>
          Math.min(least, side ? Math.max(0, (side.from[at] ?? 0) - (side.changes[at] ?? 0)) : least),
        error,
      ),
    )
    const [nearBefore, nearBehind] = sides.map((side) =>
      side?.changes.map((change, at) => Math.max(change, (side.from[at] ?? 0) - (errors[at] ?? 0))),
    )
    const shares = sharesOf({ own: errors, before: nearBefore, behind: nearBehind })
    if (!shares) return frame
    const mixed = frame.clone()
    if (!mixed || mixed.makeWritable() < 0) throw new RendererError('memory', 'no room for a picture')
    mixInto(planesOf(mixed), one, other, shares, this.#part.grid)
    return mixed
  }

  /**
   * How far a picture is from the sound one beside its stretch, and how far sound pictures as many places apart are from each
   * other.
   */
  #compared(
    own: readonly Plane[],
    planes: readonly Plane[] | undefined,
    side: Side | undefined,
    opposite: Side | undefined,
    away: number,
    frame: Frame,
  ): { from: Float32Array; changes: Float32Array } | undefined {
    const [luma] = own
    const [other] = planes ?? []
    const changes = (side && changeOver(side, away)) ?? (opposite && changeOver(opposite, away))
    if (!luma || !other || !changes) return undefined
    return { from: this.#part.grid.differences(luma, other, depthOf(frame) ?? 8), changes }
  }
}

/** How far sound pictures are from each other over a number of places, the first at 0; far ones by what near ones change. */
function changeOver({ changes }: Side, away: number): Float32Array | undefined {
  const known = changes[away]
  const last = changes.at(-1)
  return known ?? last?.map((change) => (change * (away + 1)) / changes.length)
}

/** Whether the sound pictures beside a stretch are of its scene: those on both sides frame it, one alone has to look like it. */
export function isOneScene({ before, behind }: Pick<Sides, 'before' | 'behind'>): boolean {
  if (before && behind) return true
  return ((before ?? behind)?.likeness ?? 0) >= SAME_SCENE
}
