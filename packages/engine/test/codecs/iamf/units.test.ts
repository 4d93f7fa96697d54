import { describe, expect, it } from 'vitest'
import { iamf } from '../../../src/codecs/iamf/index.ts'
import type { Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, concatenated, readerOf, recognisedIn } from '../support/scan.ts'
import { randomBytes } from '../support/signals.ts'

const leb128 = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, value >> 7])
const obu = (type: number, body: readonly number[], flags = 0): number[] => [
  (type << 3) | flags,
  ...leb128(body.length),
  ...body,
]
const ascii = (text: string): number[] => Array.from(text, (sign) => sign.charCodeAt(0))

/** A version and descriptors: a sequence header, a codec of 960 samples, an element of substreams 0, 1 and 30. */
const DESCRIPTORS = [
  ...obu(31, [...ascii('iamf'), 1, 1]),
  ...obu(0, [0, ...ascii('Opus'), ...leb128(960), 0xff, 0xfc, 1, 2, 3]),
  ...obu(1, [...leb128(300), 0, 0, 3, 0, 1, 30, 0]),
]
const RECORD = Uint8Array.from([1, ...leb128(DESCRIPTORS.length), ...DESCRIPTORS])

const frame = (size: number, seed: number): number[] => [0xfc, ...randomBytes(size, seed)]

/** Temporal units with a parameter block before every other one. */
const UNITS = Array.from({ length: 12 }, (_, i) =>
  Uint8Array.from([
    ...(i % 2 === 0 ? obu(3, [100, 64, 64]) : []),
    ...obu(6, frame(40 + 30 * i, i + 1)),
    ...obu(7, frame(20 + i, i + 50)),
    ...obu(5, [30, ...frame(9, i + 90)]),
  ]),
)

function recogniser(record = RECORD): Recogniser {
  const made = iamf.recogniser(audioTrack('iamf', record))
  if (!made) throw new Error('no recogniser')
  return made
}

const recognised = (bytes: readonly number[]): Unit | undefined => recognisedIn(recogniser(), bytes)

describe('temporal units of immersive audio', () => {
  it('end behind the last substream’s frame', () => {
    expectExact(recogniser, UNITS)
  })

  it('sound for less time where samples are trimmed', () => {
    const last = [...obu(6, [2, 10, ...frame(30, 1)], 2), ...obu(7, frame(30, 2)), ...obu(5, [30, 1])]
    expect(recognised(last)).toMatchObject({ length: last.length, duration: 948, key: true })
  })

  it('hold a frame of each substream, of no other, and none twice', () => {
    const [first, second, third] = [obu(6, frame(30, 1)), obu(7, frame(30, 2)), obu(5, [30, 1])]
    expect(recognised([...first, ...third, ...second])?.length).toBe(70)
    expect(recognised([...first, ...second])).toBeUndefined()
    expect(recognised([...first, ...first, ...second, ...third])).toBeUndefined()
    expect(recognised([...first, ...second, ...obu(8, [1]), ...third])).toBeUndefined()
    expect(recognised([...first, ...second, ...obu(5, [30])])).toBeUndefined()
    expect(recognised([...obu(4, []), ...first, ...second, ...third])).toBeUndefined()
    expect(recognised([...obu(6, frame(30, 1), 4), ...second, ...third])).toBeUndefined()
    const extended = obu(6, [2, 7, 7, ...frame(30, 1)], 1)
    expect(recognised([...extended, ...second, ...third])?.duration).toBe(960)
  })

  it('begin with the substream that all known ones begin with', () => {
    const [first, second, third] = [obu(6, frame(30, 1)), obu(7, frame(30, 2)), obu(5, [30, 1])]
    const [usual, other] = [
      [...first, ...second, ...third],
      [...second, ...third, ...first],
    ]
    const taught = recogniser()
    taught.learn?.(readerOf(Uint8Array.from(usual)), 0, usual.length)
    expect(recognisedIn(taught, other)).toBeUndefined()
    expect(recognisedIn(taught, usual)?.length).toBe(usual.length)
    taught.learn?.(readerOf(Uint8Array.from(other)), 0, other.length)
    expect(recognisedIn(taught, other)?.length).toBe(other.length)
  })

  it('are not looked for with descriptors that are cut off or name no frames', () => {
    for (let end = 0; end < RECORD.length; end++)
      expect(iamf.recogniser(audioTrack('iamf', RECORD.subarray(0, end)))).toBeUndefined()
    const empty = Uint8Array.from([1, 8, ...obu(31, [...ascii('iamf'), 1, 1])])
    expect(iamf.recogniser(audioTrack('iamf', empty))).toBeUndefined()
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
