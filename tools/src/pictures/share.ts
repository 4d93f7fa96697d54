import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureBrowser } from './browser.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PICTURES = join(ROOT, 'apps/web/src/features/photo-landing/pictures')
const FONT = join(
  ROOT,
  'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2',
)
/** What messengers expect of a shared page's picture. */
const WIDTH = 1200
const HEIGHT = 630

const SEAMS = [
  'M-8 300 190 318 372 250 520 366 692 322 808 356',
  'M372 250 332 118 410-8',
  'M520 366 462 508 522 648',
  'M190 318 138 480 168 648',
]

function dataUrl(path: string, type: string): string {
  return `data:${type};base64,${readFileSync(path).toString('base64')}`
}

/** The gold joints of a picture of 800 by 640, over the whole of their box. */
function seams(): string {
  const paths = (colour: string, width: number) =>
    SEAMS.map((d) => `<path d="${d}" stroke="${colour}" stroke-width="${width}"/>`).join('')
  return `<svg viewBox="0 0 800 640" preserveAspectRatio="none" fill="none" stroke-linejoin="bevel">${paths('#a97518', 9)}${paths('#f3cf74', 4)}</svg>`
}

function page(title: string, frame: 'film' | 'print', picture: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    @font-face { font-family: Display; src: url(${dataUrl(FONT, 'font/woff2')}) format('woff2'); font-weight: 200 800 }
    * { box-sizing: border-box; margin: 0 }
    body { width: ${WIDTH}px; height: ${HEIGHT}px; overflow: hidden; background: oklch(0.976 0.006 92); color: oklch(0.235 0.04 262);
      font-family: Display; position: relative }
    h1 { position: absolute; left: 72px; top: 176px; width: 420px; font-size: 84px; line-height: 1; font-weight: 640; letter-spacing: -0.03em }
    p { position: absolute; left: 72px; bottom: 72px; font-size: 36px; font-weight: 640; letter-spacing: -0.03em }
    figure { position: absolute; right: -60px; top: 62px; width: 690px; height: 506px; rotate: -3deg; overflow: hidden }
    figure svg { position: absolute; inset: 0; width: 100%; height: 100% }
    img { display: block; width: 100%; height: 100%; object-fit: cover }
    .print { background: #fdfcf8; padding: 26px; border: 1px solid oklch(0.885 0.01 255) }
    .film { background: oklch(0.145 0.022 262); padding: 52px 14px }
    .film::before, .film::after { content: ''; position: absolute; left: 0; right: 0; height: 26px;
      background: repeating-linear-gradient(90deg, transparent 0 14px, oklch(0.976 0.006 92) 14px 42px, transparent 42px 56px) }
    .film::before { top: 13px } .film::after { bottom: 13px }
  </style>
  <h1>${title}</h1><p>Mendframe</p>
  <figure class="${frame}"><img src="${dataUrl(join(PICTURES, picture), 'image/webp')}">${seams()}</figure>`
}

/** Writes the pictures that messengers and social pages show of the two landing pages. */
export async function paintShares(browser: PictureBrowser, folder: string): Promise<void> {
  const shares = [
    ['video.jpg', page('Free Online Video Repair', 'film', 'balloons.webp')],
    ['photo.jpg', page('Free Online Photo Repair', 'print', 'dawn.webp')],
  ] as const
  for (const [name, html] of shares) {
    const file = await browser.photograph(html, WIDTH, HEIGHT, 84)
    writeFileSync(join(folder, name), file)
    console.log(`${name} ${file.length} bytes`)
  }
}
