import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import type { Codec } from '../../src/codecs/codec.ts'
import { Unit } from '../../src/codecs/recogniser.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import { noise, readerOf, recogniserFor, replay, trackOf } from './replay.ts'
import { streamFixture } from './stream-fixture.ts'

/** What no bytes may make a recogniser do. */
export function survivesHostileBytes(
  codec: Codec,
  names: readonly string[],
  framing: TrackDescription['framing'],
): void {
  describe(`${codec.name} in ${framing} framing, given hostile bytes`, () => {
    it('never throws and never reads a unit past the end', () => {
      const fixtures = names.map(streamFixture)
      fc.assert(
        fc.property(
          fc.constantFrom(...fixtures),
          fc.uint8Array({ maxLength: 600 }),
          fc.nat(),
          fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
          (fixture, random, at, flips) => {
            // real bytes with random ones in the middle and single bytes overwritten
            const bytes = fixture.bytes.slice()
            bytes.set(random.subarray(0, bytes.length), at % Math.max(1, bytes.length - random.length))
            for (const [place, value] of flips) bytes[place % bytes.length] = value
            const recogniser = recogniserFor(codec, fixture, framing)
            const reader = readerOf(bytes)
            const unit = new Unit()
            for (let offset = 0; offset < bytes.length; ) {
              const found = recogniser.search(reader, offset, bytes.length)
              expect(found).toBeGreaterThanOrEqual(offset)
              expect(found).toBeLessThanOrEqual(bytes.length)
              if (found === bytes.length) break
              offset = found + 1
              if (!recogniser.recognise(reader, found, bytes.length, unit)) continue
              expect(unit.length).toBeGreaterThan(0)
              expect(found + unit.length).toBeLessThanOrEqual(bytes.length)
              expect(Number.isFinite(unit.evidence)).toBe(true)
              recogniser.accept(reader, found, unit)
              expect(Number.isSafeInteger(unit.order)).toBe(true)
              recogniser.intact?.(reader, found, unit.length)
              offset = found + unit.length
            }
          },
        ),
        { numRuns: 150 },
      )
    })

    it('ends a search that is told to go on behind the last byte', () => {
      for (const fixture of names.map(streamFixture)) {
        const { bytes } = fixture
        for (const config of [fixture.config, new Uint8Array(0)]) {
          const recogniser = codec.recogniser(trackOf({ ...fixture, config }, framing))
          for (let from = bytes.length - 9; from < bytes.length; from++) {
            const found = recogniser?.search(new ImpatientReader(bytes), from, bytes.length + 16) ?? from
            expect(found).toBeGreaterThanOrEqual(from)
            expect(found).toBeLessThanOrEqual(bytes.length + 16)
          }
        }
      }
    })

    it('finds nothing with much evidence in random bytes', () => {
      const [name] = names
      const fixture = streamFixture(name)
      const recogniser = recogniserFor(codec, fixture, framing)
      replay(recogniser, fixture.bytes)
      recogniser.discontinuity()
      const bytes = noise(2_000_000, 42)
      const reader = readerOf(bytes)
      const unit = new Unit()
      let most = 0
      for (let at = recogniser.search(reader, 0, bytes.length); at < bytes.length; ) {
        if (recogniser.recognise(reader, at, bytes.length, unit)) most = Math.max(most, unit.evidence)
        at = recogniser.search(reader, at + 1, bytes.length)
      }
      // two million places hold chance matches of about 21 bits
      expect(most).toBeLessThan(32)
    })
  })
}

/** Reads of the last few bytes of a file that no search has reason for. */
const PATIENCE = 100_000

/** Throws instead of being read for ever. */
class ImpatientReader extends ByteReader {
  #left = PATIENCE

  constructor(bytes: Uint8Array) {
    super(new MemorySource(bytes))
  }

  override u8(offset: number): number {
    if (this.#left-- === 0) throw new Error(`read on and on at byte ${offset}`)
    return super.u8(offset)
  }
}
