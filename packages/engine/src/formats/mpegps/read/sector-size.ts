import { type Item, PACK } from './item.ts'

/** Packs or packets after which a writer's habits are known. */
const SETTLED = 8
/** Share of the distances that are multiples of a sector where a writer fills up sectors. */
const USUAL = 0.8
/** Share of the distances from which one is no chance. */
const COMMON = 0.1
/** Distances that are told apart. */
const MOST_SIZES = 512

/** Learns whether packs, or packets, are a whole number of sectors long, as on discs, and how long those are. */
class SectorSize {
  readonly #counts = new Map<number, number>()
  #total = 0
  #known = 0

  /** Bytes from one pack or packet to the next. */
  take(distance: number): void {
    this.#total++
    if (this.#counts.size < MOST_SIZES || this.#counts.has(distance))
      this.#counts.set(distance, (this.#counts.get(distance) ?? 0) + 1)
    this.#known = -1
  }

  /** Bytes of a sector; 0 where none are kept to. */
  get bytes(): number {
    if (this.#known < 0) this.#known = this.#find()
    return this.#known
  }

  #find(): number {
    if (this.#total <= SETTLED) return 0
    // asked for again and again in a hit stream: no arrays
    let shortest = Number.POSITIVE_INFINITY
    for (const [distance, count] of this.#counts)
      if (count > 1 && count >= this.#total * COMMON && distance < shortest) shortest = distance
    let multiples = 0
    for (const [distance, count] of this.#counts) if (distance % shortest === 0) multiples += count
    return multiples >= this.#total * USUAL ? shortest : 0
  }
}

/** Learns sectors from packs, and from packets of packs of several sectors. */
export class Sectors {
  readonly #packs = new SectorSize()
  readonly #packets = new SectorSize()
  /** Where the last pack begins, and where the packet in front ends or the pack begins; -1 behind a hole. */
  #pack = -1
  #step = -1

  /** Bytes of a sector; 0 where none are kept to. */
  get bytes(): number {
    return this.#packs.bytes || this.#packets.bytes
  }

  take({ code, offset, length, header }: Item): void {
    if (code === PACK) {
      if (this.#pack >= 0) this.#packs.take(offset - this.#pack)
      this.#pack = offset
      this.#step = offset
    } else if (header) {
      if (this.#step >= 0) this.#packets.take(offset + length - this.#step)
      this.#step = offset + length
    }
  }

  /** What follows does not join. */
  breakOff(): void {
    this.#step = -1
  }
}
