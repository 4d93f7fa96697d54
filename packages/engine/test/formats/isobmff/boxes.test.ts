import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCompositionOffsets } from '../../../src/formats/isobmff/boxes/ctts.ts'
import { parseEditList, writeEditList } from '../../../src/formats/isobmff/boxes/elst.ts'
import { parseElementaryStream } from '../../../src/formats/isobmff/boxes/esds.ts'
import { mediaDataHeader } from '../../../src/formats/isobmff/boxes/mdat.ts'
import { parseMediaHeader, writeMediaHeader } from '../../../src/formats/isobmff/boxes/mdhd.ts'
import { parseTrackExtends, writeTrackExtends } from '../../../src/formats/isobmff/boxes/mvex.ts'
import {
  DEFAULT_MOVIE_HEADER,
  parseMovieHeader,
  writeMovieHeader,
} from '../../../src/formats/isobmff/boxes/mvhd.ts'
import {
  parseChunkOffsets,
  patchChunkOffsets,
  reserveChunkOffsets,
} from '../../../src/formats/isobmff/boxes/stco.ts'
import { parseSampleToChunk, writeSampleToChunk } from '../../../src/formats/isobmff/boxes/stsc.ts'
import { parseSyncSamples, writeSyncSamples } from '../../../src/formats/isobmff/boxes/stss.ts'
import { parseSampleSizes, writeSampleSizes } from '../../../src/formats/isobmff/boxes/stsz.ts'
import { parseTimeToSample, RunBuilder, writeRuns } from '../../../src/formats/isobmff/boxes/stts.ts'
import { parseDecodeTime, parseTrackFragmentHeader } from '../../../src/formats/isobmff/boxes/tfhd.ts'
import {
  parseTrackHeader,
  plainTrackTail,
  trackSize,
  writeTrackHeader,
} from '../../../src/formats/isobmff/boxes/tkhd.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { Findings } from '../../../src/model/finding.ts'
import { type Box, readBox } from '../../../src/syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { parseFileType, writeFileType } from '../../../src/syntax/iso-boxes/ftyp.ts'
import { readerOf } from './support/engine.ts'

const u32 = fc.nat(0xffff_ffff)
/** Numbers of either width, and those on both sides of where one begins. */
const big = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 50 }),
  u32,
  fc.constantFrom(0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000),
)

const parseSizes = (reader: ReturnType<typeof readerOf>, at: Box, findings: Findings) =>
  parseSampleSizes(reader, at, new Allowance(100), findings)

/** Writes one box and reads it back. */
function again<T>(
  write: (writer: BoxWriter) => void,
  parse: (reader: ReturnType<typeof readerOf>, box: Box, findings: Findings) => T,
): T {
  const writer = new BoxWriter()
  write(writer)
  const reader = readerOf(writer.bytes().slice())
  const box = readBox(reader, 0, reader.size)
  if (!box) throw new Error('no box was written')
  expect(box.size).toBe(reader.size)
  const findings = new Findings()
  const parsed = parse(reader, box, findings)
  expect(findings.list).toEqual([])
  return parsed
}

