/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import type { Picture } from './paint/picture.ts'

export type Format = 'image/jpeg' | 'image/webp'

/** Codecs of a real browser: what it makes of a damaged file is what people see. */
export class PictureBrowser {
  readonly #browser: Browser
  readonly #page: Page

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser
    this.#page = page
  }

  static async open(): Promise<PictureBrowser> {
    const browser = await launchBrowser()
    return new PictureBrowser(browser, await browser.newPage())
  }

  /** The file of a picture, scaled to `width` pixels. */
  async encode(picture: Picture, type: Format, quality: number, width = picture.width): Promise<Uint8Array> {
    const { width: from, height, rgba } = picture
    const base64 = await this.#page.evaluate(
      async ({ data, from, height, width, type, quality }) => {
        const bytes = Uint8ClampedArray.from(atob(data), (c) => c.charCodeAt(0))
        const bitmap = await createImageBitmap(new ImageData(bytes, from, height))
        const canvas = new OffscreenCanvas(width, Math.round((height * width) / from))
        const context = canvas.getContext('2d')
        if (!context) throw new Error('no canvas')
        context.imageSmoothingQuality = 'high'
        context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
        const blob = await canvas.convertToBlob({ type, quality })
        const file = new Uint8Array(await blob.arrayBuffer())
        let text = ''
        for (let i = 0; i < file.length; i += 8192) text += String.fromCharCode(...file.subarray(i, i + 8192))
        return btoa(text)
      },
      { data: Buffer.from(rgba.buffer).toString('base64'), from, height, width, type, quality },
    )
    return Buffer.from(base64, 'base64')
  }

  /** The pixels that the browser shows of a file, however damaged, in a picture of the given size. */
  async show(file: Uint8Array, width: number, height: number, smooth = true): Promise<Picture> {
    const base64 = await this.#page.evaluate(
      async ({ data, width, height, smooth }) => {
        const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0))
        const image = new Image()
        image.src = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }))
        await new Promise<void>((resolve, reject) => {
          image.onload = () => resolve()
          image.onerror = () => reject(new Error('the browser shows nothing of this file'))
        })
        const canvas = new OffscreenCanvas(width, height)
        const context = canvas.getContext('2d')
        if (!context) throw new Error('no canvas')
        context.imageSmoothingEnabled = smooth
        context.imageSmoothingQuality = 'high'
        context.drawImage(image, 0, 0, width, height)
        const { data: pixels } = context.getImageData(0, 0, width, height)
        let text = ''
        for (let i = 0; i < pixels.length; i += 8192)
          text += String.fromCharCode(...pixels.subarray(i, i + 8192))
        return btoa(text)
      },
      { data: Buffer.from(file).toString('base64'), width, height, smooth },
    )
    const bytes = Buffer.from(base64, 'base64')
    const rgba = new Uint8ClampedArray(bytes.length)
    rgba.set(bytes)
    return { width, height, rgba }
  }

  /** A picture of a page of HTML. */
  async photograph(html: string, width: number, height: number, quality: number): Promise<Uint8Array> {
    await this.#page.setViewportSize({ width, height })
    await this.#page.setContent(html, { waitUntil: 'load' })
    await this.#page.evaluate(async () => {
      await document.fonts.ready
    })
    return this.#page.screenshot({ type: 'jpeg', quality })
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }
}
