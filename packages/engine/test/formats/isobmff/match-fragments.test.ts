import { expect, it } from 'vitest'
import { matchFragments } from '../../../src/formats/isobmff/ways/match-fragments.ts'
import { ISO_DRAFTS } from '../../../src/formats/isobmff/write/iso-drafts.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { pcmTrack } from '../../../src/recording/deduce/sounds.ts'
import type { DraftTrack } from '../../../src/recording/draft.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { box, fullBox, joined, words } from '../../../testing/adversaries/bytes.ts'
import { readerOf } from './support/engine.ts'

const KIND = { bits: 16, facts: { endian: 'little', bitsPerSample: 16, signed: 1 } } as const
const PICTURE = 100
const PICTURE_TICKS = 1024
const PACKET_FRAMES = 1920
const PACKET = PACKET_FRAMES * 4
const FRAGMENTS = 6
/** Pictures and packets of sound of a fragment: a fifth of a second of either at 15 pictures a second and 48 kHz. */
const PICTURES = 3
const PACKETS = 5

function traf(id: number, start: number, count: number, duration: number, size: number, at: number) {
  return box(
    'traf',
    fullBox('tfhd', 0x02_0018, words([id, duration, size])),
    fullBox('tfdt', 0, words([start])),
    fullBox('trun', 1, words([count, at])),
  )
}

function fragment(index: number): Uint8Array {
  const sized = (head: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', 0, words([index + 1])),
      traf(1, index * PICTURES * PICTURE_TICKS, PICTURES, PICTURE_TICKS, PICTURE, head + 8),
      traf(2, index * PACKETS * PACKET_FRAMES, PACKETS, PACKET_FRAMES, PACKET, head + 8 + PICTURES * PICTURE),
    )
  const payload = new Uint8Array(PICTURES * PICTURE + PACKETS * PACKET)
  return joined([sized(sized(0).length), box('mdat', payload)])
}

/** What pictures at `rate` a second and sound of 48 kHz make of the fragments. */
function match(rate: number) {
  const bytes = joined(Array.from({ length: FRAGMENTS }, (_, i) => fragment(i)))
  const reader = readerOf(bytes)
  const moofs = readChildren(reader, 0, bytes.length).boxes.filter(({ type }) => type === 'moof')
  const sound = pcmTrack(KIND, 2, 48_000).track
  const picture: DraftTrack = {
    kind: 'audio',
    ...(sound.coding ? { coding: sound.coding } : {}),
    timescale: rate * 1000,
    unit: 1000,
  }
  const draft = { tracks: [picture, sound] }
  const descriptions = ISO_DRAFTS.describe(draft)
  if (!descriptions) throw new Error('the draft makes no movie')
  const tables = [new SampleTable(99), new SampleTable(99)]
  for (const [i, moof] of moofs.entries()) {
    const at = moof.offset + moof.size + 8
    tables[0].push(at, PICTURE, 1, 1000, i, 0)
    tables[1].push(at + PICTURES * PICTURE, PACKET, PACKET_FRAMES, PACKET_FRAMES, i, 0)
  }
  const tracks = descriptions.map((description, i) => ({ description, samples: tables[i] }))
  const known = { rateKnown: true, soundKnown: true, said: undefined, facts: [], pictures: undefined }
  return matchFragments(reader, moofs, { draft, tracks, ...known }, 1000)
}

it('plain sound keeps its rate, however many sample frames fragments take for a sample', () => {
  const scales = match(15)?.movie.tracks.map(({ mediaHeader }) => mediaHeader.timescale)
  expect(scales?.[1]).toBe(48_000)
})

it('fragments tell whether the rates of tracks agree', () => {
  expect(match(15)?.level).toBe(true)
  expect(match(12)?.level).toBe(false)
})
