import type { BoolDecoder } from '../bool-decoder.ts'
import type { Segments } from './segments.ts'
import { SEGMENT_TREE } from './symbols.ts'

/** Places that a block covers: the first one, how many across and down, and those of a row of the frame. */
export interface Area {
  readonly at: number
  readonly across: number
  readonly down: number
  readonly columns: number
}

/**
 * Which segment each place of a frame belongs to, and did in the last frame with segments: VP9 specification v0.6 §6.4.7 and
 * §6.4.12.
 */
export class SegmentMap {
  /** By place. Those of the frame being read, of those before, and what of these counts for the frame. */
  #current = new Uint8Array(0)
  #last = new Uint8Array(0)
  #before = this.#last
  /** seg_id_predicted of the block read last. */
  wasPredicted = false

  /** Begins a frame of this many places; it may `forget` what was before. */
  beginFrame(places: number, forget: boolean): void {
    if (this.#current.length !== places) this.#current = new Uint8Array(places)
    this.#before = forget || this.#last.length !== places ? new Uint8Array(places) : this.#last
  }

  /** The frame was one: what was read of it, if it had segments, counts for the next ones. */
  accept(hadSegments: boolean): void {
    const last = this.#last
    this.#last = hadSegments ? this.#current : this.#before
    if (hadSegments) this.#current = last
  }

  /** As the other one is between frames. */
  copy(other: SegmentMap): void {
    this.#last = other.#last.slice()
  }

  /** intra_segment_id. */
  readIntra(bools: BoolDecoder, segments: Segments, area: Area): number {
    if (!segments.enabled) return 0
    if (!segments.mapped) {
      this.#keep(area)
      return 0
    }
    return this.#set(area, bools.leaf(SEGMENT_TREE, segments.treeProbabilities, 0))
  }

  /** inter_segment_id; `context` of seg_id_predicted. */
  readInter(bools: BoolDecoder, segments: Segments, area: Area, context: number): number {
    this.wasPredicted = false
    if (!segments.enabled) return 0
    if (!segments.mapped) {
      this.#keep(area)
      return this.#least(area)
    }
    this.wasPredicted = segments.temporal && bools.bool(segments.predictionProbabilities[context]) === 1
    const segment = this.wasPredicted
      ? this.#least(area)
      : bools.leaf(SEGMENT_TREE, segments.treeProbabilities, 0)
    return this.#set(area, segment)
  }

  /** get_segment_id, §6.4.13. */
  #least({ at, across, down, columns }: Area): number {
    let least = 7
    for (let y = 0; y < down; y++)
      for (let x = 0; x < across; x++) least = Math.min(least, this.#before[at + y * columns + x])
    return least
  }

  #keep({ at, across, down, columns }: Area): void {
    for (let y = 0; y < down; y++) {
      const from = at + y * columns
      for (let x = 0; x < across; x++) this.#current[from + x] = this.#before[from + x]
    }
  }

  #set({ at, across, down, columns }: Area, segment: number): number {
    for (let y = 0; y < down; y++) {
      const from = at + y * columns
      for (let x = 0; x < across; x++) this.#current[from + x] = segment
    }
    return segment
  }
}
