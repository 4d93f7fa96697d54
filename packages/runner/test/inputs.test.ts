import { closeSync, linkSync, writeFileSync } from 'node:fs'
import { AbortedError, UsageError } from '@mendframe/engine/errors'
import { expect, test } from 'vitest'
import { checkSample, openInput } from '../src/inputs.ts'
import { Folder } from './folder.ts'

/** More than is compared at a time. */
const LONG = (1 << 20) + 5

/** What is said of a sample beside a damaged file; nothing where it may help. */
async function said(folder: Folder, damaged: string, sample: string, signal?: AbortSignal): Promise<unknown> {
  const inputs = [damaged, sample].map((name) => openInput(folder.file(name)))
  try {
    return await checkSample(inputs[0], inputs[1], signal).catch((error: unknown) => error)
  } finally {
    for (const { descriptor } of inputs) closeSync(descriptor)
  }
}

test('a sample is another file, with other bytes, of whatever length', async () => {
  using folder = new Folder()
  const bytes = Buffer.alloc(LONG, 7)
  writeFileSync(folder.file('damaged'), bytes)
  writeFileSync(folder.file('copy'), bytes)
  linkSync(folder.file('damaged'), folder.file('link'))
  writeFileSync(folder.file('empty'), '')
  writeFileSync(folder.file('shorter'), bytes.subarray(1))
  for (const at of [0, LONG - 1]) {
    writeFileSync(folder.file('other'), bytes.fill(8, at, at + 1))
    expect(await said(folder, 'damaged', 'other')).toBeUndefined()
    bytes.fill(7)
  }
  expect(await said(folder, 'damaged', 'shorter')).toBeUndefined()
  for (const [name, why] of [
    ['damaged', /file itself/],
    ['link', /file itself/],
    ['copy', /a copy/],
    ['empty', /is empty/],
  ] as const) {
    const error = await said(folder, 'damaged', name)
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toMatchObject({ message: expect.stringMatching(why) })
  }
  expect(await said(folder, 'damaged', 'copy', AbortSignal.abort())).toBeInstanceOf(AbortedError)
})
