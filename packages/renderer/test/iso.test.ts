import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxesIn, findBox, makeBox, makeList } from '../src/iso/boxes.ts'
import { IsoFile } from '../src/iso/file.ts'
import { readSamples } from '../src/iso/samples.ts'
import { sampleTables, shiftTable, type TrackChange, writeSpliced } from '../src/iso/splice.ts'
import { constantTimes } from '../src/iso/times.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renderer-iso-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Numbers as four bytes each, those of more than 32 bits as eight. */
const words = (...values: readonly (number | bigint)[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(typeof value === 'bigint' ? 8 : 4)
      if (typeof value === 'bigint') bytes.writeBigUInt64BE(value)
      else bytes.writeUInt32BE(value >>> 0)
      return bytes
    }),
  )
const full = (type: string, ...values: readonly (number | bigint)[]) => makeBox(type, words(0, ...values))
/** A box whose size takes eight bytes. */
const large = (type: string, content: Buffer): Buffer =>
  Buffer.concat([words(1), Buffer.from(type), words(BigInt(16 + content.length)), content])

const WIDE = 0x100_0000
interface Of {
  /** Version 1 of all headers. */
  readonly wide?: boolean
  readonly edits?: readonly (number | bigint)[]
  readonly tables?: readonly Buffer[]
  readonly length?: number
}

const TABLES = [
  full('stsd', 0),
  full('stts', 2, 3, 10, 1, 20),
  full('ctts', 2, 1, 20, 3, -5),
  full('stsc', 2, 1, 1, 1, 2, 2, 1),
  full('stsz', 0, 4, 3, 4, 5, 6),
  full('stco', 3, 100, 200, 300),
  full('stss', 3, 1, 3, 9),
]

function trak(id: number, { wide = false, edits, tables = TABLES, length = 50 }: Of = {}): Buffer {
  const times = wide ? [WIDE, 0n, 0n] : [0, 0, 0]
  const tkhd = makeBox('tkhd', words(...times, id, 0, wide ? BigInt(length) : length, ...Array(15).fill(7)))
  const mdhd = makeBox('mdhd', words(...times, 600, wide ? 50n : 50, 9, 9))
  const edts = edits ? [makeBox('edts', makeBox('elst', words(wide ? WIDE : 0, ...edits)))] : []
  const stbl = makeBox('stbl', ...tables)
  return makeBox('trak', tkhd, ...edts, makeBox('mdia', mdhd, makeBox('minf', stbl)))
}

const mvhd = (wide = false) =>
  makeBox('mvhd', words(...(wide ? [WIDE, 0n, 0n] : [0, 0, 0]), 1000, wide ? 90n : 90, ...Array(20).fill(7)))

function opened(...boxes: readonly Buffer[]): IsoFile {
  const path = join(folder, 'in.mp4')
  writeFileSync(path, Buffer.concat(boxes))
  return IsoFile.open(path)
}

describe('boxes', () => {
  const read = (bytes: Buffer) =>
    boxesIn(bytes, 0, bytes.length).map(({ type, start, content, end }) => [type, start, content, end])

  it('are of four bytes of size, of eight, or reach to the end; four zero bytes end a list', () => {
    const bytes = Buffer.concat([makeBox('aaaa', words(1)), large('bbbb', words(2)), makeBox('cccc')])
    expect(read(bytes)).toEqual([
      ['aaaa', 0, 8, 12],
      ['bbbb', 12, 28, 32],
      ['cccc', 32, 40, 40],
    ])
    expect(read(Buffer.concat([words(0), Buffer.from('dddd'), words(1)]))).toEqual([['dddd', 0, 8, 12]])
    for (const rest of [words(0), words(0, 0)])
      expect(read(Buffer.concat([makeBox('aaaa'), rest]))).toEqual([['aaaa', 0, 8, 8]])
  })

  it.each([[words(7, 0)], [words(17, 0, 0, 0)], [large('aaaa', Buffer.alloc(0)).fill(0, 8)]])(
    'that do not fit are refused: %j',
    (bytes) => {
      expect(() => read(bytes)).toThrow('does not fit')
    },
  )

  it('are found by their path, the first of each type', () => {
    const bytes = makeBox(
      'a   ',
      makeBox('b   ', makeBox('c   ', words(1)), makeBox('c   ')),
      makeBox('b   '),
    )
    const [root] = boxesIn(bytes, 0, bytes.length)
    if (!root) throw new Error('no box')
    expect(findBox(bytes, root, 'b   ', 'c   ')).toMatchObject({ start: 16, content: 24, end: 28 })
    expect(findBox(bytes, root, 'x   ', 'c   ')).toBeUndefined()
  })

  it('of lists count their rows', () => {
    expect(makeList('list', [1, 2, -1, 4], 2, [9])).toEqual(full('list', 9, 2, 1, 2, -1, 4))
  })
})

