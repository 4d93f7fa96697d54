import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { dialog, tabUntil, takeFromMenu } from './doing.ts'
import { expectGoodPage } from './good-page.ts'
import { openStage } from './shared-house.ts'

const FIXTURES = fileURLToPath(new URL('../../packages/engine/testing/fixtures/jpeg/', import.meta.url))

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage?.close())

/** A photo with zeros in the middle of its scan, under another name. */
function damaged(fixture: string, name: string): string {
  const bytes = readFileSync(join(FIXTURES, fixture))
  const at = Math.floor(bytes.length * 0.6)
  bytes.fill(0, at, at + Math.floor(bytes.length * 0.06))
  const path = join(stage.house.films, name)
  writeFileSync(path, bytes)
  return path
}

/** Names in an archive, from its central directory (APPNOTE 4.3.12). */
function namesIn(archive: Buffer): string[] {
  const names: string[] = []
  for (let at = archive.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; ) {
    const length = archive.readUInt16LE(at + 28)
    names.push(archive.toString('utf8', at + 46, at + 46 + length))
    at = archive.indexOf('PK\x01\x02', at + 46, 'latin1')
  }
  return names
}

/** Fails where a part of the page reaches into the one on its right. */
async function expectBeside(left: Locator, right: Locator): Promise<void> {
  const [one, other] = await Promise.all([left.boundingBox(), right.boundingBox()])
  if (!one || !other) throw new Error('a part of the page is not shown')
  expect(one.x + one.width).toBeLessThanOrEqual(other.x)
}

test('three damaged photos of a Free user who signs in from the dialog come back, are compared by keyboard, and are saved', async () => {
  const visitor = await Visitor.signUp(stage.address, 'photos')
  const photos = [
    damaged('baseline-420.jpg', 'wedding_with_everybody_in_the_garden.jpg'),
    damaged('restart-422.jpg', 'birthday.jpeg'),
    damaged('grey.jpg', 'grandmother.jpg'),
  ]
  const { page, context, errors } = await stage.visit('/photo/')
  await page.getByRole('button', { name: 'Upload Photo' }).first().click()
  await dialog(page).getByLabel('Email').fill(visitor.email)
  await dialog(page).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/photo/app')
  const upload = page.getByRole('button', { name: 'Upload Photo' })
  await upload.waitFor()
  await tabUntil(page, upload)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  expect(chooser.isMultiple()).toBe(true)
  await chooser.setFiles(photos)

  const list = page.getByRole('list', { name: 'Your photos' })
  const all = page.getByRole('button', { name: 'Save all 3 as ZIP' })
  await all.waitFor()
  expect(await list.getByText(/^Repaired/).count()).toBe(3)
  const second = list.getByRole('button', { name: /^birthday\.jpeg/ })
  await tabUntil(page, second)
  await page.keyboard.press('Enter')
  const slider = page.getByRole('slider', { name: /^birthday\.jpeg/ })
  await tabUntil(page, slider)
  await page.keyboard.press('Home')
  await page.waitForFunction(
    (element) => element?.getAttribute('aria-valuetext') === '0% before, 100% after',
    await slider.elementHandle(),
  )
  for (const picture of ['birthday.jpeg, before', 'birthday.jpeg, repaired']) {
    await page.waitForFunction(
      (element) => element instanceof HTMLImageElement && element.naturalWidth > 0,
      await page.getByRole('img', { name: picture }).elementHandle(),
    )
  }
  await page
    .getByText(/of the picture is exactly as it was recorded\.|The whole picture is exactly/)
    .waitFor()
  await page.getByText('Parts of the picture were overwritten, lost or moved.').waitFor()
  expect(await page.locator('.compare .photo-area').count()).toBeGreaterThan(0)
  await page.getByLabel('Outline what was damaged').uncheck()
  expect(await page.locator('.compare .photo-area').count()).toBe(0)
  await page.getByLabel('Outline what was damaged').check()
  await page.getByText('Damaged areas as a table').click()
  await page.getByRole('cell', { name: /px$/ }).first().waitFor()
  await expectGoodPage(page, 'photo-results')
  await expectBeside(list, page.getByRole('heading', { level: 2 }))

  const [png] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as PNG' }).click(),
  ])
  expect(png.suggestedFilename()).toBe('birthday_repaired.png')
  expect(readFileSync(await png.path()).toString('latin1', 1, 4)).toBe('PNG')
  const [archive] = await Promise.all([page.waitForEvent('download'), all.click()])
  expect(namesIn(readFileSync(await archive.path()))).toEqual([
    'wedding_with_everybody_in_the_garden_repaired.jpg',
    'birthday_repaired.jpeg',
    'grandmother_repaired.jpg',
  ])

  // The plan is used up now.
  const more = damaged('grey.jpg', 'grandfather.jpg')
  const [again] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add photos' }).click(),
  ])
  await again.setFiles(more)
  await dialog(page)
    .getByText(/You can repair 3 photos for free, and yours are done or under way\./)
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Delete now' }).click()
  await dialog(page).getByRole('button', { name: 'Delete now' }).click()
  await page.getByText('You deleted the files of this repair.').waitFor()
  await page.getByRole('button', { name: 'Save all 2 as ZIP' }).waitFor()

  await list.getByRole('button', { name: /^grandmother\.jpg/ }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save Repaired Photo' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('grandmother_repaired.jpg')
  await takeFromMenu(page, 'My Plan')
  await dialog(page).getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/photo/app/dashboard#dashboard')
  await dialog(page).getByRole('heading', { name: 'Upgrade Plan' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText('3/3').waitFor()
  await page.getByRole('img', { name: 'grandmother.jpg, repaired' }).waitFor()
  await expectGoodPage(page, 'photo-dashboard-files')
  expect(errors.list).toEqual([])
  await context.close()
})
