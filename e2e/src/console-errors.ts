import type { Page } from 'playwright-core'

/** Collects everything a page complains about: script errors, console errors, failed loads of its own parts. */
export class ConsoleErrors {
  readonly list: string[] = []

  /** Begins to listen. `expected` matches addresses whose refusals belong to the test, e.g. a wrong password's 401. */
  constructor(page: Page, expected: readonly RegExp[] = []) {
    const isExpected = (text: string): boolean => expected.some((pattern) => pattern.test(text))
    page.on('pageerror', (error) => this.list.push(`script: ${error.message}`))
    page.on('console', (message) => {
      const from = `${message.location().url} ${message.text()}`
      if (message.type() === 'error' && !isExpected(from)) this.list.push(`console: ${from}`)
    })
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // The browser gives up loads itself when a page is left or a film has buffered enough.
      if (reason !== 'net::ERR_ABORTED' && !isExpected(request.url())) {
        this.list.push(`load: ${request.url()} ${reason}`)
      }
    })
  }
}
