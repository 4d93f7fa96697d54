import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesOf, remade } from './support/remade.ts'

/** So many that their neighbours are as wrong. */
const HIT_BLOCKS = 5
const HEAD = 'OpusHead'
/** Of an OpusHead, RFC 7845 §5.1. */
const MAPPING_FAMILY = 18

const whole = fixtureOf(matroska, 'webm-vp9-opus')

/** An entry whose OpusHead demands a table of channels that it does not have. */
function hit(entry: Uint8Array): Uint8Array {
  const at = Buffer.from(entry).indexOf(HEAD)
  return at < 0 ? entry : entry.slice().with(at + MAPPING_FAMILY, 0x20)
}

it('an OpusHead that no decoder reads is put right, and all packets stay', async () => {
  const film = await remade(whole, { entries: (own) => own.map(hit) })
  const { report, bytes, findings } = await repairRecording(film, 'webm')
  expect(report.verdict).toBe('repaired')
  expect(findings).toContain('matroska.element-broken')
  expect(await framesOf(bytes)).toEqual(await framesOf(film))
  expect(bytes[Buffer.from(bytes).indexOf(HEAD) + MAPPING_FAMILY]).toBe(0)
})

it('sound whose times fall back is in doubt where nothing tells which of them are wrong', async () => {
  const { tracks, blocks } = await walk(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT, [])
  const sound = tracks.find(({ description }) => description.kind === 'audio')?.number
  const rows = [...blocks.track.subarray(0, blocks.length).keys()].filter(
    (row) => blocks.track[row] === sound,
  )
  const film = whole.slice()
  // a bit of the times of several in a row
  for (const row of rows.slice(0, HIT_BLOCKS)) film[blocks.payload[row] - 3] ^= 0x20
  const { report, doubts } = await repairRecording(film, 'webm')
  expect(doubts).toContain('times')
  expect(report.tracks.map(({ times }) => times)).toContain('estimated')
})
