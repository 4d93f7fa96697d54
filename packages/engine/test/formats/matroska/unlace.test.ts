import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { EBML_LACING, FIXED_LACING, XIPH_LACING } from '../../../src/formats/matroska/read/block.ts'
import { headLost } from '../../../src/formats/matroska/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { framesIn, type LacedFrame, laced } from './support/laced.ts'

const SOUND = 2
const EACH = 6
const plain = new Uint8Array(readFileSync(`${FIXTURES}/matroska/mkv-h264-aac.mkv`))
const { bytes: film } = await repaired(await laced(plain, SOUND, EACH))
const frames = await framesIn(film)
/** The frames of a block of sound in the middle. */
const block = blockOf(frames)

describe.each([
  ['Xiph', XIPH_LACING],
  ['EBML', EBML_LACING],
  ['frames of one length', FIXED_LACING],
])('laced as %s', async (_name, lacing) => {
  const { bytes: film } = await repaired(await laced(plain, SOUND, EACH, lacing))
  const frames = await framesIn(film)
  const block = blockOf(frames)

  it.each<[string, damaged: Uint8Array, lost: number, all: readonly LacedFrame[]]>([
    [
      'zeros in one',
      zeroed(film, block[2].offset + 4, block[2].offset + block[2].text.length - 4),
      1,
      frames,
    ],
    ['bytes missing in one', without(film, block[3].offset + 20, block[3].offset + 60), 1, frames],
    ['a film that ends in one', film.slice(0, block[3].offset + 10), 0, before(frames, block[3])],
  ])(
    'of frames in one block those that are whole stay, at their times: %s',
    async (_, damaged, lost, all) => {
      const { report, bytes } = await repaired(damaged)
      expect(report.verdict).toBe('repaired')
      const kept = await framesIn(bytes)
      const known = new Map(frames.map((frame) => [frame.text, frame]))
      expect(kept.filter(({ text }) => !known.has(text))).toEqual([])
      expect(kept.length).toBe(all.length - lost)
      const times = new Map((await framesIn(plain)).map(({ text, time }) => [text, time]))
      const alone = kept.filter(({ track, among }) => track === SOUND && among === 1)
      expect(alone.length).toBeGreaterThan(1)
      for (const { text, time } of alone)
        expect(Math.abs(time - (times.get(text) ?? 0))).toBeLessThanOrEqual(1)
    },
  )

  it('is healthy as it is', async () => {
    expect((await repaired(film)).report.verdict).toBe('healthy')
  })
})

it('sound that is laced is told by its frames where the head is gone', async () => {
  const { report, bytes } = await repaired(headLost(film))
  expect(report.verdict).toBe('repaired')
  expect((await framesIn(bytes)).map(({ text }) => text)).toEqual(frames.map(({ text }) => text))
})

it('frames of a torn lace are left out, and in doubt, where no syntax tells which of them are whole', async () => {
  const unread = ofUnreadSound(film)
  expect((await repaired(unread)).report.verdict).toBe('healthy')
  const { report, bytes } = await repaired(without(unread, block[3].offset + 20, block[3].offset + 60))
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.map(({ code }) => code)).toEqual(['unexplained'])
  const kept = await framesIn(bytes)
  const torn = new Set(block.map(({ text }) => text))
  expect(kept.map(({ text }) => text)).toEqual(
    frames.map(({ text }) => text).filter((text) => !torn.has(text)),
  )
})

async function repaired(bytes: Uint8Array) {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(bytes), name: 'film.mkv' }, sink })
  return { report, bytes: sink.bytes().slice() }
}

function blockOf(all: readonly LacedFrame[]): readonly LacedFrame[] {
  const sound = all.filter(({ among }) => among === EACH)
  const first = Math.floor(sound.length / EACH / 2) * EACH
  return sound.slice(first, first + EACH)
}

function before(all: readonly LacedFrame[], { offset }: LacedFrame): LacedFrame[] {
  return all.filter((frame) => frame.offset < offset)
}

function zeroed(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return Uint8Array.from(bytes).fill(0, from, to)
}

/** The film with the name of its sound's codec changed to one of which nothing is known. */
function ofUnreadSound(bytes: Uint8Array): Uint8Array {
  const unread = Buffer.from(bytes)
  unread.write('A_XYZ', unread.indexOf('A_AAC'), 'latin1')
  return Uint8Array.from(unread)
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(to)])
}
