import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PictureBrowser } from './browser.ts'
import { CATALOGUE } from './catalogue.ts'
import { develop, type Picture } from './paint/picture.ts'
import { paintShares } from './share.ts'

const USAGE = `Paints the pictures of the photo page, damages copies of them, and writes both as WebP.

  node tools/src/pictures/main.ts [name…] [--width 1080] [--samples 48] [--out folder]
  node tools/src/pictures/main.ts --share [--out folder]

Without names: all of them. A traced picture of full size takes about ten minutes.
--share writes the pictures that messengers show of the pages instead.`

const ROOT = join(import.meta.dirname, '../../..')
const SMALL_WIDTH = 540

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', default: '1080' },
    samples: { type: 'string', default: '48' },
    out: { type: 'string' },
    share: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function write(browser: PictureBrowser, folder: string, name: string, picture: Picture): Promise<void> {
  for (const [suffix, width] of [
    ['', picture.width],
    ['-small', SMALL_WIDTH],
  ] as const) {
    const file = await browser.encode(picture, 'image/webp', 0.78, width)
    writeFileSync(join(folder, `${name}${suffix}.webp`), file)
    console.log(`${name}${suffix}.webp ${file.length} bytes`)
  }
}

async function run(): Promise<void> {
  const unknown = positionals.filter((name) => !CATALOGUE.some((entry) => entry.name === name))
  if (values.help || unknown.length > 0) {
    console.log(unknown.length > 0 ? `No picture is called ${unknown.join(', ')}.\n\n${USAGE}` : USAGE)
    process.exitCode = unknown.length > 0 ? 2 : 0
    return
  }
  const browser = await PictureBrowser.open()
  try {
    if (values.share) {
      const folder = values.out ?? join(ROOT, 'apps/web/public/share')
      mkdirSync(folder, { recursive: true })
      await paintShares(browser, folder)
      return
    }
    const folder = values.out ?? join(ROOT, 'apps/web/src/features/photo-landing/pictures')
    mkdirSync(folder, { recursive: true })
    const width = Number(values.width)
    for (const entry of CATALOGUE) {
      if (positionals.length > 0 && !positionals.includes(entry.name)) continue
      const height = Math.round(width * (entry.shape ?? 2 / 3))
      const picture = develop(entry.paint(width, height, Number(values.samples)), entry.exposure)
      await write(browser, folder, entry.name, picture)
      if (entry.damage)
        await write(browser, folder, `${entry.name}-damaged`, await entry.damage(picture, browser))
    }
  } finally {
    await browser.close()
  }
}

await run()
