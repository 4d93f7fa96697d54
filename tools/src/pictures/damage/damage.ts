import type { PictureBrowser } from '../browser.ts'
import { hash } from '../paint/noise.ts'
import type { Picture } from '../paint/picture.ts'
import { headerSegments, scanStart } from './jpeg-segments.ts'

/** What a damaged file of a picture looks like. Everything here is done to a file's bytes, then opened again. */
export type Damage = (picture: Picture, browser: PictureBrowser) => Promise<Picture>

const DQT = 0xdb
/** Where a decoder meets this marker it stops, and fills what is missing with grey. */
const END_OF_IMAGE = [0xff, 0xd9] as const
const THUMBNAIL_WIDTH = 112
const QUALITY = 0.86

/** Only the small picture for overviews is left, and the viewer blows it up. */
export const blurry: Damage = async (picture, browser) => {
  const small = await browser.encode(picture, 'image/jpeg', 0.8, THUMBNAIL_WIDTH)
  return browser.show(small, picture.width, picture.height)
}

/** Of each block only the mean is left, as after the first scan of a progressive file (ITU-T T.81 §G.1.1). */
export const pixelated: Damage = async (picture, browser) => {
  const block = 18
  const { width, height } = picture
  const rgba = new Uint8ClampedArray(picture.rgba.length)
  for (let top = 0; top < height; top += block) {
    for (let left = 0; left < width; left += block) {
      const right = Math.min(width, left + block)
      const bottom = Math.min(height, top + block)
      for (let c = 0; c < 4; c++) {
        let sum = 0
        for (let y = top; y < bottom; y++)
          for (let x = left; x < right; x++) sum += picture.rgba[(y * width + x) * 4 + c] ?? 0
        const mean = sum / ((right - left) * (bottom - top))
        for (let y = top; y < bottom; y++)
          for (let x = left; x < right; x++) rgba[(y * width + x) * 4 + c] = mean
      }
    }
  }
  const file = await browser.encode({ width, height, rgba }, 'image/jpeg', QUALITY)
  return browser.show(file, width, height)
}

/** Two bytes in the middle of the scan became an end marker; what follows is still there, but nobody reads it. */
export const greyedOut: Damage = async (picture, browser) => {
  const file = Uint8Array.from(await browser.encode(picture, 'image/jpeg', QUALITY))
  const start = scanStart(file)
  file.set(END_OF_IMAGE, start + Math.floor((file.length - start) * 0.5))
  return browser.show(file, picture.width, picture.height)
}

/** Bytes of the scan were overwritten: blocks slide out of place and their colours with them. */
export const corrupt: Damage = async (picture, browser) => {
  const file = Uint8Array.from(await browser.encode(picture, 'image/jpeg', QUALITY))
  const start = scanStart(file)
  for (let hit = 0; hit < 11; hit++) {
    const at = start + Math.floor((file.length - start) * (0.1 + 0.075 * hit + 0.03 * hash(hit, 1)))
    for (let i = 0; i < 9; i++) file[at + i] = Math.floor(hash(hit, i, 2) * 250)
  }
  return browser.show(file, picture.width, picture.height)
}

/** The tables that say how strong light and colour are were damaged (ITU-T T.81 §B.2.4.1). */
export const faded: Damage = async (picture, browser) => {
  const file = Uint8Array.from(await browser.encode(picture, 'image/jpeg', 0.9))
  for (const { marker, start, end } of headerSegments(file)) {
    if (marker !== DQT) continue
    for (let at = start + 4; at + 65 <= end; at += 65) {
      const chroma = ((file[at] ?? 0) & 15) > 0
      for (let i = 1; i <= 64; i++)
        file[at + i] = Math.max(1, Math.round((file[at + i] ?? 1) * (chroma ? 0.22 : i === 1 ? 0.62 : 0.7)))
    }
  }
  return browser.show(file, picture.width, picture.height)
}
