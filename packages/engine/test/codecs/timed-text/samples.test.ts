import { describe, expect, it } from 'vitest'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { quickTimeText, timedText } from '../../../src/codecs/timed-text/index.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'

const TRACK: TrackDescription = {
  ...{ id: 1, kind: 'text', codec: 'tx3g', timescale: 1000, config: new Uint8Array(0), framing: 'raw' },
}

/** A sample of text, and of boxes behind it. */
function sample(text: Uint8Array, ...boxes: string[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(text.length >> 8, text.length & 255), text]
  for (const type of boxes) parts.push(Uint8Array.of(0, 0, 0, 12), Buffer.from(type), new Uint8Array(4))
  return new Uint8Array(Buffer.concat(parts))
}

const SAMPLES = [
  sample(Buffer.from('Straße nach Süden, 12:30')),
  sample(new Uint8Array(0)),
  sample(Buffer.from('— Wer da?\n— Ich.'), 'styl', 'tbox'),
  sample(Uint8Array.of(0xfe, 0xff, 0, 0x48, 0, 0x69)),
  // text of an encoding of its own
  sample(Uint8Array.of(0x53, 0x9f, 0x64, 0x65, 0x6e)),
  sample(Buffer.from('Ende'), 'encd'),
]

describe.each([timedText, quickTimeText])('$name', (codec) => {
  it('is measured sample by sample', () => {
    const recogniser = codec.recogniser(TRACK)
    const bytes = new Uint8Array(Buffer.concat([...SAMPLES, noise(300, 3)]))
    const unit = new Unit()
    let at = 0
    for (const { length } of SAMPLES) {
      expect(recogniser?.recognise(readerOf(bytes), at, bytes.length, unit) && unit.length).toBe(length)
      at += length
    }
  })

  it('speaks for itself only where it is text', () => {
    const recogniser = codec.recogniser(TRACK)
    const unit = new Unit()
    const bytes = noise(100_000, 7)
    const reader = readerOf(bytes)
    let found = 0
    for (let at = 0; at < bytes.length; at++)
      if (recogniser?.recognise(reader, at, bytes.length, unit) && unit.evidence >= 16) found++
    expect(found).toBeLessThanOrEqual(4)
    recogniser?.recognise(readerOf(SAMPLES[0]), 0, SAMPLES[0].length, unit)
    expect(unit.evidence).toBeGreaterThan(20)
  })

  it('is not seen in what was zeroed', () => {
    const recogniser = codec.recogniser(TRACK)
    const bytes = new Uint8Array(200)
    bytes.set(SAMPLES[0], 150)
    const unit = new Unit()
    for (let at = 0; at < 140; at++)
      expect(recogniser?.recognise(readerOf(bytes), at, bytes.length, unit)).toBe(false)
  })
})
