import { type Browser, chromium } from 'playwright-core'
import { installBrowser } from './install.ts'

/**
 * Needed to run as root and in containers; the pages are our own. Without a graphics card the browser paints by itself
 * ten times faster than through an emulated one.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-setuid-sandbox',
  '--no-zygote',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--autoplay-policy=no-user-gesture-required',
  '--font-render-hinting=none',
]

/** Starts the real headless browser from its npm package. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executable, environment } = await installBrowser()
  return chromium.launch({
    executablePath: executable,
    headless: true,
    args: FLAGS,
    env: { ...environment },
    chromiumSandbox: false,
  })
}
