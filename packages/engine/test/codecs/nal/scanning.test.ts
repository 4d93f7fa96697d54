import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { unescaped } from '../../../src/codecs/nal/rbsp.ts'
import { searchLength } from '../../../src/codecs/nal/search.ts'
import { forbiddenSequence, nextStartCode, splitStartCodes } from '../../../src/codecs/nal/start-code.ts'
import { StepLearner } from '../../../src/codecs/nal/step-learner.ts'
import { searchBytes } from '../../../src/codecs/search-bytes.ts'
import { SearchingSource } from '../../../testing/searching-source.ts'
import { escaped } from '../../../testing/video/bit-writer.ts'
import { readerOf } from '../../../testing/video/replay.ts'

/** The reader's block: places around its end are where scans may go wrong. */
const BLOCK = 1 << 18
const nearBlockEnd = fc.integer({ min: BLOCK - 8, max: BLOCK + 8 })

function filled(value = 0x55): Uint8Array {
  return new Uint8Array(BLOCK + 4096).fill(value)
}

function isForbidden([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0 && second === 0 && (third === 2 || (third === 0 && fourth !== 1))
}

describe('scanning across block ends', () => {
  it('finds a start code wherever it lies', () => {
    fc.assert(
      fc.property(nearBlockEnd, fc.integer({ min: 0, max: 12 }), (at, before) => {
        const bytes = filled()
        bytes.set([0, 0, 1], at)
        expect(nextStartCode(readerOf(bytes), at - before, bytes.length)).toBe(at)
        expect(nextStartCode(readerOf(bytes), at + 1, bytes.length)).toBe(bytes.length)
        expect(nextStartCode(readerOf(bytes), at - before, at + 2)).toBe(at + 2)
      }),
    )
  })

  it('finds the same with the search of the environment', () => {
    const part = fc.constantFrom([0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1], [0, 0, 2], [0, 0, 3, 0], [0, 7, 0])
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9000), part), { maxLength: 80 }), nearBlockEnd, (parts, until) => {
        const bytes = filled()
        for (const [at, content] of parts) bytes.set(content, BLOCK - 5000 + at)
        const source = new SearchingSource(bytes)
        const expected = forbiddenSequence(readerOf(bytes), 1, until)
        expect(forbiddenSequence(new ByteReader(source), 1, until)).toBe(expected)
        expect(source.calls).toBeGreaterThan(0)
      }),
    )
    // of pairs of zeros that are none there may be many
    const full = new SearchingSource(filled().map((_, i) => [0, 0, 3][i % 3]))
    expect(forbiddenSequence(new ByteReader(full), 0, full.size)).toBe(full.size)
    expect(full.calls).toBeLessThan(200)
  })

  it('finds three zeros wherever they lie, and lets start codes be', () => {
    fc.assert(
      fc.property(nearBlockEnd, fc.integer({ min: 0, max: 12 }), (at, before) => {
        const bytes = filled()
        bytes.set([0, 0, 0, 0], at)
        expect(forbiddenSequence(readerOf(bytes), at - before, bytes.length)).toBe(at)
        bytes.set([0, 0, 0, 1], at)
        expect(forbiddenSequence(readerOf(bytes), at - before, bytes.length)).toBe(bytes.length)
      }),
    )
  })

  it('finds what no unit holds among bytes of which many are zero', () => {
    const few = fc.constantFrom(0, 0, 0, 1, 2, 3, 0x55, 0xaa, 0x80, 0xff)
    const most = fc.oneof(
      { weight: 1, arbitrary: few },
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 255 }) },
    )
    const bytesOf = fc.array(fc.oneof(few, most), { maxLength: 60 })
    fc.assert(
      fc.property(bytesOf, fc.integer({ min: 0, max: 9 }), (list, from) => {
        const bytes = Uint8Array.from(list)
        let first = from
        while (first + 4 <= bytes.length && !isForbidden(bytes.subarray(first, first + 4))) first++
        const expected = first + 4 <= bytes.length ? first : bytes.length
        if (from < bytes.length) expect(forbiddenSequence(readerOf(bytes), from, bytes.length)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('finds the length of an opening unit wherever it lies, also right before the end of the search', () => {
    const headers = new Uint8Array(256)
    headers[0x65] = 1
    const opening = { headers, fits: () => true }
    fc.assert(
      fc.property(
        nearBlockEnd,
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(4, 2),
        (at, before, size) => {
          const bytes = filled(0xff)
          bytes.set(size === 4 ? [0, 0, 1, 0, 0x65] : [1, 0, 0x65], at)
          expect(searchLength(readerOf(bytes), at - before, bytes.length, size, 5000, opening)).toBe(at)
          expect(searchLength(readerOf(bytes), at - before, at + 1, size, 5000, opening)).toBe(at)
          expect(searchLength(readerOf(bytes), at - before, at, size, 5000, opening)).toBe(at)
        },
      ),
    )
  })

  it('finds bytes wherever they lie', () => {
    fc.assert(
      fc.property(nearBlockEnd, fc.integer({ min: 0, max: 12 }), (at, before) => {
        const bytes = filled()
        bytes.set([0x69, 0x63, 0x70, 0x66], at)
        const pattern = Uint8Array.of(0x69, 0x63, 0x70, 0x66)
        expect(searchBytes(readerOf(bytes), at - before, bytes.length, pattern)).toBe(at)
        expect(searchBytes(readerOf(bytes), at - before, at + 1, pattern)).toBe(at)
        expect(searchBytes(readerOf(bytes), at - before, at, pattern)).toBe(at)
      }),
    )
  })

  it('looks at no more bytes than it is to search, in however small pieces', () => {
    const reader = readerOf(filled())
    const read = vi.spyOn(reader, 'bytes')
    for (let at = 0; at < 4000; at += 40)
      expect(searchBytes(reader, at, at + 40, Uint8Array.of(1, 2, 3))).toBe(at + 40)
    const looked = read.mock.results.reduce((sum, { value }) => sum + (value as Uint8Array).length, 0)
    expect(looked).toBeLessThan(2 * 4000)
  })
})

describe('emulation prevention', () => {
  it('is taken out as it was put in', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 2, 3, 200), { maxLength: 60 }), (values) => {
        const payload = Uint8Array.from(values)
        const nal = escaped(payload)
        expect(unescaped(nal)).toEqual(payload)
        expect(forbiddenSequence(readerOf(Uint8Array.of(...nal, 9)), 0, nal.length + 1)).toBe(nal.length + 1)
      }),
    )
  })

  it('keeps units apart in a byte stream', () => {
    const units = [Uint8Array.of(0x67, 1, 2), Uint8Array.of(0x68, 9), Uint8Array.of(0x65, 0, 0, 3, 1, 7)]
    const stream = Uint8Array.of(...units.flatMap((unit) => [0, 0, 0, 1, ...unit]), 0, 0)
    expect(splitStartCodes(stream)).toEqual(units)
  })
})

describe('the step of display order', () => {
  it('is the least difference that is no accident', () => {
    const learner = new StepLearner()
    expect(learner.step).toBe(2)
    for (let group = 0; group < 40; group++) {
      for (const order of [0, 12, 6, 3, 9]) learner.see(group * 15 + order, group === 0 && order === 0)
    }
    expect(learner.step).toBe(3)
    learner.see(601, false)
    expect(learner.step).toBe(3)
  })
})
