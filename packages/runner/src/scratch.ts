import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { environmentError } from './errors.ts'
import { passingName } from './passing-name.ts'
import { printable } from './printable.ts'

/** A file beside the output that takes what is to be decoded while the engine works, and goes with it. */
export class Scratch {
  readonly path: string
  readonly descriptor: number
  readonly #onExit = (): void => this.discard()

  /** @throws EnvironmentError when nothing can be written there. */
  constructor(output: string) {
    this.path = join(dirname(output), `.${passingName()}.scratch`)
    try {
      this.descriptor = openSync(this.path, 'wx+')
    } catch (error) {
      throw environmentError(`cannot write beside ${printable(output)}`, error)
    }
    process.on('exit', this.#onExit)
  }

  discard(): void {
    process.off('exit', this.#onExit)
    closeSync(this.descriptor)
    rmSync(this.path, { force: true })
  }
}