describe('a file', () => {
  const moov = makeBox('moov', mvhd(), trak(3), trak(4, { wide: true }))

  it('has one index, whose tracks are found by their numbers', () => {
    const file = opened(makeBox('ftyp', words(0)), large('mdat', words(1, 2)), moov, words(0, 0))
    expect(
      file.top.map(({ type, offset, header, size, open }) => [type, offset, header, size, open]),
    ).toEqual([
      ['ftyp', 0, 8, 12, false],
      ['mdat', 12, 16, 24, false],
      ['moov', 36, 8, moov.length, false],
      ['\0\0\0\0', 36 + moov.length, 8, 8, true],
    ])
    const [, first, second] = boxesIn(moov, 8, moov.length)
    expect([file.track(3), file.track(4)]).toEqual([first, second])
    expect(() => file.track(5)).toThrow('no track 5')
    expect(file.read(28, 100)).toEqual(Buffer.concat([words(1, 2), moov, words(0, 0)]).subarray(0, 100))
    expect(file.read(file.size - 2, 9)).toHaveLength(2)
    file.close()
  })

  it.each([
    ['no single index', [makeBox('mdat')]],
    ['no single index', [moov, moov]],
    ['fragmented', [moov, makeBox('moof')]],
    ['do not fit into each other', [moov, words(9, 0)]],
    ['do not fit into each other', [moov, words(7, 0)]],
  ])('with %s is not supported', (why, boxes) => {
    expect(() => opened(...boxes)).toThrow(why)
  })
})

describe('the samples of a track', () => {
  /** Of a track with some tables in the place of others, `gone` left out. */
  const read = (changed: readonly Buffer[], gone: readonly string[] = [], wide = false) => {
    const typeOf = (box: Buffer) => box.toString('latin1', 4, 8)
    const out = [...gone, ...changed.map(typeOf)]
    const tables = [...TABLES.filter((box) => !out.includes(typeOf(box))), ...changed]
    const file = opened(makeBox('moov', mvhd(), trak(1, { tables, wide })))
    file.close()
    return readSamples(file.moov, file.track(1))
  }

  it('are told by its tables', () => {
    expect(read([])).toEqual({
      ...{ count: 4, sizes: Uint32Array.of(3, 4, 5, 6), offsets: Float64Array.of(100, 200, 204, 300) },
      ...{ dts: Float64Array.of(0, 10, 20, 30, 50), shifts: Int32Array.of(20, -5, -5, -5) },
      ...{ sync: Uint8Array.of(1, 0, 1, 0), timescale: 600 },
    })
    const other = read(
      [full('co64', 2, 5_000_000_000n, 7n), full('stsz', 9, 3)],
      ['stco', 'ctts', 'stss'],
      true,
    )
    expect(other).toMatchObject({
      ...{ sizes: Uint32Array.of(9, 9, 9), offsets: Float64Array.of(5_000_000_000, 7, 16) },
      ...{ shifts: undefined, sync: undefined, timescale: 600 },
    })
  })

  it.each([
    ['several sample descriptions', full('stsc', 1, 1, 4, 2)],
    ['a chunk is missing', full('stsc', 2, 1, 1, 1, 9, 1, 1)],
    ['samples without a chunk', full('stsc', 1, 1, 1, 1)],
    ['samples without a time', full('stts', 1, 3, 10)],
    ['shorter than it says', full('stsz', 0, 5, 1, 2, 3, 4)],
    ['too many samples', full('stsz', 0, 40_000_001)],
    ['not complete', makeBox('stco', words(0))],
  ])('%s is said', (why, table) => {
    expect(() => read([table])).toThrow(why)
  })
})

