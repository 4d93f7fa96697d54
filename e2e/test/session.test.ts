import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { choose, dialog, takeFromMenu } from './doing.ts'
import { openStage } from './shared-house.ts'
import { SmallFilms } from './small-films.ts'

let stage: Stage
let films: SmallFilms

beforeAll(async () => {
  stage = await openStage()
  films = new SmallFilms(stage.house.films)
})

afterAll(() => stage?.close())

/** Complaints of a browser about answers that refuse a call. */
const REFUSED = [/401/]

test('signing out of the photo flavour signs out of the video flavour too', async () => {
  const visitor = await Visitor.signUp(stage.address, 'both')
  const { page, context, errors } = await stage.visit('/photo/app', { as: visitor })
  await takeFromMenu(page, 'Sign Out')
  await page.waitForURL('**/photo/')
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('user')
  await page.goto(stage.address)
  await page.getByRole('button', { name: 'Upload Video' }).first().click()
  await dialog(page).getByRole('heading', { name: "Let's get started" }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a session that the service has ended is asked for again, on the repair page with its work and on the dashboard', async () => {
  const visitor = await Visitor.signUp(stage.address, 'ended')
  const { page, context } = await stage.visit('/', { as: visitor, expected: REFUSED })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  // the page shows a known account at once, and asks the service for it beside that
  await page.waitForLoadState('networkidle')
  await visitor.signOutEverywhere()
  await choose(page, 'Upload Video', films.damaged)
  await dialog(page).getByRole('heading', { name: "Let's get started" }).waitFor()
  await dialog(page).getByText('Your session has ended. Please log in again.').waitFor()
  expect(await page.locator('.Toastify__toast').count()).toBe(0)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await context.close()

  const again = await Visitor.signUp(stage.address, 'amid')
  const amid = await stage.visit('/', { as: again, expected: REFUSED })
  await choose(amid.page, 'Upload Video', films.damaged)
  await amid.page.getByRole('button', { name: 'Add Sample Video' }).waitFor()
  await again.signOutEverywhere()
  await choose(amid.page, 'Add Sample Video', films.sample)
  await dialog(amid.page).getByLabel('Email').fill(again.email)
  await dialog(amid.page).getByLabel('Password').fill(PASSWORD)
  await amid.page.keyboard.press('Enter')
  await amid.page.waitForURL('**/resume?u=*')
  await amid.page.getByRole('button', { name: 'Add Sample Video' }).waitFor()
  await amid.context.close()

  const other = await stage.visit('/admin/dashboard', { as: visitor, expected: REFUSED })
  await dialog(other.page).getByLabel('Email').fill(visitor.email)
  await dialog(other.page).getByLabel('Password').fill(PASSWORD)
  await other.page.keyboard.press('Enter')
  await other.page.waitForURL('**/admin/dashboard')
  await other.page.getByRole('heading', { level: 1, name: 'My Plan' }).waitFor()
  await other.context.close()
})
