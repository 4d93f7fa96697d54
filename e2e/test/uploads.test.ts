import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { Visitor } from '../src/visitor.ts'
import { choose, dialog, toast } from './doing.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'
import { SmallFilms } from './small-films.ts'

const PARTS_OF_THE_LARGE_FILM = 7

let stage: Stage
let films: SmallFilms

beforeAll(async () => {
  stage = await openStage()
  films = new SmallFilms(stage.house.films)
})

afterAll(() => stage?.close())

/** What a line does that lets the first few bodies pass and then holds the rest. */
class Line {
  passed = 0
  readonly #held: Route[] = []
  #allowed = 0

  /** All bodies that the page sends to the store go over the line. */
  static async of(page: Page, allowed: number): Promise<Line> {
    const line = new Line()
    line.#allowed = allowed
    await page.route('**/files/**', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      if (line.passed < line.#allowed) await line.#pass(route)
      else line.#held.push(route)
    })
    return line
  }

  get holds(): number {
    return this.#held.length
  }

  /** The connection breaks: everything that is held is lost. */
  async break(): Promise<void> {
    await Promise.all(this.#held.splice(0).map((route) => route.abort('internetdisconnected')))
  }

  /** Everything passes from now on. */
  async open(): Promise<void> {
    this.#allowed = Number.POSITIVE_INFINITY
    await Promise.all(this.#held.splice(0).map((route) => this.#pass(route)))
  }

  async #pass(route: Route): Promise<void> {
    this.passed++
    await route.continue()
  }
}

test('an upload that breaks says why, and is tried again without choosing the file again', async () => {
  const visitor = await Visitor.signUp(stage.address, 'tunnel')
  const { page, context, errors } = await stage.visit('/', { as: visitor, expected: [/\/files\//] })
  const line = await Line.of(page, 0)
  const panel = page.getByRole('region', { name: 'Upload' })
  const holding = () => expect.poll(() => line.holds, { timeout: 30_000 }).toBe(1)

  await choose(page, 'Upload Video', films.damaged)
  await holding()
  // The first thing the page has to say is said without a connection.
  await context.setOffline(true)
  await line.break()
  await page.getByRole('heading', { name: 'The upload has stopped' }).waitFor()
  await panel.getByText('No internet connection. Please reconnect and try again.').waitFor()
  await toast(page, 'No internet connection. Please reconnect and try again.')

  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await holding()
  await line.break()
  await panel.getByText('Upload failed!').waitFor()
  await expectGoodPage(page, 'upload-failed')

  await line.open()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a large film goes in parts: through a lost connection and a new visit; Free users get its preview and an offer', async () => {
  const visitor = await Visitor.signUp(stage.address, 'large')
  const { page, context, errors } = await stage.visit('/', { as: visitor, expected: [/\/files\//] })
  page.on('dialog', (question) => question.accept())
  const first = await Line.of(page, 2)
  await choose(page, 'Upload Video', films.large)
  await expect.poll(() => [first.passed, first.holds], { timeout: 120_000 }).toEqual([2, 3])
  await context.setOffline(true)
  await first.break()
  await page.getByRole('heading', { name: 'Waiting for your connection' }).waitFor()
  await page
    .getByText('No connection to our service. The upload goes on by itself when it is back.')
    .waitFor()
  await expectGoodPage(page, 'upload-waiting')
  await context.setOffline(false)
  await expect.poll(() => first.holds, { timeout: 120_000 }).toBe(3)

  // The page is loaded anew in the middle; the same file goes on where it stopped.
  await page.unrouteAll()
  await page.reload()
  const second = await Line.of(page, 1)
  await choose(page, 'Upload Video', films.large)
  await page.getByText(/continued where it stopped/).waitFor()
  await expectGoodPage(page, 'upload-continued')
  await second.open()
  await page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  expect(second.passed).toBe(PARTS_OF_THE_LARGE_FILM - first.passed)

  await choose(page, 'Add Sample Video', films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page.getByRole('heading', { name: 'Preview your Repaired Video' }).waitFor()
  await page
    .getByText('Your video size is more than 100MB. Free version has exceeded the size limit.')
    .waitFor()
  expect(await page.getByRole('link', { name: 'Download now' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Upgrade Plan' }).click()
  await dialog(page).getByRole('heading', { name: 'Upgrade Plan' }).waitFor()
  await dialog(page)
    .getByText('Your video size is more than 100MB. Free version has exceeded the size limit.')
    .waitFor()
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).waitFor()
  await expectGoodDialog(page, 'pricing-exceeded')
  const [preview] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('link', { name: 'Download Preview' }).click(),
  ])
  expect(preview.suggestedFilename()).toMatch(/\.mp4$/)

  // The dashboard offers the same by itself, with the same link.
  await page.goto(`${stage.address}/admin/dashboard`)
  await dialog(page)
    .getByText('Your video size is more than 100MB. Free version has exceeded the size limit.')
    .waitFor()
  const again = dialog(page).getByRole('link', { name: 'Download Preview' })
  expect(await again.getAttribute('href')).toContain('/files/previews/')
  expect(errors.list).toEqual([])
  await context.close()
})

test('what stops the account from being read before an upload is said in its own words', async () => {
  const visitor = await Visitor.signUp(stage.address, 'offline')
  const { page, context } = await stage.visit('/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.route('**/api/user?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, message: '', code: 'server.error' } }),
  )
  await choose(page, 'Upload Video', films.damaged)
  await toast(page, 'Server error (500). Please try again later.')
  await context.setOffline(true)
  await page.unroute('**/api/user?*')
  await choose(page, 'Upload Video', films.damaged)
  await toast(page, 'No internet connection. Please reconnect and try again.')
  await context.close()
})

test('a photo above 500 MB is told a photo`s limit', async () => {
  const visitor = await Visitor.signUp(stage.address, 'heavy')
  await visitor.goPremium('photo')
  const heavy = join(films.folder, 'panorama.tiff')
  writeFileSync(heavy, '')
  truncateSync(heavy, 501 * 2 ** 20)
  const { page, context, errors } = await stage.visit('/photo/app', { as: visitor })
  await page.getByText(/up to 500MB each/).waitFor()
  await choose(page, 'Upload Photo', heavy)
  await dialog(page).getByText('Your file size is above 500MB which cannot be repaired online.').waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a part of the page that does not come within two minutes is said to have failed', async () => {
  const visitor = await Visitor.signUp(stage.address, 'patient')
  const { page, context } = await stage.visit('/photo/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await page.clock.install()
  let asked = 0
  await page.route('**/assets/repair-app-*.js', () => {
    asked++
  })
  await page.goto(stage.address)
  // Everything else has come when the clock is put forward.
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(0)
  // The clock goes on by itself, too: on a busy machine seconds pass here.
  await page.clock.runFor(100_000)
  expect(await page.getByRole('heading', { name: 'Unexpected Application Error!' }).count()).toBe(0)
  await page.clock.runFor(20_000)
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor()
  await page.getByText('Loading chunk repair failed. (timeout)').waitFor()
  await expectGoodPage(page, 'chunk-failed')
  await context.close()
})

test('who waits for a place is told how many are before, and can cancel, for a video and for a photo', async () => {
  const visitor = await Visitor.signUp(stage.address, 'waiting')
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  // A queue as long as this would take many repairs: only the service's words about it are others.
  const reply = {
    status: 'Running',
    progress: 0,
    repairingStatus: 'x',
    stage: 'queued',
    fraction: 0,
    ahead: 2,
  }
  await page.route('**/api/progress/events*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: progress\ndata: ${JSON.stringify(reply)}\n\n`,
    }),
  )
  await page.route('**/api/*checkprogress*', (route) => route.fulfill({ json: reply }))
  await page.route('**/api/*repair', (route) => route.fulfill({ json: { success: true, code: 'code' } }))
  await page.route('**/api/*repairstatus', (route) => route.fulfill({ json: { success: true } }))
  await page.route('**/api/repair/cancel', (route) => route.fulfill({ json: { success: true } }))
  await choose(page, 'Upload Video', films.damaged)
  await choose(page, 'Add Sample Video', films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page.getByRole('heading', { name: 'Waiting for a free place' }).waitFor()
  await page.getByText('Two repairs are before yours.').first().waitFor()
  await expectGoodPage(page, 'waiting')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Both files are here' }).waitFor()
  await page.getByRole('button', { name: 'Start over' }).click()

  const photo = join(films.folder, 'beach.jpg')
  writeFileSync(photo, new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))
  await page.goto(`${stage.address}/photo/app`)
  await choose(page, 'Upload Photo', photo)
  await page.getByText('Two repairs are before yours.').first().waitFor()
  await expectGoodPage(page, 'waiting-photo')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Start Repair' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})
