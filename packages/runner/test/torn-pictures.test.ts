import { writeFileSync } from 'node:fs'
import { FORMATS, type Verification } from '@mendframe/engine'
import { fixturesOf } from '@mendframe/engine/testing'
import { expect, test } from 'vitest'
import { runRepair } from '../src/index.ts'
import { withPlaces, withTornPictures } from '../src/torn-pictures.ts'
import { Folder } from './folder.ts'

function fixture(wanted = 'hevc-b-aac'): Buffer {
  const [isobmff] = FORMATS.filter(({ name }) => name === 'isobmff')
  const found = isobmff && fixturesOf(isobmff).find(({ name }) => name === wanted)
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

async function repaired(bytes: Uint8Array, figures = SILENT) {
  using folder = new Folder()
  const damaged = folder.file('damaged.mp4')
  writeFileSync(damaged, bytes)
  return await runRepair({ damaged, output: folder.file('out.mp4'), verify: async () => figures })
}

test.each([
  ['hevc', 'hevc-b-aac'],
  ['h264', 'h264-silent'],
])(
  'a picture of %s that was hit inside is found though the decoder shows it without a word, and is placed',
  async (codec, name) => {
    const bytes = fixture(name)
    // the middle of the payload lies in some picture's coded blocks
    const payload = bytes.indexOf('mdat')
    for (let at = 0; at < 40; at++) bytes[payload + PLACE + at] = (at * 151 + 17) & 0xff
    const tracks = SILENT.tracks.map((track) => (track.kind === 'video' ? { ...track, codec } : track))
    const report = await repaired(bytes, { ...SILENT, tracks })
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toContain('torn-pictures')
    const video = report.kind === 'recording' ? report.tracks.find(({ kind }) => kind === 'video') : undefined
    expect(video?.damaged).toBe(1)
    expect(video?.ranges.filter(({ state }) => state === 'damaged')).toHaveLength(1)
  },
)

test('a healthy film stays healthy, and its report has its tracks', async () => {
  const report = await repaired(fixture())
  expect(report.verdict).toBe('healthy')
  expect(report.kind === 'recording' && report.tracks.map(({ kind, damaged }) => [kind, damaged])).toEqual([
    ['video', 0],
    ['audio', 0],
  ])
})

test('torn pictures go to the track of their place, and are not told where a fault is known', () => {
  const [video, audio] = SILENT.tracks
  if (!video || !audio) throw new Error('no tracks')
  const known = { start: 1, end: 1.04, units: 1 }
  const tracks = [video, audio, { ...video, faults: [known] }]
  const torn = [0.5, 1, 1.04, 1.08, 1.2].map((start) => ({ start, end: start + 0.04, decoded: start }))
  const told = withPlaces({ ...SILENT, tracks }, [{ place: 1, torn }])
  expect(told.tracks.map(({ faults }) => faults?.length ?? 0)).toEqual([0, 0, 5])
  expect(told.tracks[2]?.faults?.slice(0, 3)).toEqual([
    { start: 0.5, end: 0.54, units: 1, likely: true, decoded: 0.5 },
    known,
    { start: 1.04, end: 1.08, units: 1, likely: true, decoded: 1.04 },
  ])
})

test('a torn picture touches no fault whose end it is rounded to, and takes its place by time', () => {
  const [video] = SILENT.tracks
  if (!video) throw new Error('no tracks')
  const at = (start: number, end: number) => ({ start, end, units: 1 })
  const tracks = [{ ...video, faults: [at(1, 1.04), at(3, 3.04)] }]
  const torn = [2, 1.0385, 0.9615, 1.037, 0.963].map((start) => ({ start, end: start + 0.04, decoded: 5 }))
  const told = withPlaces({ ...SILENT, tracks }, [{ place: 0, torn }]).tracks[0]?.faults
  expect(told?.map(({ start }) => start)).toEqual([0.9615, 1, 1.0385, 2, 3])
  expect(withPlaces({ ...SILENT, tracks }, [{ place: 1, torn }]).tracks).toEqual(tracks)
})

test('nothing is read where nothing decodes, or no pictures of a kind that is read are there', async () => {
  const [video, audio] = SILENT.tracks
  if (!video || !audio) throw new Error('no tracks')
  for (const figures of [
    { ...SILENT, decodable: false },
    { ...SILENT, tracks: [audio] },
    { ...SILENT, tracks: [{ ...video, codec: 'mjpeg' }] },
  ])
    expect(await withTornPictures('/nowhere', figures, {})).toBe(figures)
  await expect(withTornPictures('/nowhere', SILENT, {})).rejects.toThrow(/no such file/)
})

test('a decoder that complains of a picture is told what reading it shows, and weak signs are told to nobody else', () => {
  const [video] = SILENT.tracks
  if (!video) throw new Error('no track')
  const tracks = [{ ...video, faults: [{ start: 1, end: 1.08, units: 2 }] }]
  const torn = [1, 1.04, 2].map((start) => ({
    ...{ start, end: start + 0.04, decoded: start },
    ...{ inside: true as const, weak: true as const },
  }))
  const told = withPlaces({ ...SILENT, tracks }, [{ place: 0, torn }])
  expect(told.tracks[0]?.faults).toEqual([{ start: 1, end: 1.08, units: 2, inside: 2 }])
})

/** Bytes behind the payload's box type. */
const PLACE = 2_000
