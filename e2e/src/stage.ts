import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './browser/launch.ts'
import { ConsoleErrors } from './console-errors.ts'
import { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

/** Milliseconds a page may take for anything, on a machine that is busy with other things. */
const PATIENCE = 60_000
/** Nobody here is a burglar. */
const UNHURRIED = { RATE_SIGNUPS: '1000', RATE_LOGINS: '1000', RATE_MAILS: '1000', RATE_CALLS: '100000' }

/** What a page of the stage is opened for. */
export interface PageOptions {
  /** Who is signed in; a guest otherwise. */
  readonly as?: Visitor
  /** Complaints that belong to the test. */
  readonly expected?: readonly RegExp[]
  /** Moves are shown as to people who have not asked for less. */
  readonly motion?: boolean
}

/** A page and what it complained about. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly errors: ConsoleErrors
}

/** The started product and a browser to look at it with, for the journeys of one file. */
export class Stage {
  readonly product: Product
  readonly browser: Browser

  private constructor(product: Product, browser: Browser) {
    this.product = product
    this.browser = browser
  }

  /** Starts both. The product knows its own address, so its mails and sign-ins lead back. The caller closes the stage. */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const port = await freePort()
    const [product, browser] = await Promise.all([
      Product.start({
        ...UNHURRIED,
        LOG_LEVEL: 'warn',
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ...settings,
      }),
      launchBrowser(),
    ])
    return new Stage(product, browser)
  }

  get address(): string {
    return this.product.address
  }

  /** A page of its own session at `path`. */
  async visit(path: string, { as, expected = [], motion = false }: PageOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({
      reducedMotion: motion ? 'no-preference' : 'reduce',
      ...(as ? { storageState: as.storageState } : {}),
    })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const errors = new ConsoleErrors(page, expected)
    await page.goto(this.address + path)
    return { page, context, errors }
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.product.stop()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  server.close()
  await once(server, 'close')
  return address.port
}
