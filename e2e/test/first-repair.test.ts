import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFaults } from '../src/accessibility.ts'
import { launchBrowser } from '../src/browser/launch.ts'
import { ConsoleErrors } from '../src/console-errors.ts'
import { Product } from '../src/product.ts'
import { inEveryView, overflows, screenshot } from '../src/screenshots.ts'
import { loseIndex, pictures, record } from './films.ts'

const SECONDS = 15
const folder = mkdtempSync(join(tmpdir(), 'mendframe-films-'))
const original = join(folder, 'original.mp4')
const damaged = join(folder, 'harbour "at dawn".mp4')
const sample = join(folder, 'sample.mp4')

let product: Product
let browser: Browser

beforeAll(async () => {
  ;[product, browser] = await Promise.all([
    Product.start(),
    launchBrowser(),
    record(original, 1, SECONDS),
    record(sample, 2, 3),
  ])
  loseIndex(original, damaged)
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Chooses a file as a visitor does: by the button and the system's dialog. */
async function choose(page: Page, button: string, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).first().click(),
  ])
  await chooser.setFiles(path)
}

/** Looks at the page as people with a phone, a tablet and a desk see it, by day and by night. */
async function expectGoodPage(page: Page, name: string): Promise<void> {
  await inEveryView(page, async (view) => {
    const place = `${name} ${view.width} ${view.scheme}`
    await screenshot(page, name, view)
    expect(await overflows(page), `${place} is wider than its window`).toBe(false)
    if (view.width !== 768) expect(await accessibilityFaults(page), place).toEqual([])
  })
}

test('a stranger signs up, uploads a damaged film and a sample, and takes the repaired film home', async () => {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(30_000)
  const errors = new ConsoleErrors(page)

  await page.goto(product.address)
  await page.getByRole('heading', { name: 'Free Online Video Repair' }).waitFor()
  await expectGoodPage(page, 'start')

  // A guest is asked to sign in first.
  await page.getByRole('button', { name: 'Upload Video' }).first().click()
  await page.getByRole('heading', { name: "Let's get started" }).waitFor()
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByRole('heading', { name: 'Create an Account' }).waitFor()
  await expectGoodPage(page, 'sign-up')
  await page.getByLabel('Email').fill('ada@example.org')
  await page.getByLabel('Password').fill('a good long passphrase')
  await page.getByRole('button', { name: 'Sign up with email' }).click()
  await page.getByRole('button', { name: 'Your account, ada@example.org' }).waitFor()

  await choose(page, 'Upload Video', damaged)
  await page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  await expectGoodPage(page, 'sample-step')
  await choose(page, 'Add Sample Video', sample)
  await page.getByRole('button', { name: 'Start Repair' }).waitFor()
  await expectGoodPage(page, 'ready-to-repair')
  await page.getByRole('button', { name: 'Start Repair' }).click()

  await page.getByRole('heading', { name: 'Preview your Repaired Video' }).waitFor({ timeout: 120_000 })
  await page.getByText('File Repaired Successfully.').first().waitFor()

  // The preview is a tenth of the film, and it plays.
  const video = page.getByLabel('Preview of the repaired video')
  await video.evaluate((element) => (element instanceof HTMLVideoElement ? element.play() : undefined))
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.3)
  const shown = await video.evaluate((element) =>
    element instanceof HTMLVideoElement
      ? {
          width: element.videoWidth,
          height: element.videoHeight,
          duration: element.duration,
          error: element.error,
        }
      : undefined,
  )
  expect(shown).toMatchObject({ width: 320, height: 240, error: null })
  expect(shown?.duration).toBeGreaterThan(SECONDS * 0.08)
  expect(shown?.duration).toBeLessThan(SECONDS * 0.15)
  await expectGoodPage(page, 'result')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download now' }).click(),
  ])
  const saved = join(folder, 'downloaded.mp4')
  await download.saveAs(saved)
  expect(await pictures(saved)).toEqual(await pictures(original))

  expect(errors.list).toEqual([])
  await page.context().close()
}, 400_000)
