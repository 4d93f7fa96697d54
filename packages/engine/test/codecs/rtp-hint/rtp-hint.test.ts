import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { rtpHint } from '../../../src/codecs/rtp-hint/index.ts'
import { amrTrack, carryingHintTrack, hintTrack } from '../../../testing/recordings/tracks.ts'
import type { RecordingTrack } from '../../../testing/recordings/write-recording.ts'
import { noise, readerOf, replay } from '../../../testing/video/replay.ts'

const SPEECH = amrTrack(40, 5)
const KINDS = { referring: hintTrack(SPEECH, 96), carrying: carryingHintTrack(SPEECH, 97) }

/** A recogniser that has seen a healthy recording of the track. */
function taught({ units }: RecordingTrack): Recogniser {
  const recogniser = rtpHint.recogniser({
    ...{ id: 1, kind: 'data', codec: 'rtp', timescale: 8000, config: new Uint8Array(0), framing: 'raw' },
  })
  if (!recogniser) throw new Error('no recogniser')
  for (const { bytes } of units) recogniser.learn?.(readerOf(bytes), 0, bytes.length)
  return recogniser
}

describe.each(Object.entries(KINDS))('hint samples, %s', (_, track) => {
  const bytes = new Uint8Array(Buffer.concat(track.units.map((unit) => unit.bytes)))

  it('are measured one by one, those without packets too', () => {
    const seen = replay(taught(track), new Uint8Array(Buffer.concat([bytes, noise(300, 3)])))
    expect(seen.map(({ length }) => length)).toEqual(track.units.map((unit) => unit.bytes.length))
  })

  it('are found by searching, and by chance nowhere', () => {
    const recogniser = taught(track)
    const before = noise(100_000, 7)
    const file = new Uint8Array(Buffer.concat([before, bytes]))
    const unit = new Unit()
    const reader = readerOf(file)
    let at = recogniser.search(reader, 0, file.length)
    while (!recogniser.recognise(reader, at, file.length, unit))
      at = recogniser.search(reader, at + 1, file.length)
    expect(at).toBe(before.length)
    expect(unit.evidence).toBeGreaterThan(80)
  })

  it('are not seen in what was zeroed', () => {
    const recogniser = taught(track)
    const unit = new Unit()
    const reader = readerOf(new Uint8Array(200))
    for (let at = 0; at < 190; at++) {
      expect(recogniser.recognise(reader, at, 200, unit)).toBe(false)
      expect(recogniser.recognise(reader, at, at + 4, unit)).toBe(false)
    }
  })

  it('take any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(60), (random, at) => {
        const file = Uint8Array.of(...bytes.subarray(0, at), ...random)
        const recogniser = taught(track)
        const unit = new Unit()
        if (recogniser.recognise(readerOf(file), 0, file.length, unit))
          expect(unit.length).toBeLessThanOrEqual(file.length)
        expect(recogniser.search(readerOf(file), 0, file.length)).toBeLessThanOrEqual(file.length)
      }),
    )
  })
})

it('packets of another payload type are another track’s', () => {
  const unit = new Unit()
  const [{ bytes }] = KINDS.carrying.units
  expect(taught(KINDS.referring).recognise(readerOf(bytes), 0, bytes.length, unit)).toBe(false)
})
