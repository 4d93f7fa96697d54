import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/codecs/codec.ts'
import { type Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import { displayed, interleave, noise, readerOf, recogniserFor, replay } from './replay.ts'
import { streamFixture } from './stream-fixture.ts'

/** What every codec must do on a stored stream whose container knows the boundaries, times and key pictures. */
export function obeysStreamLaws(
  codec: Codec,
  name: string,
  framing: TrackDescription['framing'],
  learned: 'learned' | 'unlearned' = 'unlearned',
): void {
  const fixture = streamFixture(name)
  const { packets, bytes } = fixture
  const fresh = (): Recogniser => {
    const recogniser = recogniserFor(codec, fixture, framing)
    if (learned === 'learned') {
      for (const { offset, size } of packets) recogniser.learn?.(readerOf(bytes), offset, size)
    }
    return recogniser
  }
  const boundaries = packets.map(({ offset, size }) => [offset, size])

  describe(name, () => {
    it('finds every packet back to back, each at its exact length', () => {
      const seen = replay(fresh(), bytes)
      expect(seen.map(({ offset, length }) => [offset, length])).toEqual(boundaries)
    })

    it('shows the pictures in the order of their presentation times', () => {
      const times = displayed(replay(fresh(), bytes)).map((index) => packets[index].pts)
      expect(times).toEqual([...times].sort((a, b) => a - b))
    })

    it('marks the key pictures', () => {
      expect(replay(fresh(), bytes).map(({ key }) => key)).toEqual(packets.map(({ key }) => key))
    })

    for (const [kind, filler] of framing === 'startcode'
      ? []
      : ([
          ['random bytes', (index: number) => noise(37 + index * 3, index + 1)],
          ['zeros', (index: number) => new Uint8Array(64 + index)],
          [
            'quiet sound',
            (index: number) => noise(64 + index, index).map((value, at) => (at % 2 ? value & 7 : 0)),
          ],
        ] as const)) {
      it(`ends each unit where ${kind} of another track begin`, () => {
        const { bytes: file, starts } = interleave(fixture, filler)
        const seen = replay(fresh(), file, starts)
        expect(seen.map(({ length }) => length)).toEqual(packets.map(({ size }) => size))
      })
    }

    it('finds every start by searching', () => {
      const recogniser = fresh()
      const { bytes: file, starts } = interleave(fixture, (index) => noise(50, index + 7))
      const reader = readerOf(file)
      const unit = new Unit()
      const found: number[] = []
      replay(recogniser, bytes)
      for (let at = 0; at < file.length; at++) {
        at = recogniser.search(reader, at, file.length)
        if (at < file.length && recogniser.recognise(reader, at, file.length, unit)) found.push(at)
      }
      expect(found).toEqual(expect.arrayContaining(starts))
    })

    it('refuses a unit that is cut off', () => {
      const recogniser = fresh()
      replay(recogniser, bytes)
      const unit = new Unit()
      for (const { offset, size } of packets.slice(0, 6)) {
        const cut = bytes.slice(offset, offset + size - 1)
        const whole = recogniser.recognise(readerOf(cut), 0, cut.length, unit)
        if (framing === 'length') expect(whole).toBe(false)
        else expect(whole ? unit.length : 0).toBeLessThanOrEqual(cut.length)
      }
    })

    it('says the same when asked twice', () => {
      const recogniser = fresh()
      const reader = readerOf(bytes)
      const [first, second] = [new Unit(), new Unit()]
      for (const { offset } of packets) {
        recogniser.recognise(reader, offset, bytes.length, first)
        recogniser.recognise(reader, offset, bytes.length, second)
        expect([second.length, second.evidence, second.key]).toEqual([
          first.length,
          first.evidence,
          first.key,
        ])
        recogniser.accept(reader, offset, first)
      }
    })
  })
}