describe('a copy with other bytes', () => {
  const payload = Buffer.from('0123456789')
  /** A film of two tracks; the first chunk of each lies in the payload at 12 and 17. */
  const parts = (box = makeBox, open = false) => {
    const head = makeBox('ftyp', words(0))
    const media = box('mdat', payload)
    if (open) media.writeUInt32BE(0)
    const at = head.length + media.length - payload.length
    const tables = (offset: number) => [
      full('stsd', 0),
      full('stco', 1, offset),
      full('co64', 1, BigInt(offset)),
    ]
    const moov = makeBox(
      'moov',
      mvhd(),
      trak(1, { tables: tables(at) }),
      trak(2, { tables: tables(at + 5) }),
      words(0),
    )
    return { head, media, moov, at }
  }
  const spliced = (
    file: IsoFile,
    ...given: [Parameters<typeof writeSpliced>[2], TrackChange?, ReadonlyMap<string, Buffer>?]
  ) => {
    const path = join(folder, 'out.mp4')
    try {
      writeSpliced(file, path, given[0], given[1], given[2])
    } finally {
      file.close()
    }
    return IsoFile.open(path)
  }
  const put = (offset: number, length: number, text: string) => ({
    ...{ offset, length, size: text.length, bytes: () => Buffer.from(text) },
  })
  const boxOf = (file: IsoFile, id: number, ...path: string[]): Buffer | undefined => {
    const box = findBox(file.moov, file.track(id), ...path)
    return box && file.moov.subarray(box.start, box.end)
  }
  const STBL = ['mdia', 'minf', 'stbl'] as const

  it.each([
    ['in front of the index', makeBox, false],
    ['in front of the index, with a size of eight bytes', large, false],
  ])('has its payload %s, and its chunks where they lie now', (_what, box) => {
    const { head, media, moov, at } = parts(box)
    const copy = spliced(opened(head, media, moov), [put(at + 6, 2, 'WXYZ'), put(at + 1, 1, '')])
    expect(copy.read(at, 11).toString()).toBe('02345WXYZ89')
    expect(copy.top.map(({ type, size }) => [type, size])).toEqual([
      ['ftyp', head.length],
      ['mdat', media.length + 1],
      ['moov', moov.length],
    ])
    for (const [id, offset] of [
      [1, at],
      [2, at + 4],
    ] as const) {
      expect(boxOf(copy, id, ...STBL, 'stco')).toEqual(full('stco', 1, offset))
      expect(boxOf(copy, id, ...STBL, 'co64')).toEqual(full('co64', 1, BigInt(offset)))
    }
    expect(copy.moov.subarray(-4)).toEqual(words(0))
    copy.close()
  })

  it('has its payload behind an index that grew, to the end of the file', () => {
    const { head, media, moov } = parts(makeBox, true)
    const at = head.length + moov.length + 8
    const moved = Buffer.from(moov)
    for (const name of ['stco', 'co64'])
      for (let from = moved.indexOf(name); from > 0; from = moved.indexOf(name, from + 1)) {
        const place = from + (name === 'stco' ? 12 : 16)
        moved.writeUInt32BE(moved.readUInt32BE(place) + moov.length, place)
      }
    const file = opened(head, moved, media)
    const change = {
      trak: file.track(2),
      tables: new Map([
        ['stsd', undefined],
        ['stco', undefined],
        ['stss', full('stss', 1, 1)],
        ['none', undefined],
      ]),
      others: new Map([
        ['mdia/mdhd', full('mdhd', 5)],
        ['tkhd', makeBox('tkhd', words(0, 0, 0, 2, ...Array(18).fill(1)))],
      ]),
    }
    const copy = spliced(file, [put(at, 1, 'ab')], change, new Map([['mvhd', full('mvhd', 4)]]))
    const grown = copy.moovBox.size - moov.length
    expect(copy.top.map(({ type, open }) => [type, open])).toEqual([
      ['ftyp', false],
      ['moov', false],
      ['mdat', true],
    ])
    expect(copy.read(at + grown, 20).toString()).toBe('ab123456789')
    expect(boxOf(copy, 1, ...STBL, 'stco')).toEqual(full('stco', 1, at + grown))
    expect(boxOf(copy, 1, ...STBL, 'stsd')).toEqual(full('stsd', 0))
    expect(boxOf(copy, 1, 'mdia', 'mdhd')).toEqual(boxOf(file, 1, 'mdia', 'mdhd'))
    expect(boxOf(copy, 2, ...STBL)).toEqual(
      makeBox('stbl', full('co64', 1, BigInt(at + grown + 6)), full('stss', 1, 1)),
    )
    expect(boxOf(copy, 2, 'mdia', 'mdhd')).toEqual(full('mdhd', 5))
    expect(copy.moov.subarray(8, 24)).toEqual(full('mvhd', 4))
    copy.close()
  })

  it('is not made of stretches that share bytes', () => {
    const { head, media, moov, at } = parts()
    const copy = () => spliced(opened(head, media, moov), [put(at, 3, ''), put(at + 2, 1, '')])
    expect(copy).toThrow('share bytes')
    spliced(opened(head, media, moov), [put(at, 2, ''), put(at + 2, 1, '')]).close()
  })
})

