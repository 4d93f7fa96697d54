import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../bin/mendframe', import.meta.url))
/** Milliseconds for a first start, which may build the web app. */
const START_TIMEOUT = 170_000
const STOP_TIMEOUT = 30_000

/** One run of the service. */
interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  readonly address: string
}

/** The whole product as `npm start` runs it, on a data folder of its own. */
export class Product {
  readonly folder = mkdtempSync(join(tmpdir(), 'mendframe-e2e-'))
  readonly #settings: Readonly<Record<string, string>>
  #output = ''
  #run: Run | undefined

  private constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings
  }

  /** Starts it on any free port; `settings` are added to the environment. The caller stops it. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
    const product = new Product(settings)
    await product.#start()
    return product
  }

  /** Where the pages are, without a slash at the end. Another after each restart. */
  get address(): string {
    if (!this.#run) throw new Error(`the product is not running:\n${this.#output}`)
    return this.#run.address
  }

  /** What it has printed so far. */
  get output(): string {
    return this.#output
  }

  /** Stops it as Ctrl-C does and starts it again on the same data. */
  async restart(): Promise<void> {
    await this.#stop()
    await this.#start()
  }

  /** Stops it as Ctrl-C does, removes its data and returns its exit code. */
  async stop(): Promise<number | null> {
    const code = await this.#stop()
    rmSync(this.folder, { recursive: true, force: true })
    return code
  }

  async #start(): Promise<void> {
    const child = spawn(COMMAND, ['serve'], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        HOST: '127.0.0.1',
        PORT: '0',
        MENDFRAME_DATA: this.folder,
        ...this.#settings,
      },
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    this.#output = ''
    const address = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new Error(`the product did not start:\n${this.#output}`))
      }, START_TIMEOUT)
      const hear = (text: string): void => {
        this.#output += text
        const ready = /ready at (http:\/\/\S+)/.exec(this.#output)
        if (!ready) return
        clearTimeout(timer)
        resolve(ready[1])
      }
      child.stdout.setEncoding('utf8').on('data', hear)
      child.stderr.setEncoding('utf8').on('data', hear)
      child.once('close', (code) => {
        clearTimeout(timer)
        reject(new Error(`the product ended (exit ${code}):\n${this.#output}`))
      })
    })
    const run = { child, ended, address }
    this.#run = run
    // A service that dies under a test says so at the next step instead of refusing connections.
    ended.then(() => {
      if (this.#run === run) this.#run = undefined
    })
  }

  async #stop(): Promise<number | null> {
    if (!this.#run) return null
    const { child, ended } = this.#run
    this.#run = undefined
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT)
    const code = await ended
    clearTimeout(timer)
    return code
  }
}
