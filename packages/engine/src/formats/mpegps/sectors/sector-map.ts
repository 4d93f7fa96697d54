import { FORM_1_PAYLOAD_BYTES, SECTOR_BYTES, SECTOR_HEADER_BYTES } from '../../../syntax/cdxa/sector.ts'

const FIRST_ROOM = 1024

/** What is known of a sector: what it holds was hit, or is missing. */
export const HIT = 1
/** It ends early. */
export const TORN = 2
/** One turned bit or its header has to be put right: its code proves what it holds. */
export const REBUILT = 4
/** It is of form 1, and holds less. */
export const SHORT = 8
/** It is not in the file. */
export const MISSING = 16

/** Where the sectors of a file lie. */
export class SectorMap {
  length = 0
  /** Where the part of the file ends that sectors were found in. */
  end = 0
  #offsets = new Float64Array(FIRST_ROOM)
  #numbers = new Float64Array(FIRST_ROOM)
  #states = new Uint8Array(FIRST_ROOM)

  /** Offset of a sector in the file. */
  offset(sector: number): number {
    return this.#offsets[sector]
  }

  /** Its number on the disc. */
  number(sector: number): number {
    return this.#numbers[sector]
  }

  /** The number that the next one has; -1 where there is none yet. */
  get due(): number {
    return this.length === 0 ? -1 : this.#numbers[this.length - 1] + 1
  }

  /** Whether what a sector holds is not all there. */
  isHit(sector: number): boolean {
    return (this.#states[sector] & (HIT | TORN | MISSING)) !== 0
  }

  isRebuilt(sector: number): boolean {
    return (this.#states[sector] & REBUILT) !== 0
  }

  isMissing(sector: number): boolean {
    return (this.#states[sector] & MISSING) !== 0
  }

  /** Bytes of a sector that are its own, up to what it holds. */
  room(sector: number): number {
    const state = this.#states[sector]
    if ((state & MISSING) !== 0) return 0
    if ((state & SHORT) !== 0) return SECTOR_HEADER_BYTES + FORM_1_PAYLOAD_BYTES
    if ((state & TORN) === 0) return SECTOR_BYTES
    const next = sector + 1 < this.length ? this.#offsets[sector + 1] : this.end
    return Math.min(SECTOR_BYTES, next - this.#offsets[sector])
  }

  push(offset: number, number: number, state: number): void {
    if (this.length === this.#offsets.length) this.#grow()
    this.#offsets[this.length] = offset
    this.#numbers[this.length] = number
    this.#states[this.length++] = state
  }

  /** The last one ends where the next begins. */
  tear(): void {
    if (this.length > 0) this.#states[this.length - 1] = HIT | TORN
  }

  #grow(): void {
    const offsets = new Float64Array(this.length * 2)
    const numbers = new Float64Array(this.length * 2)
    const states = new Uint8Array(this.length * 2)
    offsets.set(this.#offsets)
    numbers.set(this.#numbers)
    states.set(this.#states)
    this.#offsets = offsets
    this.#numbers = numbers
    this.#states = states
  }
}
