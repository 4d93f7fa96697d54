import { describe, expect, it } from 'vitest'
import { amr } from '../../../src/codecs/amr/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { expectCalibrated, expectExact, expectHarmless } from '../support/expectations.ts'
import { audioTrack, chain, concatenated, readerOf } from '../support/scan.ts'
import { randomSource } from '../support/signals.ts'

/** Bits of speech by frame type, 3GPP TS 26.101 and 26.201. */
const NARROW = [95, 103, 118, 134, 148, 159, 204, 244, 39]
const WIDE = [132, 177, 253, 285, 317, 365, 397, 461, 477, 40]

/** A frame of a type with random speech, quality good. */
function frame(type: number, bits: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(1 + Math.ceil(bits / 8))
  bytes[0] = (type << 3) | 4
  for (let bit = 0; bit < bits; bit++) if (random() & 1) bytes[1 + (bit >> 3)] |= 128 >> (bit & 7)
  return bytes
}

/** `damr`: vendor, version, mode set, mode change period, frames per sample. */
const damr = (modes: number, frames: number) =>
  Uint8Array.of(0x6d, 0x65, 0x6e, 0x64, 0, modes >> 8, modes & 255, 0, frames)

function recogniser(format: 'samr' | 'sawb', config: Uint8Array): Recogniser {
  const made = amr.recogniser(audioTrack('amr', config, { facts: { format } }))
  if (!made) throw new Error('no recogniser')
  return made
}

function units(
  sizes: readonly number[],
  types: readonly number[],
  count: number,
  frames: number,
): Uint8Array[] {
  const random = randomSource(17)
  return Array.from({ length: count }, () =>
    concatenated(
      Array.from({ length: frames }, () => {
        const type = types[random() % types.length]
        return type >= sizes.length ? Uint8Array.of((type << 3) | 4) : frame(type, sizes[type], random)
      }),
    ),
  )
}

