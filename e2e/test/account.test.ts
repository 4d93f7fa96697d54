import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { dialog, takeFromMenu, toast } from './doing.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'

/** Wider than a phone's window, and nowhere to break it. */
const WIDE_NAME = 'somebodywhosemailaddresshasnoplaceforalinetobreakat'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage?.close())

test('the account page follows the address, back and forward, and says what is not there yet', async () => {
  const visitor = await Visitor.signUp(stage.address, WIDE_NAME)
  const { page, context, errors } = await stage.visit('/admin/dashboard', { as: visitor })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const current = () => page.locator('nav[aria-label=Account] [aria-current=page]').textContent()

  await heading('My Plan')
  await page.getByText('No recent uploads').waitFor()
  await page.getByText('No active plan.').waitFor()
  await page.getByText(/Date Created/).waitFor()
  await expectGoodPage(page, 'dashboard-empty')
  await page.getByRole('link', { name: 'Purchase History' }).click()
  await heading('Purchase History')
  await page.getByText('No records found').waitFor()
  await expectGoodPage(page, 'purchases-empty')
  await page.getByRole('link', { name: 'My Account' }).click()
  await heading('My Account')
  expect(new URL(page.url()).hash).toBe('#myAccount')
  expect(await current()).toBe('My Account')
  await page.goBack()
  await heading('Purchase History')
  await page.goBack()
  await heading('My Plan')
  await page.goForward()
  await heading('Purchase History')
  await page.goForward()
  await heading('My Account')
  await expectGoodPage(page, 'my-account')

  const country = page.getByLabel('Country')
  expect(await country.locator('option').count()).toBe(54)
  await country.selectOption('Norway')
  await toast(page, 'Your country is saved.')
  await page.reload()
  await page.waitForFunction(() => document.querySelector('select')?.value === 'Norway')

  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('This cannot be undone.').waitFor()
  await expectGoodPage(page, 'delete-account')
  await page.getByRole('button', { name: 'Keep it' }).click()

  await page.goto(`${stage.address}/admin/dashboard#Billing`)
  await heading('Purchase History')
  expect(errors.list).toEqual([])
  await context.close()
})

test('the photo flavour has its app and its own account page', async () => {
  const visitor = await Visitor.signUp(stage.address, 'photographer')
  const { page, context, errors } = await stage.visit('/photo/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()
  await page.getByRole('button', { name: 'Upload Photo' }).first().click()
  await page.waitForURL('**/photo/app')
  await page.getByRole('heading', { name: 'Free Online Photo Repair' }).waitFor()
  await expectGoodPage(page, 'photo-app')
  await page.goto(`${stage.address}/photo/app/dashboard`)
  await page.getByRole('heading', { name: 'You can repair 3 photos for free' }).waitFor()
  await expectGoodPage(page, 'photo-dashboard')
  await page.getByRole('link', { name: 'My Account' }).click()
  await page.waitForURL('**/photo/app/dashboard#myaccount')
  await page.getByRole('heading', { name: 'Personal Info' }).waitFor()
  await page.getByRole('link', { name: 'My Plan' }).click()
  await page.getByRole('button', { name: 'Upgrade Plan' }).click()
  await dialog(page).getByText('$9.99/mo').waitFor()
  const licence = dialog(page).getByLabel('Purchase Licence')
  expect(await licence.locator('option').allTextContents()).toEqual([
    '10 repairs, $9.99 a month',
    '50 repairs, $19.99 a month',
    '100 repairs, $24.99 a month',
    '200 repairs, $29.99 a month',
    '500 repairs, $49.99 a month',
  ])
  await licence.selectOption({ label: '100 repairs, $24.99 a month' })
  await dialog(page).getByText('$24.99/mo').waitFor()
  expect(await dialog(page).getByRole('link', { name: 'Upgrade Now' }).getAttribute('href')).toContain(
    'pack=photo-100-monthly',
  )
  await expectGoodDialog(page, 'pricing-photo')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await takeFromMenu(page, 'Sign Out')
  await page.waitForURL('**/photo/')
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a plan that is over says when it ended', async () => {
  const visitor = await Visitor.signUp(stage.address, 'lapsed')
  await visitor.goPremium()
  const { page, context, errors } = await stage.visit('/admin/dashboard', { as: visitor })
  await page.getByText(/^Current Plan will expire on /).waitFor()
  // A month later the service's answers are these.
  await page.route('**/api/purchases?*', async (route) => {
    const response = await route.fetch()
    const [sold] = await response.json()
    await route.fulfill({ response, json: [{ ...sold, createdOn: '1st October 2026', state: 'Expired' }] })
  })
  await page.route('**/api/user?*', async (route) => {
    const response = await route.fetch()
    const reply = await response.json()
    await route.fulfill({ response, json: { ...reply, user: { ...reply.user, current_plan: 'Free' } } })
  })
  await page.reload()
  await page.getByText('Plan has expired on October 31, 2026').waitFor()
  await page.getByRole('heading', { name: 'You can repair one video for free' }).waitFor()
  await expectGoodPage(page, 'dashboard-expired')
  expect(errors.list).toEqual([])
  await context.close()
})

test('an account is deleted by the one who can name it', async () => {
  const visitor = await Visitor.signUp(stage.address, 'leaver')
  const { page, context, errors } = await stage.visit('/admin/dashboard#myAccount', { as: visitor })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const form = page.locator('form', { hasText: 'Keep it' })
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('Please type the email of this account.').waitFor()
  await form.getByLabel('Email').fill(visitor.email)
  await form.getByLabel('Password').fill(PASSWORD)
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(`${stage.address}/`)
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})