describe('what a box writer writes, its parser reads', () => {
  it('file types', () => {
    const type = { major: 'qt  ', minor: 0x2005_0300, compatible: ['qt  ', 'isom'] }
    expect(again((writer) => writeFileType(writer, type), parseFileType)).toEqual(type)
  })

  it('movie headers, in 64 bits where they must be', () => {
    fc.assert(
      fc.property(
        big,
        big,
        fc.integer({ min: 1, max: 0xffff_ffff }),
        big,
        (creation, modification, timescale, duration) => {
          const header = { ...DEFAULT_MOVIE_HEADER, creation, modification, timescale, duration }
          expect(again((writer) => writeMovieHeader(writer, header), parseMovieHeader)).toEqual(header)
        },
      ),
    )
  })

  it('track headers', () => {
    fc.assert(
      fc.property(fc.nat(0xff_ffff), u32, big, fc.nat(4096), (flags, id, duration, width) => {
        const header = { flags, creation: 0, modification: 5, id, duration, tail: plainTrackTail(width, 48) }
        const parsed = again((writer) => writeTrackHeader(writer, header), parseTrackHeader)
        expect(parsed).toEqual(header)
        expect(parsed && trackSize(parsed)).toEqual({ width, height: 48 })
      }),
    )
  })

  it('media headers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), big, (timescale, duration) => {
        const header = { creation: 1, modification: 2, timescale, duration, language: 0x55c4, quality: 0 }
        expect(again((writer) => writeMediaHeader(writer, header), parseMediaHeader)).toEqual(header)
      }),
    )
  })

  it('edit lists with empty and late edits', () => {
    const edit = fc.record({
      duration: big,
      mediaTime: fc.oneof(big, fc.constant(-1)),
      rate: fc.constant(0x1_0000),
    })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
        const writer = new BoxWriter()
        writeEditList(writer, edits)
        const reader = readerOf(writer.bytes().slice())
        const elst = readBox(reader, 8, reader.size)
        expect(elst && parseEditList(reader, elst, new Findings())).toEqual(edits)
      }),
    )
  })

  it('runs of durations and signed offsets', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1 }), (values) => {
        const runs = new RunBuilder()
        for (const value of values) runs.add(value)
        const offsets = again((writer) => writeRuns(writer, 'ctts', 1, runs), parseCompositionOffsets)
        const expanded = Array.from(offsets.runs.counts).flatMap((count, i) =>
          new Array(count).fill(offsets.runs.values[i]),
        )
        expect(expanded).toEqual(values)
      }),
    )
    const one = new RunBuilder()
    one.add(512, 1_000_000)
    expect(again((writer) => writeRuns(writer, 'stts', 0, one), parseTimeToSample).counts[0]).toBe(1_000_000)
  })

  it('sizes, constant and single', () => {
    const sizes = Uint32Array.of(7, 0, 0xffff_ffff)
    expect(again((writer) => writeSampleSizes(writer, 0, 3, sizes), parseSizes)).toEqual({
      constant: 0,
      count: 3,
      sizes,
    })
    expect(again((writer) => writeSampleSizes(writer, 32, 9, sizes), parseSizes)).toMatchObject({
      constant: 32,
      count: 9,
    })
  })

  it('sync samples that are not counted, in a box with room for some, are zeros', () => {
    const box = (...words: number[]) =>
      again(
        (writer) =>
          writer.fullBox('stss', 0, 0, () => {
            for (const word of words) writer.u32(word)
          }),
        parseSyncSamples,
      )
    expect([...box(0)]).toEqual([])
    expect([...box(0, 0)]).toEqual([0])
    expect([...box(1, 7)]).toEqual([7])
  })

  it('sync samples and chunk maps', () => {
    expect(again((writer) => writeSyncSamples(writer, Uint32Array.of(1, 31)), parseSyncSamples)).toEqual(
      Uint32Array.of(1, 31),
    )
    const map = again(
      (writer) => writeSampleToChunk(writer, Uint32Array.of(5, 5, 3, 5), Uint32Array.of(1, 1, 1, 2)),
      parseSampleToChunk,
    )
    expect(Array.from(map.firstChunk)).toEqual([1, 3, 4])
    expect(Array.from(map.samples)).toEqual([5, 3, 5])
    expect(Array.from(map.description)).toEqual([1, 1, 2])
  })

  it.each([false, true])('chunk offsets (64 bits: %s)', (wide) => {
    const offsets = Float64Array.of(0, 1_000, wide ? 2 ** 40 : 2 ** 31)
    const parsed = again((writer) => {
      const position = reserveChunkOffsets(writer, 3, wide)
      patchChunkOffsets(writer, position, offsets, 48, wide)
    }, parseChunkOffsets)
    expect(Array.from(parsed)).toEqual(Array.from(offsets, (offset) => offset + 48))
  })

  it('defaults of fragments', () => {
    const extend = { track: 2, description: 1, duration: 1024, size: 0, flags: 0x0101_0000 }
    expect(again((writer) => writeTrackExtends(writer, extend), parseTrackExtends)).toEqual(extend)
  })
})

