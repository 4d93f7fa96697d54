import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { dialog } from './doing.ts'
import { expectGoodDialog } from './good-page.ts'
import { openStage } from './shared-house.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage?.close())

/** Scrolls as a reader does who comes to the plans: what lies below the fold gets its script at that. */
async function comeToPlans(page: Page): Promise<void> {
  await page.mouse.wheel(0, 400)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Get Premium' }).scrollIntoViewIfNeeded()
}

test('a guest who chose a pack of photos is offered that very pack after signing in, and it is sold', async () => {
  const visitor = await Visitor.signUp(stage.address, 'chooser')
  const { page, context, errors } = await stage.visit('/photo/')
  await comeToPlans(page)
  await page.getByRole('radio', { name: '200' }).check()
  await page.getByRole('button', { name: 'Get Premium' }).click()
  await dialog(page).getByLabel('Email').fill(visitor.email)
  await dialog(page).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/photo/app')
  await dialog(page).getByText('$29.99/mo').waitFor()
  await dialog(page).getByText('200 files per month').waitFor()
  // What was chosen is not asked again.
  expect(await dialog(page).getByLabel('Purchase Licence').count()).toBe(0)
  await expectGoodDialog(page, 'pricing-photo-chosen')
  const [store] = await Promise.all([
    context.waitForEvent('page'),
    dialog(page).getByRole('link', { name: 'Upgrade Now' }).click(),
  ])
  await store.getByRole('button', { name: 'Complete the demo purchase' }).click()
  await store.getByRole('heading', { name: 'Thank you' }).waitFor()
  await store.close()
  await page.goto(`${stage.address}/photo/app/dashboard`)
  await page.getByRole('heading', { name: 'You can repair a maximum of 200 files with your plan' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('the pack that the photo page shows at first is the one that is bought there', async () => {
  const visitor = await Visitor.signUp(stage.address, 'first-shown')
  const { page, context } = await stage.visit('/photo/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await comeToPlans(page)
  await page.getByRole('button', { name: 'Get Premium' }).click()
  await dialog(page).getByText('$19.99/mo').waitFor()
  expect(await dialog(page).getByRole('link', { name: 'Upgrade Now' }).getAttribute('href')).toContain(
    'pack=photo-50-monthly',
  )
  await context.close()
})

test('the yearly pack of the start page is preselected in its dialog', async () => {
  const visitor = await Visitor.signUp(stage.address, 'yearly')
  const { page, context } = await stage.visit('/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await comeToPlans(page)
  await page.getByRole('radio', { name: 'Yearly' }).check()
  await page.getByRole('button', { name: 'Get Premium' }).click()
  await dialog(page).getByText('$59.99/yr').waitFor()
  expect(await dialog(page).getByLabel('Purchase Licence').inputValue()).toBe('video-200-yearly')
  await context.close()
})
