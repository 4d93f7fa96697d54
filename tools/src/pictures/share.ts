import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureBrowser } from './browser.ts'
export async function paintShares(browser: PictureBrowser, folder: string): Promise<void> {
  writeFileSync(join(folder, 'video.jpg'), await browser.photograph('<p>', 1200, 630, 85))
}
