import { writeFileSync } from 'node:fs'
import { FORMATS, type Verification } from '@mendframe/engine'
import { fixturesOf } from '@mendframe/engine/testing'
import { expect, test } from 'vitest'
import { runRepair } from '../src/index.ts'
import { Folder } from './folder.ts'

function fixture(): Buffer {
  const [isobmff] = FORMATS.filter(({ name }) => name === 'isobmff')
  const found = isobmff && fixturesOf(isobmff).find(({ name }) => name === 'hevc-b-aac')
  if (!found) throw new Error('the fixture is missing')
  return Buffer.from(found.bytes)
}

/** A decoder that shows every picture without a word. */
const SILENT: Verification = {
  decodable: true,
  duration: 2,
  tracks: [
    { kind: 'video', codec: 'hevc', packets: 30, frames: 30, errors: 0, duration: 2 },
    { kind: 'audio', codec: 'aac', packets: 90, frames: 90, errors: 0, duration: 2 },
  ],
}

async function repaired(bytes: Uint8Array) {
  using folder = new Folder()
  const damaged = folder.file('damaged.mp4')
  writeFileSync(damaged, bytes)
  return await runRepair({ damaged, output: folder.file('out.mp4'), verify: async () => SILENT })
}

test('a picture that was hit inside is found though the decoder shows it without a word, and is placed', async () => {
  const bytes = fixture()
  // the middle of the payload lies in some picture's coded blocks
  const payload = bytes.indexOf('mdat')
  for (let at = 0; at < 40; at++) bytes[payload + PLACE + at] = (at * 151 + 17) & 0xff
  const report = await repaired(bytes)
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.map(({ code }) => code)).toContain('torn-pictures')
  const video = report.kind === 'recording' ? report.tracks.find(({ kind }) => kind === 'video') : undefined
  expect(video?.damaged).toBe(1)
  expect(video?.ranges.filter(({ state }) => state === 'damaged')).toHaveLength(1)
})

test('a healthy film stays healthy, and its report has its tracks', async () => {
  const report = await repaired(fixture())
  expect(report.verdict).toBe('healthy')
  expect(report.kind === 'recording' && report.tracks.map(({ kind, damaged }) => [kind, damaged])).toEqual([
    ['video', 0],
    ['audio', 0],
  ])
})

/** Bytes behind the payload's box type. */
const PLACE = 2_000