describe('media data headers', () => {
  it('take 32 bits as long as they can', () => {
    const small = readerOf(mediaDataHeader(0xffff_fff7))
    expect(small.size).toBe(8)
    expect(readBox(small, 0, 8)?.size).toBe(0xffff_ffff)
    const large = readerOf(mediaDataHeader(0xffff_fff8))
    expect(large.size).toBe(16)
    expect(readBox(large, 0, 16)).toMatchObject({ type: 'mdat', size: 0x1_0000_0008, form: '64' })
  })
})

describe('a parser reads', () => {
  /** A box of a type with these bytes behind version and flags. */
  const box = (type: string, flags: number, body: readonly number[]) => (writer: BoxWriter) =>
    writer.fullBox(type, 0, flags, () => writer.raw(Uint8Array.from(body)))

  const fieldsOf = (reader: ReturnType<typeof readerOf>, at: Box) => parseTrackFragmentHeader(reader, at)

  it.each([
    [4, [0x12, 0x30], [1, 2, 3]],
    [8, [1, 2, 3], [1, 2, 3]],
    [16, [0, 1, 1, 2, 0, 3], [1, 258, 3]],
  ])('compact sizes of %i bits', (bits, bytes, sizes) => {
    const compact = box('stz2', 0, [0, 0, 0, bits, 0, 0, 0, 3, ...bytes])
    expect(again(compact, parseSizes)).toEqual({
      constant: 0,
      count: 3,
      sizes: Uint32Array.from(sizes),
    })
  })

  it('decode times of either width, told by the size', () => {
    expect(again(box('tfdt', 0, [0, 0, 1, 2]), parseDecodeTime)).toBe(258)
    expect(again(box('tfdt', 0, [0, 0, 0, 1, 0, 0, 0, 2]), parseDecodeTime)).toBe(2 ** 32 + 2)
    expect(again(box('tfdt', 0, [0, 0, 1]), parseDecodeTime)).toBeUndefined()
  })

  it('the fields of a fragment`s track that its flags name', () => {
    const all = [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0, 11, 0, 0, 0, 12]
    const fields = {
      track: 7,
      baseOffset: 8,
      description: 9,
      duration: 10,
      size: 11,
      flags: 12,
      baseIsFragment: false,
    }
    expect(again(box('tfhd', 0x3b, all), fieldsOf)).toEqual(fields)
    expect(again(box('tfhd', 0x2_0008, [0, 0, 0, 7, 0, 0, 0, 3]), fieldsOf)).toEqual({
      ...{ track: 7, baseOffset: undefined, description: undefined, duration: 3, size: undefined },
      ...{ flags: undefined, baseIsFragment: true },
    })
    expect(again(box('tfhd', 0x3b, all.slice(0, -1)), fieldsOf)).toBeUndefined()
  })

  it('elementary streams behind whatever else their descriptor holds', () => {
    const decoder = [4, 17, 0x40, 0x15, ...Array<number>(11).fill(0), 5, 2, 0x12, 0x10]
    for (const [flags, more] of [
      [0, []],
      [0x80, [1, 2]],
      [0x40, [3, 1, 2, 3]],
      [0x20, [1, 2]],
      [0xe0, [1, 2, 2, 8, 9, 1, 2]],
    ] as const) {
      const bytes = [3, 3 + more.length + decoder.length, 0, 0, flags, ...more, ...decoder]
      const read = again(box('esds', 0, bytes), parseElementaryStream)
      expect(read, `${flags}`).toMatchObject({ objectType: 0x40, specific: Uint8Array.of(0x12, 0x10) })
    }
    expect(
      again(box('esds', 0, [3, 3, 0, 0, 0, ...decoder.slice(0, 9)]), parseElementaryStream),
    ).toBeUndefined()
  })
})
