import type { Reading } from './scan-reading.ts'

const BYTE = 8
/** Bytes of a head as cameras write it, with a thumbnail. */
const HEAD = 12_288
/** How much denser than what was read a front may be coded: its own rows are not known. */
const DENSER = 1.25

/** Part by which rows of a picture differ in bytes, and what each rarer number of rows counts beside how far it is off. */
const [UNEVEN, RARER] = [0.3, 0.08]

/** The bytes that are gone in front of data, and how many MCUs may have stood there. */
export class FrontBytes {
  readonly #count: number
  readonly #perMcu: number
  readonly #lost: number

  /** `lost`: bytes in front of the data that was read that hold nothing any more. */
  constructor({ count, bits, from }: Reading, lost: number) {
    this.#count = count
    this.#perMcu = (bits - from) / BYTE / Math.max(1, count)
    this.#lost = lost
  }

  /** Whether what a picture of so many MCUs has more than were read found room in front. */
  hold(mcuCount: number): boolean {
    return mcuCount >= this.#count && this.#bytesOf(mcuCount) <= DENSER * this.#lost
  }

  /**
   * Of several numbers of rows, likeliest first, the one that leaves about as many bytes as a head has; undefined where none
   * finds room.
   */
  rowsOf(wide: number, rows: readonly number[]): number | undefined {
    const off = (high: number): number => {
      const bytes = this.#bytesOf(high * wide)
      return Math.abs(this.#lost - bytes - HEAD) / (UNEVEN * bytes + HEAD) + RARER * rows.indexOf(high)
    }
    const able = rows.filter((high) => this.hold(high * wide))
    return able.length === 0 ? undefined : able.reduce((a, b) => (off(b) < off(a) ? b : a))
  }

  #bytesOf(mcuCount: number): number {
    return (mcuCount - this.#count) * this.#perMcu
  }
}