it('tables of other sizes, times and key pictures are those that there were', () => {
  const samples = { sync: Uint8Array.of(1, 0) } as unknown as Parameters<typeof sampleTables>[0]
  const tables = sampleTables(samples, Uint32Array.of(7, 8), Int32Array.of(4, 4), Uint8Array.of(0, 1))
  expect([...tables]).toEqual([
    ['stz2', undefined],
    ['stsz', full('stsz', 0, 2, 7, 8)],
    ['ctts', full('ctts', 1, 2, 4)],
    ['stss', full('stss', 1, 2)],
  ])
  const plain = { ...samples, sync: undefined }
  expect([...sampleTables(plain, Uint32Array.of(7), undefined, Uint8Array.of(1)).keys()]).toEqual([
    'stz2',
    'stsz',
  ])
  expect(shiftTable(Int32Array.of(1, 1, -2))).toEqual(makeBox('ctts', words(WIDE, 2, 2, 1, 1, -2)))
})

describe('a constant rate', () => {
  /** Display order of pictures in decoding order, at 25 a second of 30,000 ticks, and what the headers say then. */
  function timed(rank: readonly number[], of: Of = {}, others: readonly Of[] = [{ length: 70 }]) {
    const all = [trak(1, of), ...others.map((other, i) => trak(2 + i, other))]
    const file = opened(makeBox('moov', mvhd(of.wide), ...all))
    file.close()
    const time = { timescale: 30_000, delta: 1200 }
    const { change, movie } = constantTimes(file, file.track(1), Uint32Array.from(rank), time)
    return { ...change, movie: movie.get('mvhd') ?? Buffer.alloc(0) }
  }
  const at = (box: Buffer | undefined, ...places: readonly number[]) =>
    places.map((place) => box?.readUInt32BE(8 + place))

  it.each([
    [false, [12, 16, 20]],
    [true, [20, 28, 28]],
  ])('is written into the headers (of version 1: %s), a late start kept', (wide, places) => {
    const [scaleAt = 0, , lengthAt = 0] = places
    const wait = wide
      ? [2, 25n, -1n & 0xffff_ffff_ffff_ffffn, 65_536, 9n, 0n, 65_536]
      : [2, 25, -1, 65_536, 9, 0, 65_536]
    const { tables, others, movie } = timed([0, 2, 1, 3], { wide, edits: wait })
    expect([...tables]).toEqual([
      ['stts', full('stts', 1, 4, 1200)],
      ['ctts', full('ctts', 4, 1, 1200, 1, 2400, 1, 0, 1, 1200)],
    ])
    // four pictures of 40 ms behind 25 ms of nothing
    const more = wide ? 4 : 0
    expect(at(others?.get('tkhd'), lengthAt + more)).toEqual([185])
    expect(at(others?.get('mdia/mdhd'), scaleAt, scaleAt + 4 + more)).toEqual([30_000, 4800])
    expect(at(movie, scaleAt, scaleAt + 4 + more)).toEqual([1000, 185])
    expect(others?.get('edts')).toEqual(makeBox('edts', full('elst', 2, 25, -1, 65_536, 160, 1200, 65_536)))
  })

  it.each([
    [true, [1, 25n, -1n & 0xffff_ffff_ffff_ffffn, 65_536]],
    [false, [1, 25, -1, 65_536]],
  ] as const)('keeps a late start that is all that edits tell (version 1: %s)', (wide, edits) => {
    expect(timed([0, 1], { wide, edits }).others?.get('edts')).toEqual(
      makeBox('edts', full('elst', 2, 25, -1, 65_536, 80, 0, 65_536)),
    )
  })

  it('lets the movie last as long as its longest track', () => {
    expect(at(timed([0, 1], {}, [{ length: 70 }, { wide: true, length: 300 }]).movie, 16)).toEqual([300])
    expect(at(timed([0, 1], {}, [{ length: 0xffff_ffff }]).movie, 16)).toEqual([80])
  })

  it('needs no offsets for pictures that are shown as they are decoded; without edits none are early', () => {
    expect(timed([0, 1]).tables.get('ctts')).toBeUndefined()
    expect(timed([1, 0]).tables.get('ctts')).toEqual(makeBox('ctts', words(WIDE, 2, 1, 1200, 1, -1200)))
    expect(timed([1, 0]).others?.get('edts')).toEqual(makeBox('edts', full('elst', 1, 80, 0, 65_536)))
  })

  it('is refused where headers are missing or times too long', () => {
    const file = opened(makeBox('moov', trak(1)))
    const time = { timescale: 30_000, delta: 1200 }
    expect(() => constantTimes(file, file.track(1), Uint32Array.of(0), time)).toThrow('not complete')
    file.close()
    const whole = opened(makeBox('moov', mvhd(), trak(1)))
    const slow = { timescale: 30_000, delta: 0xffff_ffff }
    expect(() => constantTimes(whole, whole.track(1), Uint32Array.of(0, 1), slow)).toThrow('too long')
    whole.close()
  })
})
