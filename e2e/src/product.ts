import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../bin/mendframe', import.meta.url))
/** Milliseconds for a first start, which may build the web app. */
const START_TIMEOUT = 170_000
const STOP_TIMEOUT = 30_000

/** The whole product as `npm start` runs it, on a data folder of its own. */
export class Product {
  readonly folder: string
  /** Where the pages are, without a slash at the end. */
  readonly address: string
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>
  readonly #output: { text: string }

  private constructor(
    folder: string,
    address: string,
    child: ChildProcess,
    ended: Promise<number | null>,
    output: { text: string },
  ) {
    this.folder = folder
    this.address = address
    this.#child = child
    this.#ended = ended
    this.#output = output
  }

  /** Starts it on any free port; `settings` are added to the environment. The caller stops it. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
    const folder = mkdtempSync(join(tmpdir(), 'mendframe-e2e-'))
    const child = spawn(COMMAND, ['serve'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        HOST: '127.0.0.1',
        PORT: '0',
        MENDFRAME_DATA: folder,
        ...settings,
      },
    })
    const output = { text: '' }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const address = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the product did not start:\n${output.text}`)),
        START_TIMEOUT,
      )
      const hear = (text: string): void => {
        output.text += text
        const ready = /ready at (http:\/\/\S+)/.exec(output.text)
        if (!ready) return
        clearTimeout(timer)
        resolve(ready[1])
      }
      child.stdout.setEncoding('utf8').on('data', hear)
      child.stderr.setEncoding('utf8').on('data', hear)
      child.once('close', (code) => reject(new Error(`the product ended (exit ${code}):\n${output.text}`)))
    })
    const health = await fetch(`${address}/healthz`)
    if (!health.ok) throw new Error(`/healthz answers ${health.status}`)
    return new Product(folder, address, child, ended, output)
  }

  /** What it has printed so far. */
  get output(): string {
    return this.#output.text
  }

  /** Stops it as Ctrl-C does, removes its data and returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGINT')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT)
    const code = await this.#ended
    clearTimeout(timer)
    rmSync(this.folder, { recursive: true, force: true })
    return code
  }
}
