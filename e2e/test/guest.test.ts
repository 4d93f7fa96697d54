import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { Visitor } from '../src/visitor.ts'
import { dialog, drop } from './doing.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage?.close())

test('a guest who wants to upload is asked to sign in, and told what is missing, by pointer and by drop', async () => {
  const known = await Visitor.signUp(stage.address, 'known')
  const { page, context, errors } = await stage.visit('/', { motion: true, expected: [/\/api\/login/] })
  const upload = page.getByRole('button', { name: 'Upload Video' }).first()
  await upload.click()
  await dialog(page).getByText('Log in to your account and start repair').waitFor()
  await expectGoodDialog(page, 'log-in')

  // What is missing is said beside its field, and nothing is sent.
  await page.getByRole('button', { name: 'Sign in with email' }).click()
  await page.getByText('Email is required').waitFor()
  await page.getByText('Password is required').waitFor()
  await expectGoodDialog(page, 'log-in-refused')
  await page.getByLabel('Email').fill('someone@somewhere')
  await page.keyboard.press('Enter')
  await page.getByText('Invalid email format').waitFor()
  await page.getByLabel('Email').fill(known.email)
  await page.getByLabel('Password').fill('not the password')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.Toastify__toast').waitFor()
  // Who pressed the button stays on it, and goes on from there.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign in with email')

  await dialog(page).getByRole('button', { name: 'Sign up', exact: true }).click()
  await dialog(page).getByRole('heading', { name: 'Create an Account' }).waitFor()
  await dialog(page).getByText('Sign up for an account to get started').waitFor()
  await dialog(page).getByRole('button', { name: 'Log in', exact: true }).click()
  await dialog(page).getByRole('heading', { name: "Let's get started" }).waitFor()

  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Upload Video'))

  await drop(page, ['film.mp4'])
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(errors.list).toEqual([])
  await context.close()
})

test('a page that starts by script shows whose it is until the script has come', async () => {
  const { page, context } = await stage.visit('/')
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(`${stage.address}/nowhere`, { waitUntil: 'commit' })
  await page.locator('[aria-busy=true]').getByText('Mendframe').waitFor()
  expect(await page.title()).toBe('Mendframe')
  scripts.resolve()
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor()
  expect(await page.locator('head title').allTextContents()).toEqual([
    'Unexpected Application Error! · Mendframe',
  ])
  await context.close()
})

test('the repaired film of the start page plays without sound, can be paused, and waits for those who want less motion', async () => {
  const moving = await stage.visit('/', { motion: true })
  await moving.page.waitForLoadState('networkidle')
  await moving.page.mouse.wheel(0, 10)
  const film = moving.page.locator('video')
  await moving.page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2)
  expect(await film.evaluate((video: HTMLVideoElement) => [video.muted, video.poster !== ''])).toEqual([
    true,
    true,
  ])
  await moving.page.getByRole('button', { name: 'Pause the repaired film' }).click()
  expect(await film.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true)
  await moving.page.getByRole('button', { name: 'Play the repaired film' }).waitFor()
  expect(moving.errors.list).toEqual([])
  await moving.context.close()

  const still = await stage.visit('/')
  await still.page.waitForLoadState('networkidle')
  await still.page.mouse.wheel(0, 10)
  await still.page.waitForLoadState('networkidle')
  expect(await still.page.locator('video').count()).toBe(0)
  await still.page.getByRole('button', { name: 'Play the repaired film' }).click()
  await still.page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2)
  expect(still.errors.list).toEqual([])
  await still.context.close()
})

test('addresses that lead nowhere say so, and the account page sends guests to the start', async () => {
  const { page, context } = await stage.visit('/callback')
  await page.waitForURL('**/error?reason=*')
  await page.getByRole('heading', { name: 'The sign-in did not work' }).waitFor()
  await expectGoodPage(page, 'error')

  await page.goto(`${stage.address}/nowhere/at/all`)
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor()
  await expectGoodPage(page, 'unknown')

  await page.goto(`${stage.address}/admin/dashboard`)
  await page.waitForURL(`${stage.address}/`)
  await page.goto(`${stage.address}/admin/anything`)
  await page.waitForURL(`${stage.address}/`)
  await page.goto(`${stage.address}/photo/app`)
  await page.waitForURL('**/photo/')
  await context.close()
})

test('letters of twice the size lie over nothing else', async () => {
  const { page, context } = await stage.visit('/')
  await page.setViewportSize({ width: 640, height: 800 })
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  const header = page.locator('header').first()
  expect(await header.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(
    1,
  )
  await context.close()
})

test('a page whose script is refused again and again says so instead of loading for ever', async () => {
  const { page, context } = await stage.visit('/error', { expected: [/./] })
  let refused = 0
  await page.route(/\/assets\/error-[^/]+\.js/, (route) => {
    refused++
    return route.abort()
  })
  await page.reload()
  await page.getByText('Loading chunk /error failed.').waitFor()
  await expectGoodPage(page, 'refused-script')
  expect(refused).toBeLessThanOrEqual(8)
  await page.unroute(/./)
  await context.close()
})

test('the photo page moves its seams by keyboard, opens one answer at a time and asks guests to sign in', async () => {
  const { page, context, errors } = await stage.visit('/photo')
  await page.waitForURL('**/photo/')
  await page.getByRole('heading', { name: 'Free Online Photo Repair' }).waitFor()
  const sliders = page.getByRole('slider')
  await sliders.first().waitFor()
  expect(await sliders.count()).toBe(6)
  for (const slider of await sliders.all()) {
    await slider.focus()
    const before = Number(await slider.inputValue())
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(Number(await slider.inputValue())).toBe(before + 2)
    await page.keyboard.press('Home')
    await page.waitForFunction(
      (element) => element?.getAttribute('aria-valuetext') === '0% before, 100% after',
      await slider.elementHandle(),
    )
  }

  const answers = page.locator('details[name]')
  expect(await answers.count()).toBe(7)
  await answers.nth(3).locator('summary').click()
  expect(await page.locator('details[name][open]').count()).toBe(1)
  expect(await answers.nth(3).getAttribute('open')).not.toBeNull()
  await expectGoodPage(page, 'photo')

  await page.getByRole('button', { name: 'Upload Photo' }).first().click()
  await dialog(page).getByRole('heading', { name: "Let's get started" }).waitFor()
  await expectGoodDialog(page, 'photo-log-in')
  expect(errors.list).toEqual([])
  await context.close()
})
