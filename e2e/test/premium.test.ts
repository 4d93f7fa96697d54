import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { Visitor } from '../src/visitor.ts'
import { choose, dialog, takeFromMenu, toast } from './doing.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'
import { SmallFilms } from './small-films.ts'

let stage: Stage
let films: SmallFilms

beforeAll(async () => {
  stage = await openStage()
  films = new SmallFilms(stage.house.films)
})

afterAll(() => stage?.close())

test('a Free user buys Premium at the demo store and finds the plan, the purchase and the whole film', async () => {
  const visitor = await Visitor.signUp(stage.address, 'buyer')
  const { page, context, errors } = await stage.visit('/admin/dashboard', { as: visitor })
  await page.getByRole('heading', { name: 'You can repair one video for free' }).waitFor()
  await page.getByRole('button', { name: 'Upgrade Plan' }).click()
  await dialog(page).getByRole('heading', { name: 'Upgrade Plan' }).waitFor()
  await dialog(page).getByLabel('Purchase Licence').selectOption({ label: '25 repairs, $19.99 a month' })
  await dialog(page).getByText('$19.99/mo').waitFor()
  await expectGoodDialog(page, 'pricing-upgrade')

  const [store] = await Promise.all([
    context.waitForEvent('page'),
    dialog(page).getByRole('link', { name: 'Upgrade Now' }).click(),
  ])
  await store.getByText('Demonstration. Nothing is charged').waitFor()
  await expectGoodPage(store, 'demo-store')
  await store.getByLabel('Name on the invoice').fill('Grace Hopper')
  await store.getByRole('button', { name: 'Complete the demo purchase' }).click()
  await store.getByRole('heading', { name: 'Thank you' }).waitFor()
  await expectGoodPage(store, 'demo-store-done')
  await store.close()

  // Back in the first tab the plan is looked at again.
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await toast(page, 'Your plan is Premium now. Thank you.')
  await page.getByRole('heading', { name: 'You can repair a maximum of 25 files with your plan' }).waitFor()
  await page.getByText('Premium plan', { exact: true }).waitFor()
  await page.getByText(/^Current Plan will expire on /).waitFor()
  await page.getByRole('link', { name: 'Purchase History' }).click()
  await page.waitForURL('**/admin/dashboard#Billing')
  const row = page.getByRole('row', { name: /Grace Hopper/ })
  await row.getByText('Video Repair, Monthly').waitFor()
  await row.getByRole('cell', { name: '25', exact: true }).waitFor()
  await expectGoodPage(page, 'purchase-history')

  await page.goto(stage.address)
  await choose(page, 'Upload Video', films.damaged)
  await choose(page, 'Add Sample Video', films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page.getByRole('heading', { name: 'Preview your Repaired Video' }).waitFor()
  await page.getByRole('link', { name: 'Save Repaired Video' }).waitFor()
  await expectGoodPage(page, 'result-premium')
  await page.getByRole('button', { name: 'Continue Repairing >>' }).click()
  await page.getByRole('heading', { name: 'Free Online Video Repair' }).waitFor()

  await takeFromMenu(page, 'My Plan')
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  await expectGoodPage(page, 'dashboard-premium')
  await page.getByRole('button', { name: 'Add repairs' }).click()
  await dialog(page).getByRole('heading', { name: 'You are using Premium Account' }).waitFor()
  await expectGoodDialog(page, 'pricing-premium')
  expect(errors.list).toEqual([])
  await context.close()
})

test('a Premium user without repairs left is told so when the next one is chosen', async () => {
  const visitor = await Visitor.signUp(stage.address, 'exhausted')
  await visitor.goPremium()
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  // Ten real repairs would take long: only the count of the service's answer is another.
  await page.route('**/api/product_recharge*', async (route) => {
    const response = await route.fetch()
    const counts = await response.json()
    await route.fulfill({ response, json: { ...counts, usedRecharges: counts.totalRecharges } })
  })
  await choose(page, 'Upload Video', films.damaged)
  await dialog(page)
    .getByRole('heading', { name: 'You are using Premium Account for Video Repair Features' })
    .waitFor()
  await dialog(page)
    .getByText('Your repair count has been exhausted. Upgrade your plan to continue repairing videos.')
    .waitFor()
  await expectGoodDialog(page, 'pricing-exhausted')
  expect(errors.list).toEqual([])
  await context.close()
})

test('the carousel shows as many files as the window has room for, and arrows from the fifth on', async () => {
  const visitor = await Visitor.signUp(stage.address, 'collector')
  await visitor.goPremium()
  for (let count = 0; count < 4; count++) await visitor.upload(films.damaged)
  const { page, context, errors } = await stage.visit('/admin/dashboard', { as: visitor })
  const list = page.getByRole('list', { name: 'Recent Video Repair' })
  const next = page.getByRole('button', { name: 'Next files' })
  const dots = page.getByRole('button', { name: /^Show slide / })
  const slides = list.getByRole('listitem')
  /** How many whole files the window shows. */
  const shown = () =>
    list.evaluate((element) => {
      const frame = element.parentElement?.getBoundingClientRect()
      return [...element.children].filter((slide) => {
        const { left, right } = slide.getBoundingClientRect()
        return frame !== undefined && left > frame.left - 40 && right < frame.right + 2
      }).length
    })
  await slides.nth(3).waitFor()
  expect(await next.count()).toBe(0)
  expect(await dots.count()).toBe(2)

  await visitor.upload(films.damaged)
  await page.reload()
  await slides.nth(4).waitFor()
  for (const [width, files] of [
    [639, 1],
    [640, 2],
    [1023, 2],
    [1024, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(shown, { message: `at ${width} px` }).toBe(files)
    await expect.poll(() => dots.count(), { message: `dots at ${width} px` }).toBe(5 - files + 1)
  }
  expect(await page.getByRole('button', { name: 'Previous files' }).isDisabled()).toBe(true)
  await next.click()
  await page.locator('[aria-label="Show slide 2 of 3"][aria-current=true]').waitFor()
  await dots.nth(2).click()
  await page.locator('[aria-label="Show slide 3 of 3"][aria-current=true]').waitFor()
  await expect.poll(() => next.isDisabled()).toBe(true)
  await expectGoodPage(page, 'dashboard-carousel')
  expect(errors.list).toEqual([])
  await context.close()
})
