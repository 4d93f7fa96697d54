import { afterEach, describe, expect, it, vi } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { codecNamed } from '../../src/codecs/index.ts'
import { type Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import { Allowance } from '../../src/model/allowance.ts'
import type { TrackDescription } from '../../src/model/track.ts'

afterEach(() => vi.restoreAllMocks())

const track = (codec: string, sampleRate: number): TrackDescription => ({
  id: 1,
  kind: 'audio',
  codec,
  timescale: sampleRate,
  sampleRate,
  channels: 1,
  framing: 'raw',
  config: new Uint8Array(0),
})

function made(codec: string, sampleRate: number): Recogniser {
  const recogniser = codecNamed(codec)?.recogniser(track(codec, sampleRate))
  if (!recogniser) throw new Error(`no recogniser of ${codec}`)
  return recogniser
}

/** Frames of speech at 12.2 kbit/s. */
const SPEECH = new Uint8Array(32 * 100)
for (let at = 0; at < SPEECH.length; at += 32) SPEECH[at] = 0x3c

/** Bytes with steps for so much looking. */
const readerWith = (steps: number): ByteReader =>
  new ByteReader(new MemorySource(SPEECH), new Allowance(steps))

describe('looking for units takes steps of what all searches of the bytes may take', () => {
  it('of any recogniser, and none finds anything once they are taken', () => {
    const reader = readerWith(1000)
    const looks = (): boolean => made('amr', 8000).recognise(reader, 0, SPEECH.length, new Unit())
    expect(looks()).toBe(true)
    let found = 1
    while (looks()) found++
    expect(found).toBeGreaterThan(10)
    expect(found).toBeLessThan(1000)
    expect(reader.work.spent).toBe(true)
  })

  it('in vain, too', () => {
    const reader = readerWith(100)
    const recogniser = made('amr', 8000)
    for (let look = 0; look < 100; look++)
      expect(recogniser.recognise(reader, 1, SPEECH.length, new Unit())).toBe(false)
    expect(reader.work.spent).toBe(true)
    expect(recogniser.search(reader, 0, SPEECH.length)).toBe(SPEECH.length)
  })

  it('for each byte that is searched', () => {
    const reader = readerWith(SPEECH.length)
    const recogniser = made('aac', 48_000)
    const empty = new ByteReader(new MemorySource(new Uint8Array(SPEECH.length)), reader.work)
    expect(recogniser.search(empty, 0, empty.size)).toBe(empty.size)
    expect(reader.work.spent).toBe(true)
  })

  it('for each byte of units that are checked to their end', () => {
    const reader = readerWith(SPEECH.length)
    const description = { ...track('av1', 0), kind: 'video' } as const
    const recogniser = codecNamed('av1')?.recogniser(description)
    if (!recogniser?.intact) throw new Error('nothing checks units')
    for (let look = 0; look < 8; look++) recogniser.intact(reader, 0, SPEECH.length)
    expect(reader.work.spent).toBe(true)
  })

  it('for each place where a search stops, as well', () => {
    // speech has a byte that may begin a frame every few bytes: searching from one to the next is most of the work there
    const reader = readerWith(30 * 100)
    const recogniser = made('amr', 8000)
    let stops = 0
    for (let at = 0; at < SPEECH.length; stops++) at = recogniser.search(reader, at, SPEECH.length) + 1
    expect(stops).toBeLessThanOrEqual(101)
    expect(reader.work.spent).toBe(true)
  })

  it('and no more for a unit of any size that is learned from than its beginning does', () => {
    const reader = readerWith(100_000)
    made('aac', 48_000).learn?.(reader, 0, 2 ** 40)
    expect(reader.work.spent).toBe(false)
  })
})

it('what is known of AAC before its first frame is worked out once for each configuration', () => {
  made('aac', 22_050)
  const logarithms = vi.spyOn(Math, 'log2')
  for (let i = 0; i < 10; i++) made('aac', 22_050)
  expect(logarithms).not.toHaveBeenCalled()
})
