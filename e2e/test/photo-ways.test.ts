import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { dialog, drop } from './doing.ts'
import { openStage } from './shared-house.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage?.close())

test('a photo that a user drops on the photo page is taken along to the photo app', async () => {
  const visitor = await Visitor.signUp(stage.address, 'dropper')
  const { page, context, errors } = await stage.visit('/photo/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await drop(page, ['holiday.txt'])
  await page.waitForURL('**/photo/app')
  // The app has looked at the very file.
  await page.locator('.Toastify__toast').getByText('Unsupported file format.').waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a guest who follows the link to an upload comes to it after logging in', async () => {
  const visitor = await Visitor.signUp(stage.address, 'returning')
  const { page, context } = await stage.visit('/photo/app?u=an-upload')
  const asked = page.waitForRequest('**/api/photogetUserByUniqueId/an-upload')
  await page.waitForURL('**/photo/')
  await dialog(page).getByLabel('Email').fill(visitor.email)
  await dialog(page).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await asked
  await context.close()
})

test('signing in is a link, also into a tab of its own; a failed sign-in of the photo flavour stays in it', async () => {
  const { page, context } = await stage.visit('/photo/#sign-in')
  await dialog(page).getByRole('heading', { name: "Let's get started" }).waitFor()
  await page.goto(`${stage.address}/photocallback`)
  await page.waitForURL('**/error?reason=*&product=photo')
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.waitForURL('**/photo/')
  await context.close()
})

test('what the operator has not set is not shown', async () => {
  const { page, context } = await stage.visit('/')
  await page.mouse.wheel(0, 400)
  await page.locator('footer').waitFor()
  expect(await page.locator('footer').textContent()).not.toMatch(/certificate|Example Street/)
  expect(await page.getByRole('list', { name: 'Certifications' }).count()).toBe(0)
  await context.close()
})
