import type { SeekableSink } from '../../src/bytes/sink.ts'
import type { ByteSource } from '../../src/bytes/source.ts'

type Note =
  | { readonly at: number; readonly bytes: Uint8Array }
  | { readonly at: number; readonly offset: number; readonly length: number }

/**
 * A sink that copies from one source by reference: what is to be copied is only noted, and read when everything is over. With a
 * `lead` it copies ahead as well, until it is asked to hold.
 */
export class NotingSink implements SeekableSink {
  position = 0
  readonly pending: number = 0
  readonly zeros = undefined
  readonly #source: ByteSource
  readonly #notes: Note[] = []
  #lead: number | undefined
  #busy = false

  constructor(source: ByteSource, lead?: number) {
    this.#source = source
    this.#lead = lead
    if (lead !== undefined) this.#notes.push({ at: lead, offset: 0, length: source.size })
  }

  get lead(): number | undefined {
    return this.#lead
  }

  async hold(): Promise<void> {
    await this.#later(() => {
      this.#lead = undefined
    })
  }

  /** What takes its time: nothing may be asked for before it is done. */
  async #later(done: () => void): Promise<void> {
    this.#busy = true
    await Promise.resolve()
    this.#busy = false
    done()
  }

  write(bytes: Uint8Array): void {
    if (this.#busy) throw new Error('written before the sink was where it was sent to')
    if (this.#lead !== undefined) throw new Error('written before copying ahead was ended')
    this.#notes.push({ at: this.position, bytes: Uint8Array.from(bytes) })
    this.position += bytes.length
  }

  copy(source: ByteSource, offset: number, length: number): boolean {
    if (this.#busy) throw new Error('copied before the sink was where it was sent to')
    if (source !== this.#source) return false
    if (length > 0) this.#notes.push({ at: this.position, offset, length })
    this.position += Math.max(0, length)
    return true
  }

  async settled(): Promise<void> {}

  async seek(position: number): Promise<void> {
    await this.#later(() => {
      this.position = position
    })
  }

  /** The file that the notes make: later ones over earlier ones, cut off where the last one ends. */
  bytes(): Uint8Array {
    const whole = new Uint8Array(Math.max(0, ...this.#notes.map((note) => note.at + lengthOf(note))))
    for (const note of this.#notes) {
      if ('bytes' in note) whole.set(note.bytes, note.at)
      else {
        const part = new Uint8Array(note.length)
        this.#source.read(note.offset, part)
        whole.set(part, note.at)
      }
    }
    return whole.subarray(0, this.position)
  }
}

function lengthOf(note: Note): number {
  return 'bytes' in note ? note.bytes.length : note.length
}
