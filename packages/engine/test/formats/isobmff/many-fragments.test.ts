import { expect, it } from 'vitest'
import { readDrafts } from '../../../src/formats/isobmff/read/fragment-drafts.ts'
import { Findings } from '../../../src/model/finding.ts'
import { box, fullBox, repeated, words } from '../../../testing/adversaries/bytes.ts'
import { FRAGMENT_ADVERSARIES } from '../../../testing/adversaries/fragment-adversaries.ts'
import { read, readerOf } from './support/engine.ts'

const MANY = 3_000

/** Some 27,000 fragments, each of another track. */
const BYTES = 2_400_000
/** Processor time; what grows with the square of the fragments takes many times as long. */
const SECONDS = 8

it('fragments of ever other tracks are read in time with their number', async () => {
  const many = FRAGMENT_ADVERSARIES.find(({ name }) => name === 'fragments of tracks that nobody knows')
  if (!many) throw new Error('there is no such adversary')
  const { damaged } = many.make(BYTES)
  const before = process.threadCpuUsage()
  const { fragments } = await read(damaged)
  const { user, system } = process.threadCpuUsage(before)
  expect(fragments.length).toBeGreaterThan(20_000)
  expect((user + system) / 1e6).toBeLessThan(SECONDS)
}, 60_000)

it('fragments that are hit one and all are mended up to a number in proportion to the file', async () => {
  const part = box(
    'traf',
    fullBox('tfhe', 0x020000, words([1])),
    fullBox('trun', 0x301, words([1, 100, 1000, 40])),
  )
  const moof = box('moof', fullBox('mfhd', 0, words([1])), part)
  const bytes = repeated(moof, moof.length * MANY)
  const boxes = Array.from({ length: MANY }, (_, i) => ({
    type: 'moof',
    offset: i * moof.length,
    header: 8,
    size: moof.length,
    end: (i + 1) * moof.length,
    form: '32' as const,
  }))
  const findings = new Findings(4 * MANY)
  readDrafts(readerOf(bytes), boxes, findings)
  const mended = findings.list.filter(({ code }) => code === 'isobmff.table-mended')
  expect(mended.length).toBeGreaterThan(500)
  expect(mended.length).toBeLessThan(1_500)
})
