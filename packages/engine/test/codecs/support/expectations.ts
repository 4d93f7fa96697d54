import fc from 'fast-check'
import { expect } from 'vitest'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { chain, concatenated, evidenceInNoise, lengthsAlone, readerOf, searched } from './scan.ts'

/** Every packet is measured alone and in a chain, and a search stops at each. */
export function expectExact(make: () => Recogniser, packets: readonly Uint8Array[]): void {
  const lengths = packets.map((packet) => packet.length)
  expect(packets.length).toBeGreaterThan(3)
  expect(lengthsAlone(make(), packets)).toEqual(lengths)
  const whole = concatenated(packets)
  const units = chain(make(), whole)
  expect(units.map((unit) => unit.length)).toEqual(lengths)
  expect(units.map((unit) => unit.order)).toEqual(lengths.map((_length, index) => index))
  const places = new Set(searched(make(), whole))
  expect(units.filter((unit) => !places.has(unit.offset))).toEqual([])
}

/** In random bytes, evidence of e bits turns up in no more than one place in 2^e; four more for the scatter of small counts. */
export function expectCalibrated(recogniser: Recogniser, places: number, seed: number): number[] {
  const found = evidenceInNoise(recogniser, places, seed)
  for (let evidence = 2; evidence < 40; evidence += 2) {
    const as = found.filter((bits) => bits >= evidence).length
    expect(as, `places with ${evidence} bits`).toBeLessThanOrEqual(places * 2 ** -evidence + 4)
  }
  return found
}

/** Any bytes are safe, no unit reaches past the end, and asking twice gives the same answer. */
export function expectHarmless(make: () => Recogniser | undefined, starts: readonly Uint8Array[] = []): void {
  const start = fc.constantFrom(new Uint8Array(0), ...starts)
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 500 }), fc.nat(600), (prefix, rest, end) => {
      const recogniser = make()
      if (!recogniser) return
      const bytes = concatenated([prefix, rest])
      const reader = readerOf(bytes)
      const unit = new Unit()
      const limit = Math.min(end, bytes.length)
      for (let offset = 0; offset < limit; offset++) {
        if (!recogniser.recognise(reader, offset, limit, unit)) continue
        const { length, evidence, duration } = unit
        expect(length).toBeGreaterThan(0)
        expect(offset + length).toBeLessThanOrEqual(limit)
        expect(recogniser.recognise(reader, offset, limit, unit)).toBe(true)
        expect([unit.length, unit.evidence, unit.duration]).toEqual([length, evidence, duration])
      }
      expect(recogniser.search(reader, 0, limit)).toBeLessThanOrEqual(limit)
      recogniser.learn?.(reader, 0, limit)
      recogniser.discontinuity()
    }),
    { seed: 11, numRuns: 150 },
  )
}
