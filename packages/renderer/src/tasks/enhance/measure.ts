import { avImageGetBufferSize, type Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { evidenceOf } from './evidence.ts'
import { Filler } from './fill.ts'
import { concealBy, decodeSamples, type Film, type Way } from './film.ts'
import type { Grid } from './grid.ts'
import { depthOf, type Plane, planesOf } from './planes.ts'
import type { Shape } from './scan.ts'
import { SOUND, type Stretch } from './taint.ts'

/** Sound pictures beside a stretch that tell how pictures change. */
export const BESIDE = 4
/** Samples behind that a decoder is waited for. */
export const DELAY = 64
/**
 * Stretches of a run whose sound neighbours are kept at hand, two pictures each; pictures of further ones stay as they decode.
 */
const MOST_STRETCHES = 8
/** Bytes of pictures kept at hand; of large pictures fewer. */
const MOST_KEPT = 256 * 1024 * 1024

/** A sound picture beside a stretch. */
export interface Side {
  readonly frame: Frame
  /**
   * Mean squares by block between it and sound pictures one place further away, two places, …, each at least as large as the one
   * before.
   */
  readonly changes: Float32Array[]
  /** How alike it is to the picture of the stretch beside it. */
  likeness: number
}

export interface Sides {
  readonly stretch: Stretch
  before: Side | undefined
  behind: Side | undefined
}

/** What decoding a part of a film in one way shows. */
export interface Measured {
  readonly way: Way
  /** Mean squares by block from the picture before, by place. */
  readonly steps: ReadonlyMap<number, Float32Array>
  readonly sides: readonly Sides[]
}

/** A part of a film, by places in display order, and where its decoding begins, in decoding order. */
export interface Part {
  readonly film: Film
  readonly shape: Shape
  readonly lead: number
  readonly from: number
  readonly to: number
  readonly stretches: readonly Stretch[]
  readonly origins: Int32Array
  readonly grid: Grid
}

/** Decodes a part in one way and compares its pictures. Whoever calls frees the sides. */
export async function measure(part: Part, way: Way): Promise<Measured> {
  const measuring = new Measuring(part)
  try {
    await decodePart(part, way, part.from, part.to, (frame, rank) => measuring.take(frame, rank))
  } catch (error) {
    freeSides(measuring.sides)
    throw error
  } finally {
    measuring.close()
  }
  return { way, steps: measuring.steps, sides: measuring.sides }
}

export function freeSides(sides: readonly Sides[]): void {
  for (const { before, behind } of sides) for (const side of [before, behind]) side?.frame.free()
}

/** Decodes a part in one way: one picture for each place, in order. */
export async function decodePart(
  { film, shape, lead }: Pick<Part, 'film' | 'shape' | 'lead'>,
  way: Way,
  from: number,
  to: number,
  onPicture: (frame: Frame, rank: number) => void,
): Promise<void> {
  const decoder = film.decoder()
  const filler = new Filler(shape, from, to, onPicture)
  try {
    concealBy(decoder, way)
    await decodeSamples(film, lead, Math.min(to + DELAY, film.samples.count), decoder, {
      whole: way.whole,
      picture: (frame, sample) => {
        filler.offer(frame, film.rank[sample] ?? 0)
        return !filler.done
      },
    })
    if (!filler.done) filler.finish()
  } finally {
    decoder.close()
    filler.close()
  }
}

/** What a way costs: the errors that its pictures likely have. */
export function costOf({ steps, sides }: Measured, { film, origins, grid }: Part): number {
  const around = aroundOf(film, origins, steps, grid)
  return sides.reduce((sum, { stretch }) => sum + evidenceOf({ ...around, stretch }).cost, 0)
}

/** What evidence is read from. */
export function aroundOf(
  film: Film,
  origins: Int32Array,
  steps: ReadonlyMap<number, Float32Array>,
  grid: Grid,
): Omit<Parameters<typeof evidenceOf>[0], 'stretch'> {
  const originAt = (rank: number): number | undefined => origins[film.sampleAt[rank] ?? -1]
  return {
    blocks: grid.blocks,
    step: (rank) => steps.get(rank),
    isSound: (rank) => originAt(rank) === SOUND,
    isHit: (rank) => originAt(rank) === film.sampleAt[rank] || originAt(rank) !== originAt(rank - 1),
  }
}

/** Compares pictures as they come. */
class Measuring {
  readonly steps = new Map<number, Float32Array>()
  readonly sides: Sides[]
  readonly #part: Part
  readonly #beside: number
  /** The last pictures, the newest one last. */
  readonly #last: { frame: Frame; rank: number }[] = []

  constructor(part: Part) {
    this.#part = part
    const { width, height, format } = part.shape
    const room = Math.floor(MOST_KEPT / Math.max(avImageGetBufferSize(format, width, height, 1), 1))
    this.#beside = Math.max(1, Math.min(BESIDE, Math.floor(room / 3)))
    this.sides = part.stretches
      .slice(0, Math.max(1, Math.min(MOST_STRETCHES, Math.floor((room - this.#beside) / 2))))
      .map((stretch) => ({ stretch, before: undefined, behind: undefined }))
  }

  take(frame: Frame, rank: number): void {
    const { grid } = this.#part
    const own = lumaOf(frame)
    const before = this.#last.at(-1)
    if (before) this.steps.set(rank, grid.differences(own, lumaOf(before.frame), depthOf(frame) ?? 8))
    for (const sides of this.sides) {
      const { start, end } = sides.stretch
      if (rank === start && sides.before && before)
        sides.before.likeness = grid.likeness(lumaOf(before.frame), own)
      if (rank + 1 === start && this.#isSound(rank)) sides.before = this.#sideBefore(frame, rank)
      if (rank === end && this.#isSound(rank))
        sides.behind = {
          frame: copyOf(frame),
          changes: [],
          likeness: before ? grid.likeness(lumaOf(before.frame), own) : 0,
        }
      else if (sides.behind && rank - end === sides.behind.changes.length + 1 && this.#isSound(rank))
        this.#add(sides.behind, frame)
    }
    this.#last.push({ frame: copyOf(frame), rank })
    if (this.#last.length > this.#beside) this.#last.shift()?.frame.free()
  }

  close(): void {
    for (const { frame } of this.#last) frame.free()
  }

  #isSound(rank: number): boolean {
    const { film, origins } = this.#part
    return origins[film.sampleAt[rank] ?? 0] === SOUND
  }

  #sideBefore(frame: Frame, rank: number): Side {
    const side: Side = { frame: copyOf(frame), changes: [], likeness: 0 }
    for (const other of [...this.#last].reverse()) {
      if (rank - other.rank !== side.changes.length + 1 || !this.#isSound(other.rank)) break
      this.#add(side, other.frame)
    }
    return side
  }

  #add({ frame, changes }: Side, other: Frame): void {
    if (changes.length >= BESIDE) return
    const change = this.#part.grid.differences(lumaOf(frame), lumaOf(other), depthOf(frame) ?? 8)
    const last = changes.at(-1)
    changes.push(last ? change.map((value, at) => Math.max(value, last[at] ?? 0)) : change)
  }
}

function copyOf(frame: Frame): Frame {
  const copy = frame.clone()
  if (!copy) throw new RendererError('memory', 'no room for a picture')
  return copy
}

const NOTHING: Plane = { samples: new Uint8Array(), stride: 0, width: 0, height: 0 }

/** Brightness; nothing of pictures that are not planes of plain samples, which are all alike then. */
function lumaOf(frame: Frame): Plane {
  return planesOf(frame)[0] ?? NOTHING
}
