import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { Visitor } from '../src/visitor.ts'
import { choose, dialog, drop, pick, tabTo, tabUntil, takeFromMenu, toast } from './doing.ts'
import { expectGoodDialog, expectGoodMenu, expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'
import { SmallFilms } from './small-films.ts'

const ABOVE_5_GB = 5 * 2 ** 30 + 1

let stage: Stage
let films: SmallFilms

beforeAll(async () => {
  stage = await openStage()
  films = new SmallFilms(stage.house.films)
})

afterAll(() => stage?.close())

test('a film is repaired from the keyboard alone, seen, deleted, and a second one is beyond the Free plan', async () => {
  const visitor = await Visitor.signUp(stage.address, 'keys')
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  await page.getByRole('button', { name: /^Your account, / }).waitFor()

  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await tabTo(page, 'button', 'Upload Video')
  await pick(page, () => page.keyboard.press('Enter'), films.torn)
  await page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  await tabTo(page, 'button', 'Add Sample Video')
  await pick(page, () => page.keyboard.press('Space'), films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).waitFor()
  await tabUntil(page, page.getByText('Also improve the picture'))
  await page.keyboard.press('Enter')
  await tabTo(page, 'checkbox', 'Hide what stays damaged')
  await page.keyboard.press('Space')
  await expectGoodPage(page, 'ready-to-improve')
  await tabTo(page, 'button', 'Start Repair')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Preview your Repaired Video' }).waitFor()
  await tabUntil(page, page.getByRole('slider', { name: 'Picture: gaps and damage' }))
  await page.getByText(/^Picture, .*: damaged/).waitFor()
  await page.keyboard.press('End')
  await page.getByText(/^Picture, .*: lost/).waitFor()
  await page.getByText(/pictures? (is|are) encoded anew with their damage hidden\./).waitFor()
  await tabTo(page, 'link', 'Download now')
  await expectGoodPage(page, 'result-torn')
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/half a wedding.*\.mp4$/)

  await tabTo(page, 'button', 'Delete now')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('This cannot be undone.').waitFor()
  await expectGoodDialog(page, 'delete-now')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'Delete now')
  await page.keyboard.press('Enter')
  await dialog(page).waitFor()
  await tabUntil(page, dialog(page).getByRole('button', { name: 'Delete now' }))
  await page.keyboard.press('Enter')
  await page.getByText('You deleted the files of this repair.').waitFor()
  await expectGoodPage(page, 'result-deleted')

  await page.goto(stage.address)
  await choose(page, 'Upload Video', films.damaged)
  await dialog(page).getByRole('heading', { name: 'Upgrade Plan' }).waitFor()
  await dialog(page).getByText('You can repair one video for free, and yours is done or under way.').waitFor()
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).waitFor()
  await expectGoodDialog(page, 'pricing-limit')

  // The account page makes the same offer by itself.
  await page.goto(`${stage.address}/admin/dashboard`)
  await dialog(page).getByRole('heading', { name: 'Upgrade Plan' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText(/^Repaired by you, on /).waitFor()
  await expectGoodPage(page, 'dashboard-deleted')
  expect(errors.list).toEqual([])
  await context.close()
})

test('files that cannot be taken are refused with the reason, and leaving work behind is asked about', async () => {
  const visitor = await Visitor.signUp(stage.address, 'rules')
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  const huge = join(films.folder, 'opera.mp4')
  writeFileSync(huge, '')
  truncateSync(huge, ABOVE_5_GB)
  await choose(page, 'Upload Video', huge)
  await dialog(page).getByText('Your file size is above 5GB which cannot be repaired online.').waitFor()
  await dialog(page).getByRole('link', { name: 'Free Download' }).waitFor()
  await expectGoodDialog(page, 'exceed-size')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  await drop(page, ['one.mp4', 'two.mp4'])
  await toast(page, 'You can only upload one file.')
  await drop(page, ['letter.txt'])
  await toast(page, 'Unsupported file format.')

  await choose(page, 'Upload Video', films.hopeless)
  await page.getByRole('heading', { name: 'Now a video that plays, from the same camera' }).waitFor()
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await toast(page, 'Please upload the Sample Video.')
  const wrong = join(films.folder, 'sample.mov')
  copyFileSync(films.sample, wrong)
  await choose(page, 'Add Sample Video', wrong)
  await toast(page, 'Invalid File Type. Please upload a video file with the .mp4 extension.')
  await choose(page, 'Add Sample Video', films.hopeless)
  await toast(page, 'You are uploading the same file. Please choose a different file.')

  await page.getByRole('button', { name: /^Your account, / }).click()
  await page.getByRole('menuitem', { name: 'Upgrade Plan' }).waitFor()
  await expectGoodMenu(page, 'menu')
  await page.getByRole('menuitem', { name: 'My Plan' }).click()
  await dialog(page)
    .getByText('Do you want to leave the Page? If you leave, the data will be lost.')
    .waitFor()
  await expectGoodDialog(page, 'leave-prompt')
  await dialog(page).getByRole('button', { name: 'Stay here' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/')

  // Nothing is left to repair, and a person may look at it.
  await choose(page, 'Add Sample Video', films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page.getByRole('heading', { name: 'Repair Failed' }).waitFor()
  await expectGoodPage(page, 'repair-failed')
  await page.getByRole('button', { name: 'Choose another sample' }).waitFor()
  await page.getByRole('button', { name: 'Request a free manual repair' }).click()
  await dialog(page).getByLabel('What should we know?').fill('The card was pulled out too early.')
  await expectGoodDialog(page, 'manual-repair')
  await dialog(page).getByRole('button', { name: 'Send the request' }).click()
  await toast(page, 'We have your request.')

  await takeFromMenu(page, 'My Plan')
  await dialog(page).getByRole('button', { name: 'Leave' }).click()
  await page.getByText('Manual repair requested. We write to you.').waitFor()
  await expectGoodPage(page, 'dashboard-manual')

  await takeFromMenu(page, 'Sign Out')
  await page.waitForURL(`${stage.address}/`)
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('token')])).toEqual([
    null,
    null,
  ])
  expect(errors.list).toEqual([])
  await context.close()
})