describe('AMR samples', () => {
  it.each([
    ['AMR 12.2, one frame a sample', 'samr', NARROW, [7], 0x80, 1],
    ['AMR in every mode with silence', 'samr', NARROW, [0, 1, 2, 3, 4, 5, 6, 7, 8, 15], 0x81ff, 5],
    ['AMR 12.2, ten frames a sample', 'samr', NARROW, [7, 7, 7, 8, 15], 0x81ff, 10],
    ['AMR-WB 23.85', 'sawb', WIDE, [8], 0x83ff, 1],
    ['AMR-WB in every mode with silence', 'sawb', WIDE, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15], 0x83ff, 4],
  ] as const)('are measured exactly: %s', (_name, format, sizes, types, modes, frames) => {
    const packets = units(sizes, types, 40, frames)
    const config = damr(modes, frames)
    expectExact(() => recogniser(format, config), packets)
    const found = chain(recogniser(format, config), concatenated(packets))
    const samples = format === 'sawb' ? 320 : 160
    expect(new Set(found.map((unit) => unit.duration))).toEqual(new Set([frames * samples]))
    expect(recogniser(format, config).timescale).toBe(samples * 50)
  })

  it('speak up with the padding and the mode of the track', () => {
    const made = recogniser('samr', damr(0x80, 1))
    const found = chain(made, concatenated(units(NARROW, [7], 60, 1)))
    expect(found[59].evidence).toBeGreaterThan(11)
    expect(found[59].evidence).toBeLessThan(13)
  })

  it('learn the number of frames from the recording when the file does not tell', () => {
    const packets = units(NARROW, [7], 12, 6)
    const made = recogniser('samr', new Uint8Array(0))
    made.learn?.(readerOf(packets[0]), 0, packets[0].length)
    const found = chain(made, concatenated(packets))
    expect(found.map((unit) => unit.length)).toEqual(packets.map((packet) => packet.length))
  })

  it('may end early, with less evidence', () => {
    const [whole] = units(NARROW, [7], 1, 4)
    const cut = concatenated([whole.subarray(0, 64), Uint8Array.of(0xff, 0xff)])
    const unit = new Unit()
    const made = recogniser('samr', damr(0x80, 4))
    expect(made.recognise(readerOf(whole), 0, whole.length, unit)).toBe(true)
    const { evidence } = unit
    expect(made.recognise(readerOf(cut), 0, cut.length, unit)).toBe(true)
    expect(unit.length).toBe(64)
    expect(unit.evidence).toBeLessThan(evidence / 2)
  })

  it('of several frames end with their run behind a hole: what the hole left of one comes first', () => {
    const packets = units(NARROW, [7], 6, 5)
    const run = concatenated(packets).subarray(32 * 3)
    const picture = Uint8Array.of(0, 0, 0x80, 2)
    const reader = readerOf(concatenated([run, picture]))
    const lengths = (made: Recogniser): number[] => {
      made.learn?.(readerOf(packets[0]), 0, packets[0].length)
      made.discontinuity()
      const unit = new Unit()
      const found: number[] = []
      for (let at = 0; at < run.length; at += unit.length) {
        expect(made.recognise(reader, at, reader.size, unit)).toBe(true)
        made.accept(reader, at, unit)
        found.push(unit.length)
      }
      return found
    }
    expect(lengths(recogniser('samr', damr(0x80, 5)))).toEqual([64, 160, 160, 160, 160, 160])
    // a recording whose samples end anywhere tells nothing of it
    const uneven = recogniser('samr', damr(0x80, 5))
    for (const frames of [2, 3]) uneven.learn?.(readerOf(packets[1]), 0, 32 * frames)
    expect(lengths(uneven)[0]).toBe(160)
  })

  it('do not run into a picture whose first bytes pass for a bad frame, as the recording has such', () => {
    const packets = units(NARROW, [7], 6, 5)
    const made = recogniser('samr', damr(0x80, 5))
    // a type that the configuration lists not, of 13 bytes, and of bad quality
    const bad = frame(0, NARROW[0], randomSource(3)).with(0, 0)
    const lesson = concatenated([
      ...Array.from({ length: 4 }, () => frame(7, NARROW[7], randomSource(5))),
      bad,
    ])
    for (let i = 0; i < 20; i++) made.learn?.(readerOf(lesson), 0, lesson.length)
    made.discontinuity()
    const picture = Uint8Array.of(0, 0, 1, 0xb6, 0x58, 0x77, 0x80, 0x9f, 255, 255, 255, 255, 0xea, 0x63)
    const reader = readerOf(concatenated([...packets, picture]))
    const unit = new Unit()
    expect(made.recognise(reader, 0, reader.size, unit)).toBe(true)
    expect(unit.length).toBe(160)
  })

  it('do not begin with the last of zeros that took what was there', () => {
    const [whole] = units(NARROW, [7], 1, 5)
    const reader = readerOf(
      concatenated([new Uint8Array(40), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9), whole]),
    )
    const made = recogniser('samr', damr(0x80, 5))
    expect(made.recognise(reader, 39, reader.size, new Unit())).toBe(false)
    expect(made.recognise(reader, 52, reader.size, new Unit())).toBe(true)
  })

  it('are not seen in zeros', () => {
    const zeros = readerOf(new Uint8Array(200))
    expect(recogniser('samr', damr(0x81ff, 1)).recognise(zeros, 0, 200, new Unit())).toBe(false)
    expect(recogniser('samr', damr(0x81ff, 1)).search(zeros, 0, 200)).toBe(200)
  })

  it('are not found where the last one would end behind the bytes', () => {
    const made = recogniser('samr', damr(0x80, 1))
    const whole = frame(7, NARROW[7], randomSource(3))
    const bytes = concatenated([new Uint8Array(40).fill(0xff), whole])
    expect(made.search(readerOf(bytes), 0, bytes.length)).toBe(40)
    const cut = bytes.subarray(0, bytes.length - 1)
    expect(made.search(readerOf(cut), 0, 41)).toBe(41)
  })

  it('are seen in random bytes no oftener than their evidence says', () => {
    for (const format of ['samr', 'sawb'] as const) {
      expectCalibrated(recogniser(format, damr(0x81ff, 1)), 200_000, 14)
      expectCalibrated(recogniser(format, damr(0x81ff, 5)), 200_000, 15)
    }
    const made = recogniser('samr', damr(0x80, 1))
    chain(made, concatenated(units(NARROW, [7], 60, 1)))
    expectCalibrated(made, 200_000, 16)
  })

  it('never throw and never reach past the end', () => {
    expectHarmless(() => recogniser('samr', damr(0x80, 3)))
    expectHarmless(() => recogniser('sawb', Uint8Array.of(1, 2, 3)))
  })
})
