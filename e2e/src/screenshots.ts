import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Screenshots are kept where somebody wants to look at them: no test does, and they take a third of its time. */
const WANTED = process.env.MENDFRAME_SCREENSHOTS === '1'
const ARTEFACTS = fileURLToPath(new URL('../artefacts/', import.meta.url))
/** A phone, a tablet, a desk. */
export const WIDTHS = [360, 768, 1280] as const
export const SCHEMES = ['light', 'dark'] as const

/** A view of the page as one visitor sees it. */
export interface View {
  readonly width: (typeof WIDTHS)[number]
  readonly scheme: (typeof SCHEMES)[number]
}

/**
 * Every width by day, then by night the widest and the narrowest: what a tablet shows, one of the others shows, too. Side by
 * side, so that few things change from one to the next.
 */
const VIEWS: readonly View[] = [
  ...WIDTHS.map((width) => ({ width, scheme: 'light' }) as const),
  { width: 1280, scheme: 'dark' },
  { width: 360, scheme: 'dark' },
]

const HEIGHTS = { 360: 800, 768: 1024, 1280: 800 } as const

/** Shows the page in every view in turn, then puts it back as it was. */
export async function inEveryView(page: Page, look: (view: View) => Promise<void>): Promise<void> {
  const size = page.viewportSize()
  for (const { width, scheme } of VIEWS) {
    await page.setViewportSize({ width, height: HEIGHTS[width] })
    await page.emulateMedia({ colorScheme: scheme })
    await settled(page)
    await look({ width, scheme })
  }
  await page.emulateMedia({ colorScheme: null })
  if (size) await page.setViewportSize(size)
}

/** Takes everything that moves to where it goes: colours on their way fail every contrast check. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const arrives = ({ timeline, playState, effect }: Animation) =>
      timeline === document.timeline &&
      playState === 'running' &&
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    const moving = () => document.getAnimations().filter(arrives)
    // One that ends may set off the next.
    for (let now = moving(); now.length > 0; now = moving()) {
      for (const animation of now) animation.finish()
      await new Promise(requestAnimationFrame)
    }
  })
}

/**
 * Saves the whole page, or just what the window shows of it, as `artefacts/<name>-<width>-<scheme>.jpg`, where they are wanted.
 */
export async function screenshot(
  page: Page,
  name: string,
  { width, scheme }: View,
  whole = true,
): Promise<void> {
  if (!WANTED) return
  mkdirSync(ARTEFACTS, { recursive: true })
  const path = join(ARTEFACTS, `${name}-${width}-${scheme}.jpg`)
  // Half the time of a PNG, which hundreds of them are worth.
  await page.screenshot({ path, type: 'jpeg', quality: 85, fullPage: whole })
}

/** True when the page is wider than the window, which on a phone makes everything wobble. */
export function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}
