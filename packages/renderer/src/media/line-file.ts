import { closeSync, openSync, writeSync } from 'node:fs'

const FLUSH_CHARACTERS = 1 << 16

/** A text file written line by line without holding it in memory. */
export class LineFile {
  readonly #file: number
  #pending = ''

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  line(...fields: readonly (string | number)[]): void {
    this.#pending += `${fields.join('\t')}\n`
    if (this.#pending.length >= FLUSH_CHARACTERS) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }

  #flush(): void {
    writeSync(this.#file, this.#pending)
    this.#pending = ''
  }
}
