import { describe, expect, it } from 'vitest'
import { mhas } from '../../../src/codecs/mhas/index.ts'
import type { Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, readerOf, recognisedIn } from '../support/scan.ts'
import { randomBytes } from '../support/signals.ts'

const bits = (value: number, count: number): string => value.toString(2).padStart(count, '0')
const escaped = (value: number, [first, ...more]: readonly number[]): string => {
  const most = 2 ** first - 1
  return value < most || more.length === 0
    ? bits(value, first)
    : bits(most, first) + escaped(value - most, more)
}

/** A packet of an MHAS stream. */
function packet(type: number, label: number, body: readonly number[]): number[] {
  const head = escaped(type, [3, 8, 8]) + escaped(label, [2, 8, 32]) + escaped(body.length, [11, 24, 24])
  return [...(head.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)), ...body]
}

const SYNC = packet(6, 0, [0xa5])
/** 48,000 Hz, 1,024 samples a frame. */
const CONFIGURATION = packet(1, 1, [0x10, 0b00011_001, 0x40, 0x40, 0, 0x36])
const frame = (size: number, seed: number, label = 1): number[] =>
  packet(2, label, [0x20, 0x20, ...randomBytes(size, seed)])

const UNITS = Array.from({ length: 12 }, (_, i) =>
  Uint8Array.from([
    ...(i % 4 === 0 ? [...SYNC, ...CONFIGURATION, ...packet(3, 1, [1, 2, 3])] : []),
    ...frame(i === 5 ? 3000 : 60 + 30 * i, i + 1),
  ]),
)

function recogniser(config: readonly number[] = []): Recogniser {
  const made = mhas.recogniser(audioTrack('mhas', Uint8Array.from(config), { sampleRate: 44_100 }))
  if (!made) throw new Error('no recogniser')
  return made
}

const recognised = (bytes: readonly number[]): Unit | undefined => recognisedIn(recogniser(), bytes)

describe('frames of MPEG-H in packets', () => {
  it('end with the packet of the frame', () => {
    expectExact(recogniser, UNITS)
  })

  it('are keys with a configuration, which tells how long they sound', () => {
    const longer = packet(1, 300, [0x10, 0b00011_011, 0x40])
    const units = [...longer, ...frame(30, 1, 300), ...frame(30, 2, 300), ...CONFIGURATION, ...frame(30, 3)]
    expect(chain(recogniser(), Uint8Array.from(units)).map(({ duration }) => duration)).toEqual([
      2048, 2048, 1024,
    ])
    expect(recognised([...CONFIGURATION, ...frame(30, 3)])?.key).toBe(true)
    expect(recognised(frame(30, 3))?.key).toBe(false)
    expect(recogniser().timescale).toBe(44_100)
    const record = [1, 0x10, 1, 0, 3, 0x10, 0b00011_000, 0x40]
    expect(recogniser(record).timescale).toBe(48_000)
  })

  it('may follow a marker of any length', () => {
    const unit = [...SYNC, ...CONFIGURATION, ...packet(8, 1, [0xe0, 0, 1, 2, 3, 4]), ...frame(30, 1)]
    expect(recognised(unit)?.length).toBe(unit.length)
  })

  it('sound for less time where the truncation is in force', () => {
    const truncated = (first: number) => recognised([...packet(17, 1, [first, 24]), ...frame(30, 3)])
    expect(truncated(0x80)?.duration).toBe(1000)
    expect(truncated(0x00)?.duration).toBe(1024)
  })

  it('begin with no more packets than those known where none of them synchronises', () => {
    const before = Array.from({ length: 3 }, () => packet(18, 1, [...randomBytes(200, 4)])).flat()
    const unit = [...before, ...frame(30, 1)]
    expect(recognised(unit)).toBeUndefined()
    expect(recognised([...CONFIGURATION, ...unit])).toBeUndefined()
    expect(recognised([...SYNC, ...unit])?.length).toBe(SYNC.length + unit.length)
    const taught = recogniser()
    taught.learn?.(readerOf(Uint8Array.from(unit)), 0, unit.length)
    expect(recognisedIn(taught, unit)?.length).toBe(unit.length)
  })

  it('bear the label of their configuration, whichever that is', () => {
    const learned = recogniser()
    const evidence = (label: number): number => recognisedIn(learned, frame(30, 3, label))?.evidence ?? 0
    const learn = (unit: readonly number[]): void =>
      learned.learn?.(readerOf(Uint8Array.from(unit)), 0, unit.length)
    for (let i = 0; i < 20; i++) learn(frame(30, i))
    const own = evidence(1)
    expect(evidence(2)).toBeLessThan(own)
    learn([...packet(1, 2, CONFIGURATION.slice(2)), ...frame(30, 1, 2)])
    expect(evidence(2)).toBeCloseTo(own, 1)
    expect(evidence(1)).toBeLessThan(own)
    learned.discontinuity()
    expect(evidence(2)).toBe(evidence(1))
  })

  it('hold no packet of a reserved type or a wrong size, and no configuration of reserved values', () => {
    expect(recognised([...packet(4, 1, [1]), ...frame(30, 1)])).toBeUndefined()
    expect(recognised([...packet(60, 1, [1]), ...frame(30, 1)])).toBeUndefined()
    expect(recognised([...packet(17, 1, [1, 2, 3]), ...frame(30, 1)])).toBeUndefined()
    expect(recognised([...packet(6, 0, [0xa4]), ...frame(30, 1)])).toBeUndefined()
    expect(recognised([...packet(1, 1, [0x10, 0b01101_001]), ...frame(30, 1)])).toBeUndefined()
    expect(recognised([...packet(1, 1, [0x10, 0b00011_101]), ...frame(30, 1)])).toBeUndefined()
    expect(recognised(CONFIGURATION)).toBeUndefined()
  })

  it('are rare among random bytes, and any bytes are safe', () => {
    const learned = recogniser()
    const reader = readerOf(concatenated(UNITS))
    let at = 0
    for (const { length } of UNITS) {
      learned.learn?.(reader, at, length)
      at += length
    }
    expectCalibrated(learned, 60_000, 5)
    expectHarmless(recogniser, UNITS)
  })
})
