import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityFaults } from '../src/accessibility.ts'
import { inEveryView, overflows, screenshot } from '../src/screenshots.ts'

/**
 * Looks at the page as people with a phone, a tablet and a desk see it, by day and by night: it keeps nobody out and is
 * not wider than its window. With MENDFRAME_SCREENSHOTS=1 a screenshot of each view is kept.
 */
export function expectGoodPage(page: Page, name: string): Promise<void> {
  return expectGood(page, name, undefined)
}

/** The same for the dialog that is open; the page behind it has its own turn. */
export function expectGoodDialog(page: Page, name: string): Promise<void> {
  return expectGood(page, name, '[role=dialog]')
}

/** The same for the menu that is open. */
export function expectGoodMenu(page: Page, name: string): Promise<void> {
  return expectGood(page, name, 'header')
}

async function expectGood(page: Page, name: string, part: string | undefined): Promise<void> {
  const faults: string[] = []
  // What comes last on a page of the site comes a moment later.
  if (part === undefined && (await page.locator('#main').count()) > 0) await page.locator('footer').waitFor()
  await inEveryView(page, async (view) => {
    await screenshot(page, name, view, part === undefined)
    // The scheme is known to the style sheets alone: by night the same page has other colours and nothing else.
    const found = await accessibilityFaults(page, view.scheme === 'light' ? 'every' : 'colour', part)
    if (await overflows(page)) found.push('the page is wider than its window')
    faults.push(...found.map((fault) => `${name} ${view.width} ${view.scheme}: ${fault}`))
  })
  expect(faults).toEqual([])
}
