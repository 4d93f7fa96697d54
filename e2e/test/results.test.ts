import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../src/stage.ts'
import { Visitor } from '../src/visitor.ts'
import { choose, dialog, toast } from './doing.ts'
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

test('a film that comes back in part shows its gaps, and a person may look at it', async () => {
  const damaged = join(films.folder, `${'wedding'.repeat(12)}.mp4`)
  copyFileSync(films.overwritten, damaged)
  const visitor = await Visitor.signUp(stage.address, 'partly')
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  await choose(page, 'Upload Video', damaged)
  await choose(page, 'Add Sample Video', films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page.getByRole('heading', { name: 'Your video plays again, with gaps.' }).waitFor()
  await page.getByRole('slider', { name: 'Picture: gaps and damage' }).focus()
  await page.getByText(/^Picture, .*: lost/).waitFor()
  await expectGoodPage(page, 'result-partial')

  await page.getByRole('button', { name: 'Request a free manual repair' }).click()
  await dialog(page).waitFor()
  await expectGoodDialog(page, 'manual-repair')
  await dialog(page).getByRole('button', { name: 'Send the request' }).click()
  await toast(page, 'We have your request.')
  expect(errors.list).toEqual([])
  await context.close()
})

test('a film that browsers do not play shows a still, and a converted preview to those who want to watch', async () => {
  const damaged = join(films.folder, 'journey.mov')
  const sample = join(films.folder, 'another journey.mov')
  copyFileSync(films.damaged, damaged)
  copyFileSync(films.sample, sample)
  const visitor = await Visitor.signUp(stage.address, 'cutter')
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  await choose(page, 'Upload Video', damaged)
  await choose(page, 'Add Sample Video', sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page
    .getByText(
      'Preview of this Video type is not available to be played. You can download the file to see the preview',
    )
    .waitFor()
  await page.getByRole('link', { name: 'Download Preview' }).waitFor()
  await expectGoodPage(page, 'result-still')
  await page.getByRole('button', { name: 'Watch a converted preview' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
  expect(errors.list).toEqual([])
  await context.close()
})

test('a film without a fault is left as it is', async () => {
  const visitor = await Visitor.signUp(stage.address, 'worried')
  const { page, context, errors } = await stage.visit('/', { as: visitor })
  await choose(page, 'Upload Video', films.whole)
  await choose(page, 'Add Sample Video', films.sample)
  await page.getByRole('button', { name: 'Start Repair' }).click()
  await page.getByRole('heading', { name: 'Nothing is wrong with this file.' }).waitFor()
  await page.getByText('this does not count against your plan').waitFor()
  await expectGoodPage(page, 'result-healthy')
  await page.getByRole('button', { name: 'Repair another video' }).click()
  await page.getByRole('heading', { name: 'Free Online Video Repair' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})
