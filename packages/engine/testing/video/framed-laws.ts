import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/codecs/codec.ts'
import { Unit } from '../../src/codecs/recogniser.ts'
import { noise, readerOf, recogniserFor } from './replay.ts'
import { streamFixture } from './stream-fixture.ts'

/** What codecs must do whose frames' ends only the container knows. */
export function tellsKeyFrames(codec: Codec, name: string): void {
  const fixture = streamFixture(name)
  const { bytes, packets } = fixture

  describe(name, () => {
    it('recognises each frame within its block, and tells the key frames', () => {
      const recogniser = recogniserFor(codec, fixture, 'raw')
      const reader = readerOf(bytes)
      const unit = new Unit()
      const seen = packets.map(({ offset, size }) => {
        expect(recogniser.recognise(reader, offset, offset + size, unit)).toBe(true)
        return { size: unit.length, key: unit.key, known: unit.lengthKnown }
      })
      expect(seen).toEqual(packets.map(({ size, key }) => ({ size, key, known: false })))
    })

    it('finds key frames by searching', () => {
      const recogniser = recogniserFor(codec, fixture, 'raw')
      const file = Uint8Array.of(...noise(700, 5), ...bytes)
      const found = recogniser.search(readerOf(file), 0, file.length)
      const unit = new Unit()
      expect(found).toBe(700)
      expect(recogniser.recognise(readerOf(file), found, file.length, unit)).toBe(true)
      expect(unit.evidence).toBeGreaterThan(40)
    })

    it('takes any bytes', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 64 }), (random) => {
          const recogniser = recogniserFor(codec, fixture, 'raw')
          const unit = new Unit()
          const reader = readerOf(random)
          if (recogniser.recognise(reader, 0, random.length, unit)) expect(unit.length).toBe(random.length)
          const found = recogniser.search(reader, 0, random.length)
          expect(found).toBeLessThanOrEqual(random.length)
        }),
      )
    })
  })
}
