/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import type { Visit } from './budgets.ts'

/** A line and a processor as visitors have them; `slow` is what page audits call slow 4G on a phone of the middle class. */
export interface Profile {
  readonly name: string
  /** Bits a second. */
  readonly down: number
  readonly up: number
  /** Milliseconds added to every request. */
  readonly latency: number
  /** How many times slower the processor is made. */
  readonly slowdown: number
}

export const PROFILES: Readonly<Record<string, Profile>> = {
  phone: { name: 'phone, 4G', down: 9_000_000, up: 1_500_000, latency: 85, slowdown: 4 },
  slow: { name: 'phone, slow 4G', down: 1_600_000, up: 750_000, latency: 150, slowdown: 4 },
}

const WINDOW = { width: 412, height: 823 } as const
/** The page has come to rest when the line was silent for so long. */
const QUIET_MS = 1500
const SCROLL_STEP = 600

interface Recorded {
  readonly largestPaint: number
  readonly largestElement: string
  readonly layoutShift: number
  readonly longestTask: number
}

declare global {
  interface Window {
    mendframeBench: { -readonly [K in keyof Recorded]: Recorded[K] }
  }
}

/** Runs in the page before its own scripts. */
function record(): void {
  window.mendframeBench = { largestPaint: Number.NaN, largestElement: '', layoutShift: 0, longestTask: 0 }
  const notes = window.mendframeBench
  const watch = (type: string, see: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => {
    notes.largestPaint = entry.startTime
    const element = 'element' in entry && entry.element instanceof Element ? entry.element : undefined
    notes.largestElement = element
      ? `${element.tagName.toLowerCase()} ${(element.textContent ?? '').slice(0, 30)}`
      : '?'
  })
  watch('layout-shift', (entry) => {
    if (
      'value' in entry &&
      typeof entry.value === 'number' &&
      !('hadRecentInput' in entry && entry.hadRecentInput)
    )
      notes.layoutShift += entry.value
  })
  watch('longtask', (entry) => {
    notes.longestTask = Math.max(notes.longestTask, entry.duration)
  })
}

/** Opens a page with an empty cache on a throttled line, waits until it rests, then scrolls to its end. */
export async function visit(browser: Browser, url: string, profile: Profile): Promise<Visit> {
  const context = await browser.newContext({
    viewport: WINDOW,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    await page.addInitScript(record)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      downloadThroughput: profile.down / 8,
      uploadThroughput: profile.up / 8,
      latency: profile.latency,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: profile.slowdown })
    let scriptBytes = 0
    let totalBytes = 0
    let last = Date.now()
    session.on('Network.responseReceived', ({ type, response }) => {
      // What is inlined (data:) has travelled with the file it stands in.
      if (!response.url.startsWith('http')) return
      const length = Number(response.headers['Content-Length'])
      if (type === 'Script') scriptBytes += length
      totalBytes += length
    })
    session.on('Network.loadingFinished', () => {
      last = Date.now()
    })
    await page.goto(url, { waitUntil: 'load' })
    while (Date.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 5)
    const before = await page.evaluate(() => ({ ...window.mendframeBench }))
    const beforeTouch = { scriptBytes, totalBytes }
    // The first sign of life lets the deferred parts in; what is below the fold may not move then.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let y = 0; y < height; y += SCROLL_STEP) {
      await page.mouse.wheel(0, SCROLL_STEP)
      await page.waitForTimeout(120)
    }
    while (Date.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 5)
    const { layoutShift } = await page.evaluate(() => ({ ...window.mendframeBench }))
    return { ...before, ...beforeTouch, layoutShift }
  } finally {
    await context.close()
  }
}
