import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { parts } from '../../../src/formats/avi/recipes.ts'
import { CHUNK_HEADER } from '../../../src/syntax/riff/chunk.ts'
import { bitmap, type MadeChunk, type MadeStream, makeAvi, wave } from './support/make-avi.ts'
import { payloads, read, repaired } from './support/repaired.ts'

const PICTURES = 60
const SOUND_BYTES = 400

const random = randomNumbers(11)
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, () => 1 + Math.floor(random() * 254))

const video: MadeStream = {
  ...{ type: 'vids', handler: 'IV41', scale: 1, rate: 25, sampleSize: 0 },
  format: bitmap('IV41', 64, 48, 9216),
}
const sound: MadeStream = {
  ...{ type: 'auds', handler: '\0\0\0\0', scale: 1, rate: 10_000, sampleSize: 1 },
  format: wave(1, 1, 10_000, 1, 8),
}

/** Pictures of a codec whose pictures carry no numbers, each with as much sound behind it as it lasts. */
function film(): { bytes: Uint8Array; index: number } {
  const chunks = Array.from({ length: PICTURES }, (): MadeChunk[] => [
    { id: '00dc', bytes: noise(400 + 2 * Math.floor(random() * 300)) },
    { id: '01wb', bytes: noise(SOUND_BYTES) },
  ]).flat()
  const bytes = makeAvi([video, sound], chunks)
  return { bytes, index: parts(bytes).index }
}

/** Without the bytes of [from, until). */
function without(bytes: Uint8Array, from: number, until: number): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(until)])
}

const codes = (report: Awaited<ReturnType<typeof repaired>>['report']): readonly string[] =>
  report.doubts?.map(({ code }) => code) ?? []

describe('pictures without numbers, around bytes that are gone from a film without an index', () => {
  const { bytes, index } = film()

  it('are in doubt where the end is gone, too, since turns of sound and pictures are the same again and again', async () => {
    const { chunks } = (await read(bytes)).walk
    const cut = bytes.subarray(0, chunks.offset[100] + 50)
    const { report } = await repaired(without(cut, chunks.offset[20] + 100, chunks.offset[30] + 100))
    expect(codes(report)).toContain('times')
  })

  it('are at their times where headers count as many as are missing', async () => {
    const { chunks } = (await read(bytes)).walk
    const zeroed = bytes.slice().fill(0, index)
    const torn = without(zeroed, chunks.offset[20] + 100, chunks.offset[30] + 100)
    const { report, bytes: result } = await repaired(torn)
    expect(report.verdict).toBe('repaired')
    const [before, after] = [await payloads(bytes, 0), await payloads(result, 0)]
    for (const row of [3, 9, 17, 40, PICTURES - 1]) expect(after[row]).toBe(before[row])
  })

  it('are at their times where zeros stand in place of what is gone', async () => {
    const { chunks } = (await read(bytes)).walk
    const cut = bytes.slice(0, chunks.offset[100] + 50)
    const header = chunks.offset[21] - CHUNK_HEADER
    const { report } = await repaired(cut.fill(0, header - 20, header + 60))
    expect(codes(report)).not.toContain('times')
  })
})

describe('what headers count', () => {
  const { bytes, index } = film()

  it('is what holes cost that seem to have cost nothing', async () => {
    // turns of one picture and one chunk of sound hide that both of them are gone
    const { chunks } = (await read(bytes)).walk
    const zeroed = bytes.slice().fill(0, index)
    const torn = without(zeroed, chunks.offset[20] + 30, chunks.offset[22] + 30)
    const { bytes: result } = await repaired(torn)
    const [before, after] = [await payloads(bytes, 0), await payloads(result, 0)]
    expect(after.length).toBe(PICTURES)
    expect(after.slice(12)).toEqual(before.slice(12))
  })

  it('bounds what holes cost where the end is gone: where all pictures are there, no more are', async () => {
    const { chunks } = (await read(bytes)).walk
    // bytes put in behind a chunk look like lost ones, and the index is gone with its header
    const at = chunks.offset[40] - CHUNK_HEADER
    const longer = Uint8Array.from([...bytes.subarray(0, at), ...noise(3000), ...bytes.subarray(at, index)])
    const { report, bytes: result } = await repaired(longer)
    expect(await payloads(result, 0)).toEqual(await payloads(bytes, 0))
    expect(codes(report)).not.toContain('times')
  })
})

it('chunks of elsewhere that were written over others are none where an index says what was there', async () => {
  const { bytes } = film()
  const { chunks } = (await read(bytes)).walk
  const from = chunks.offset[90] - CHUNK_HEADER
  const stale = bytes.slice(from, from + 1500)
  const damaged = bytes.slice()
  damaged.set(stale, chunks.offset[30] + 100)
  const { bytes: result } = await repaired(damaged)
  const [before, after] = [await payloads(bytes, 0), await payloads(result, 0)]
  expect(after.length).toBe(PICTURES)
  for (const row of [10, 20, 40, PICTURES - 1]) expect(after[row]).toBe(before[row])
})

it('sound that an index names and that is lost keeps its time, however short its chunks are', async () => {
  const frame = (size: number): MadeChunk => ({ id: '01wb', bytes: noise(size) })
  const coded = { ...sound, format: wave(0x161, 1, 10_000, 1, 0) }
  const chunks = Array.from({ length: 40 }, (_, row): MadeChunk[] => [
    { id: '00dc', bytes: noise(500) },
    frame(row < 20 ? SOUND_BYTES : SOUND_BYTES / 2),
    ...(row < 20 ? [] : [frame(SOUND_BYTES / 2)]),
  ]).flat()
  const bytes = makeAvi([video, coded], chunks)
  const { offset } = (await read(bytes)).walk.chunks
  // all that is lost are short chunks, and what stands in for them is a long one
  const damaged = bytes.slice().fill(0, offset[40] - CHUNK_HEADER, offset[70] - CHUNK_HEADER)
  const { report } = await repaired(damaged)
  const heard = report.tracks.find(({ kind }) => kind === 'audio')
  expect(Math.abs((heard?.duration ?? 0) - 40 * 0.04)).toBeLessThan(0.03)
})

it('how many pictures without numbers went with which of two holes is in doubt, though all of them are counted', async () => {
  const { bytes, index } = film()
  const { offset } = (await read(bytes)).walk.chunks
  const zeroed = bytes.slice().fill(0, index)
  const torn = without(zeroed, offset[80] + 100, offset[84] + 100)
  const { report } = await repaired(without(torn, offset[20] + 100, offset[24] + 100))
  expect(codes(report)).toContain('times')
})
