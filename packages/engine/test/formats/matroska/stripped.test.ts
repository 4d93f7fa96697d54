import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { FrameChecker, UNKNOWN_BITS } from '../../../src/formats/matroska/read/frame-checker.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import { clusters } from '../../../src/formats/matroska/recipes.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { element, unsigned } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesOf, remade } from './support/remade.ts'

const PICTURES = 1
/** ContentCompAlgo of bytes that all frames begin with, RFC 9559 §5.1.4.1.31.6. */
const HEADER_STRIPPING = 3

/** An entry with what says that each frame lost a zero, the first byte of every NAL unit's length here. */
function stripping(entry: Uint8Array): Uint8Array {
  const body = entry.subarray(entry.findIndex((byte, i) => byte === ids.TRACK_NUMBER && i > 0))
  const compression = element(
    ids.CONTENT_COMPRESSION,
    unsigned(ids.CONTENT_COMP_ALGO, HEADER_STRIPPING),
    element(ids.CONTENT_COMP_SETTINGS, [0]),
  )
  return element(
    ids.TRACK_ENTRY,
    body,
    element(ids.CONTENT_ENCODINGS, element(ids.CONTENT_ENCODING, compression)),
  )
}

const whole = await remade(fixtureOf(matroska, 'mkv-h264-aac'), {
  entries: ([pictures, ...others]) => [stripping(pictures), ...others],
  stored: (track, frame) => (track === PICTURES ? frame.subarray(1) : frame),
})

it('pictures of which the front is stored once are healthy, and are judged with it', async () => {
  expect((await repairRecording(whole, 'mkv')).report.verdict).toBe('healthy')
  const { tracks, blocks } = await walk(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT, [])
  const rows = [...blocks.track.subarray(0, blocks.length).keys()].filter(
    (row) => blocks.track[row] === PICTURES,
  )
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const frame = whole.slice(blocks.payload[row], blocks.end[row])
    const bitsOf = (bytes: Uint8Array): number =>
      new FrameChecker(new ByteReader(new MemorySource(bytes)), tracks[0]).bits(0, bytes.length)
    expect(bitsOf(frame)).toBeGreaterThan(UNKNOWN_BITS)
    // the rest of the first unit's length
    frame[1] ^= 0x40
    expect(bitsOf(frame)).toBe(0)
  }
})

it('a sample shows how they are coded where the head is gone, with the first pictures', async () => {
  const { start, end } = clusters(whole)
  const damaged = whole.slice().fill(0, 0, start + ((end - start) >> 3))
  const { report, bytes } = await repairRecording(damaged, 'mkv', whole)
  expect(report.doubts?.map(({ code }) => code) ?? []).not.toContain('assumed')
  expect(report.sample?.used).toContain('codec configuration')
  const known = new Set((await framesOf(whole)).map((frame) => frame.replace(/ \S+/, '')))
  const kept = (await framesOf(bytes)).map((frame) => frame.replace(/ \S+/, ''))
  expect(kept.filter((frame) => !known.has(frame))).toEqual([])
  expect(kept.length).toBeGreaterThan(known.size * 0.8)
})
