import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './browser/launch.ts'
import { ConsoleErrors } from './console-errors.ts'
import type { Visitor } from './visitor.ts'

/** Milliseconds a page may take for anything, on a machine that is busy with other things. */
const PATIENCE = 60_000

/** The dashboard asks for the links of every file, and the service refuses where there is no result (any more). */
const WITHOUT_RESULT = /repairdownload/

/** What all journeys share. */
export interface House {
  /** Where the pages are, without a slash at the end. */
  readonly address: string
  /** The folder of the mails that were sent. */
  readonly outbox: string
  /** The folder of the films. */
  readonly films: string
}

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

/** The running product and a browser to look at it with, for the journeys of one file. */
export class Stage {
  readonly house: House
  readonly browser: Browser

  private constructor(house: House, browser: Browser) {
    this.house = house
    this.browser = browser
  }

  /** Starts the browser. The caller closes the stage. */
  static async open(house: House): Promise<Stage> {
    return new Stage(house, await launchBrowser())
  }

  get address(): string {
    return this.house.address
  }

  /** A page of its own session at `path`. */
  async visit(path: string, { as, expected = [], motion = false }: PageOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({
      reducedMotion: motion ? 'no-preference' : 'reduce',
      ...(as ? { storageState: as.storageState } : {}),
    })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    // File dialogs are caught from the start: a listener that comes with the key press may come too late.
    page.on('filechooser', () => undefined)
    const errors = new ConsoleErrors(page, [...expected, WITHOUT_RESULT])
    await page.goto(this.address + path)
    return { page, context, errors }
  }

  async close(): Promise<void> {
    await this.browser.close()
  }
}
