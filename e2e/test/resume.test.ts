import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { dialog } from './doing.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'
import { SmallFilms } from './small-films.ts'

/** A repair on a busy machine. */
const REPAIR_PATIENCE_MS = 120_000

let stage: Stage
let films: SmallFilms

beforeAll(async () => {
  stage = await openStage()
  films = new SmallFilms(stage.house.films)
})

afterAll(() => stage?.close())

test('an upload is taken up again where it stopped, by its owner alone', async () => {
  const owner = await Visitor.signUp(stage.address, 'owner')
  const other = await Visitor.signUp(stage.address, 'other')
  const first = await owner.upload(films.damaged)
  const second = await owner.upload(films.torn)
  await owner.addSample(second, films.sample)
  const path = `/resume?u=${first.uniqueId}`

  // From the dashboard, in a tab of its own.
  const { page, context, errors } = await stage.visit('/admin/dashboard', { as: owner })
  await page.getByText('You uploaded a Sample video. Click on the Resume button and start repair.').waitFor()
  await expectGoodPage(page, 'dashboard-resume')
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Resume' }).first().click(),
  ])
  await tab.getByRole('button', { name: 'Start Repair' }).waitFor()
  await tab.close()
  await page.goto(stage.address + path)
  await page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  await page.goto(`${stage.address}/resume?u=${second.uniqueId}`)
  await page.getByRole('button', { name: 'Start Repair' }).waitFor()
  await page.goto(`${stage.address}/resume`)
  await page.waitForURL(`${stage.address}/`)
  expect(errors.list).toEqual([])
  await context.close()

  const strange = await stage.visit(path, { as: other })
  await strange.page.waitForURL(`${stage.address}/`)
  await strange.context.close()

  const guest = await stage.visit(path)
  await dialog(guest.page).getByRole('heading', { name: "Let's get started" }).waitFor()
  await expectGoodDialog(guest.page, 'resume-log-in')
  await guest.page.keyboard.press('Escape')
  await dialog(guest.page).waitFor({ state: 'detached' })
  await expectGoodPage(guest.page, 'resume-guest')
  await guest.page.getByRole('button', { name: 'Log in and go on' }).click()
  await guest.page.getByLabel('Email').fill(owner.email)
  await guest.page.getByLabel('Password').fill(PASSWORD)
  await guest.page.getByRole('button', { name: 'Sign in with email' }).click()
  await guest.page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  expect(new URL(guest.page.url()).pathname).toBe('/resume')
  expect(guest.errors.list).toEqual([])
  await guest.context.close()
})

test('who has closed the page finds the repair on the dashboard, and sees there that it has ended', async () => {
  const visitor = await Visitor.signUp(stage.address, 'gone')
  const upload = await visitor.upload(films.damaged)
  await visitor.addSample(upload, films.sample)
  await visitor.start(upload)
  const { page, context, errors } = await stage.visit('/admin/dashboard', { as: visitor })
  await page.getByText('The repair is running.').waitFor()
  await page.getByText(/^Repaired by you, on /).waitFor({ timeout: REPAIR_PATIENCE_MS })
  // The one free repair is used now, and Premium is offered by itself.
  await dialog(page).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.locator('article video').waitFor()
  await page.locator('article').getByRole('link', { name: 'Download' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})
