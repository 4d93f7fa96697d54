import { avGetPixFmtName, type Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { pixelFormatOf } from '../../media/pixel-format.ts'
import { hasShape, type Shape } from './scan.ts'

/** Longest gap, in pictures, over which two pictures are blended; in longer ones the nearer of both stands. */
const BLEND_LIMIT = 3

/**
 * Turns the pictures that a damaged stretch gives into one for each place in display order: a place without a picture of its own
 * gets a blend of its neighbours in short gaps, and the nearer one in long ones.
 */
export class Filler {
  /** Pictures made up because there was none. */
  made = 0
  readonly #shape: Shape
  readonly #start: number
  readonly #end: number
  readonly #emit: (frame: Frame, rank: number) => void
  #next: number
  #last: Frame | undefined

  /** Gives one picture for each place from `start` to before `end`, in order. */
  constructor(shape: Shape, start: number, end: number, emit: (frame: Frame, rank: number) => void) {
    this.#shape = shape
    this.#start = start
    this.#next = start
    this.#end = end
    this.#emit = emit
  }

  get done(): boolean {
    return this.#next >= this.#end
  }

  /** Takes the picture of place `rank`; ones from before the stretch and behind it help to fill gaps. */
  offer(frame: Frame, rank: number): void {
    if (this.done || !hasShape(frame, this.#shape)) return
    if (rank >= this.#next) {
      this.#fill(Math.min(rank, this.#end), frame, rank)
      if (rank < this.#end) {
        this.#next = rank + 1
        // an encoder may change what it is given
        this.#keep(frame)
        this.#emit(frame, rank)
        return
      }
    } else if (this.#next > this.#start) return
    this.#keep(frame)
  }

  #keep(frame: Frame): void {
    this.#last?.free()
    this.#last = frame.clone() ?? undefined
  }

  /** Fills what is left when no more pictures come. @throws RendererError `input` when there was not a single one */
  finish(): void {
    this.#fill(this.#end, undefined, this.#end)
    if (!this.done) throw new RendererError('input', 'no picture near the damaged ones can be decoded')
  }

  close(): void {
    this.#last?.free()
    this.#last = undefined
  }

  #fill(end: number, next: Frame | undefined, nextRank: number): void {
    const before = this.#next - 1
    const gap = nextRank - this.#next
    for (; this.#next < end; this.#next++) {
      const last = this.#last
      if (last && next && gap <= BLEND_LIMIT) {
        const blended = blend(last, next, (this.#next - before) / (nextRank - before))
        this.#emit(blended, this.#next)
        blended.free()
      } else {
        const isLate = this.#next - before > nextRank - this.#next
        const still = ((isLate ? next : last) ?? last ?? next)?.clone()
        if (!still) return
        this.#emit(still, this.#next)
        still.free()
      }
      this.made++
    }
  }
}

/**
 * `from` and `to` mixed, `share` (0 to 1) of the second. Formats other than plain samples of 8 and 16 bits give the nearer one.
 */
function blend(from: Frame, to: Frame, share: number): Frame {
  const nearer = (share < 0.5 ? from : to).clone()
  const format = avGetPixFmtName(pixelFormatOf(from)) ?? ''
  const wide = /(9|10|12|14|16)le$/.test(format)
  if (!nearer || nearer.makeWritable() < 0) throw new RendererError('memory', 'no room for a picture')
  if (!wide && !/^(yuvj?4\d\dp|nv\d\d|gray|gbrp|yuva4\d\dp)$/.test(format)) return nearer
  const planes = nearer.data ?? []
  for (const [plane, out] of planes.entries()) {
    const a = from.data?.[plane]
    const b = to.data?.[plane]
    if (!a || !b || a.length !== out.length || b.length !== out.length) continue
    if (wide) mix(words(a), words(b), words(out), share)
    else mix(a, b, out, share)
  }
  return nearer
}

type Samples = Uint8Array | Uint16Array

function words(bytes: Buffer): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
}

function mix(a: Samples, b: Samples, out: Samples, share: number): void {
  for (let i = 0; i < out.length; i++) {
    const from = a[i] ?? 0
    out[i] = Math.round(from + ((b[i] ?? 0) - from) * share)
  }
}
