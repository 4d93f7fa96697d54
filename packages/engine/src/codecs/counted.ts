import type { ByteReader } from '../bytes/reader.ts'
import type { Recogniser, Unit } from './recogniser.ts'

/** Steps of `ByteReader.work` that a recogniser takes. */
interface Effort {
  /** For a place where no unit starts. */
  readonly vain: number
  /** For the header of a unit. */
  readonly found: number
  /** For each byte of a unit that was found or learned from. */
  readonly byte: number
  /** For each search, which stops at every place where a unit may start. */
  readonly search: number
  /** For each byte in which units are searched. */
  readonly searched: number
}

/*
 * Measured one recogniser at a time, over noise and over bytes full of what its units begin with, at ten nanoseconds a step.
 * Searching costs 1 to 5 ns a byte where hardly anything looks like a start, and 1 to 6 us for each place that does.
 */
const ORDINARY: Effort = { vain: 5, found: 30, byte: 1 / 64, search: 100, searched: 1 / 4 }

const EFFORTS: ReadonlyMap<string, Effort> = new Map([
  // frames carry no length and are read to their last bit to find it: 20 ns a byte, 30 where they are searched
  ['aac', { vain: 25, found: 30, byte: 2, search: 30, searched: 3 }],
  // one byte in ten may begin a frame: 70 ns for a frame, 100 for each byte that is searched
  ['amr', { vain: 6, found: 8, byte: 1 / 64, search: 30, searched: 8 }],
])

/** Steps for each byte of a unit of which all are checked. */
const CHECKED_BYTE = 1 / 4
/** Bytes of a unit that are learned from at most, where each is read: a broken index claims units of any size. */
const LONGEST_LESSON = 1 << 13

/**
 * A recogniser whose every look at bytes takes steps of what all searches of those bytes may take. Once that is spent it finds
 * nothing any more, so that whoever searches by it comes to the end, with what was found so far.
 */
export class CountedRecogniser implements Recogniser {
  readonly learn?: NonNullable<Recogniser['learn']>
  readonly intact?: NonNullable<Recogniser['intact']>
  readonly readable?: NonNullable<Recogniser['readable']>
  readonly closing?: NonNullable<Recogniser['closing']>
  readonly unitReader?: NonNullable<Recogniser['unitReader']>
  readonly kindred?: NonNullable<Recogniser['kindred']>
  readonly #own: Recogniser
  readonly #effort: Effort

  constructor(own: Recogniser) {
    this.#own = own
    this.#effort = EFFORTS.get(own.codec) ?? ORDINARY
    if (own.learn) this.learn = (reader, offset, length) => this.#learn(reader, offset, length)
    if (own.intact)
      this.intact = (reader, offset, length) =>
        reader.work.take(CHECKED_BYTE * length) && (own.intact?.(reader, offset, length) ?? true)
    if (own.readable) this.readable = own.readable.bind(own)
    if (own.closing) this.closing = own.closing.bind(own)
    if (own.unitReader) this.unitReader = own.unitReader.bind(own)
    if (own.kindred) this.kindred = own.kindred.bind(own)
  }

  get codec(): string {
    return this.#own.codec
  }

  get timescale(): number {
    return this.#own.timescale
  }

  get orderStep(): number {
    return this.#own.orderStep
  }

  get orderPeriod(): number | undefined {
    return this.#own.orderPeriod
  }

  get orderLateBy(): number | undefined {
    return this.#own.orderLateBy
  }

  get orderIsTime(): boolean | undefined {
    return this.#own.orderIsTime
  }

  get selfDelimiting(): boolean {
    return this.#own.selfDelimiting
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (reader.work.spent) return false
    const { vain, found, byte } = this.#effort
    const is = this.#own.recognise(reader, offset, end, unit)
    reader.work.take(is ? found + byte * unit.length : vain)
    return is
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    this.#own.accept(reader, offset, unit)
  }

  discontinuity(): void {
    this.#own.discontinuity()
  }

  search(reader: ByteReader, from: number, end: number): number {
    if (reader.work.spent) return end
    const { search, searched } = this.#effort
    const at = this.#own.search(reader, from, end)
    reader.work.take(search + searched * Math.max(0, at - from))
    return at
  }

  #learn(reader: ByteReader, offset: number, length: number): void {
    const { found, byte } = this.#effort
    if (reader.work.take(found + byte * Math.min(length, LONGEST_LESSON)))
      this.#own.learn?.(reader, offset, length)
  }
}
