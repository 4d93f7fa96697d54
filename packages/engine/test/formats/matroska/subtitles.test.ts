import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import { clusters, headLost } from '../../../src/formats/matroska/recipes.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { element, text, unsigned } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesOf, remade } from './support/remade.ts'

const TRACK = 3
const SUBTITLES = 17

/** Presentation and window, an object of `i` bytes and the end of what belongs together. */
function presentation(i: number): number[] {
  const object = Array.from({ length: 40 + i }, (_, at) => (at * 37 + i) & 255)
  const shown = [0x16, 0, 11, 2, 208, 1, 224, 0x10, 0, i, 0x80, 0, 0, 0]
  return [...shown, 0x17, 0, 3, 1, 0, i, 0x15, 0, object.length, ...object, 0x80, 0, 0]
}

/**
 * A subpicture: size, place of its commands, pixels, colours, contrast, area and where pixels begin, and a second one of no more.
 */
function subpicture(i: number): number[] {
  const pixels = Array.from({ length: 30 + i }, (_, at) => (at * 53 + i) & 255)
  const control = 4 + pixels.length
  const commands = [1, 3, 0x32, 0x10, 4, 0xff, 0xf0, 5, 0, 2, 207, 0, 2, 63, 6, 0, 4, 0, 60, 0xff]
  const second = control + 4 + commands.length
  const size = second + 6
  const link = [second >> 8, second & 255]
  const front = [size >> 8, size & 255, control >> 8, control & 255]
  return [...front, ...pixels, 0, 0, ...link, ...commands, 0, 90, ...link, 2, 0xff]
}

const KINDS = [
  ['text', 'S_TEXT/UTF8', (i: number) => [...Buffer.from(`Zeile ${i}: größer`)], 'S_TEXT/UTF8', 'partial'],
  [
    'styled text',
    'S_TEXT/ASS',
    (i: number) => [...Buffer.from(`${i},0,Default,,0,0,0,,x`)],
    'S_TEXT/UTF8',
    'partial',
  ],
  ['pictures as on Blu-ray discs', 'S_HDMV/PGS', presentation, 'S_HDMV/PGS', 'repaired'],
  ['pictures as on DVDs', 'S_VOBSUB', subpicture, 'S_VOBSUB', 'partial'],
] as const

describe.each(KINDS)('subtitles that are %s', (_kind, codecId, frame, told, verdict) => {
  const film = remade(fixtureOf(matroska, 'mkv-h264-aac'), {
    entries: (own) => [
      ...own,
      element(
        ids.TRACK_ENTRY,
        unsigned(ids.TRACK_NUMBER, TRACK),
        unsigned(ids.TRACK_UID, TRACK),
        unsigned(ids.TRACK_TYPE, SUBTITLES),
        text(ids.CODEC_ID, codecId),
      ),
    ],
    further: Array.from({ length: 10 }, (_, i) => ({
      ...{ track: TRACK, time: 60 + i * 130, duration: 110 },
      bytes: Uint8Array.from(frame(i)),
    })),
  })
  const codecIds = async (bytes: Uint8Array): Promise<string[]> => {
    const { tracks } = await walk(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT, [])
    return tracks.map((track) => track.codecId)
  }

  it('stay at their times behind a hole', async () => {
    const whole = await film
    const { start, end } = clusters(whole)
    const middle = (start + end) >> 1
    const { report, bytes } = await repairRecording(whole.slice().fill(0, middle, middle + 2_000), 'mkv')
    expect(report.verdict).toBe('repaired')
    const before = (await framesOf(whole)).filter((one) => one.startsWith(`${TRACK} `))
    const after = (await framesOf(bytes)).filter((one) => one.startsWith(`${TRACK} `))
    expect(after.filter((one) => !before.includes(one))).toEqual([])
    expect(after.length).toBeGreaterThanOrEqual(before.length - 2)
  })

  it('are described by a sample where the head is gone, and without one by what they are', async () => {
    const whole = await film
    const withSample = await repairRecording(headLost(whole), 'mkv', whole)
    expect(withSample.report.verdict).toBe('repaired')
    expect(await codecIds(withSample.bytes)).toEqual(await codecIds(whole))
    const { report, bytes } = await repairRecording(headLost(whole), 'mkv')
    expect(report.verdict).toBe(verdict)
    expect(await codecIds(bytes)).toEqual(['V_MPEG4/ISO/AVC', 'A_AAC', told])
    expect(await framesOf(bytes)).toEqual(await framesOf(whole))
  })
})
