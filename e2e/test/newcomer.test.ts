import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../src/browser/launch.ts'
import { ConsoleErrors } from '../src/console-errors.ts'
import { Product } from '../src/product.ts'
import { choose, dialog, toast } from './doing.ts'
import { loseIndex, pictures, record } from './films.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'

const COMMAND = fileURLToPath(new URL('../../bin/mendframe', import.meta.url))
const SECONDS = 15
const folder = mkdtempSync(join(tmpdir(), 'mendframe-films-'))
const original = join(folder, 'original.mp4')
const damaged = join(folder, 'harbour "at dawn".mp4')
const sample = join(folder, 'sample.mp4')

let product: Product
let browser: Browser

beforeAll(async () => {
  // Without a single setting, as a newcomer starts it.
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

test('a stranger signs up, uploads a damaged film and a sample, and takes the repaired film home', async () => {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(60_000)
  const errors = new ConsoleErrors(page, [/signin\/start/])

  await page.goto(product.address)
  await page.getByRole('heading', { name: 'Free Online Video Repair' }).waitFor()
  await expectGoodPage(page, 'start')

  // A guest is asked to sign in first; without a provider of that name its button says so.
  await page.getByRole('button', { name: 'Upload Video' }).first().click()
  await page.getByRole('heading', { name: "Let's get started" }).waitFor()
  await dialog(page).getByRole('button', { name: 'Continue with Google' }).click()
  await toast(page, 'This way of signing in is not set up here.')
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByRole('heading', { name: 'Create an Account' }).waitFor()
  await expectGoodDialog(page, 'sign-up')
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
})

test('the service refuses a twin, obeys its operator, stops cleanly and finds everything again', async () => {
  expect(product.output).toContain(`Data folder: ${product.folder}`)
  expect((await fetch(`${product.address}/readyz`)).status).toBe(200)
  const page = await fetch(product.address)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])

  const environment = { PATH: process.env.PATH ?? '', MENDFRAME_DATA: product.folder, PORT: '0' }
  const run = (...args: string[]) =>
    spawnSync(COMMAND, args, { cwd: product.folder, env: environment, encoding: 'utf8' })
  const twin = run('serve')
  expect(twin.status).toBe(1)
  expect(twin.stderr).toMatch(/^mendframe: Another Mendframe is running on the data folder [^\n]+\n$/)

  const signUp = await fetch(`${product.address}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'grace@example.org', password: 'a good long passphrase' }),
  })
  expect(signUp.status).toBe(200)
  expect(run('admin', 'users', 'list').stdout).toContain('grace@example.org')
  expect(run('admin', 'plans', 'grant', 'grace@example.org', 'video-10-monthly').status).toBe(0)

  await product.restart()
  expect((await fetch(`${product.address}/healthz`)).status).toBe(200)
  expect(run('admin', 'plans', 'list').stdout).toMatch(/grace@example\.org +video-10-monthly/)
  expect(await product.stop()).toBe(0)
})
