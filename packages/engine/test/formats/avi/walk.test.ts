import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { DAMAGED, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { type Walk, walk } from '../../../src/formats/avi/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'

function chunk(name: string, size: number): number[] {
  const payload = Array.from({ length: size }, (_, i) => (i * 37 + 11) & 255)
  return [...Buffer.from(name), size & 255, size >> 8, 0, 0, ...payload, ...(size & 1 ? [0] : [])]
}

/** Offsets: 0, 626, 738, 1362, 1474. */
const DATA = [
  ...chunk('00dc', 617),
  ...chunk('01wb', 104),
  ...chunk('00dc', 615),
  ...chunk('01wb', 104),
  ...chunk('00dc', 300),
]

function walked(flips: readonly (readonly [at: number, bit: number])[]): Promise<Walk> {
  const data = Uint8Array.from(DATA)
  for (const [at, bit] of flips) data[at] ^= 1 << bit
  const reader = new ByteReader(new MemorySource(data))
  return walk(reader, 0, ['vids', 'auds'], DEFAULT_LIMITS, SILENT)
}

describe('a walk over chunks', () => {
  it.each([
    ['name', [[740, 4]]],
    ['size', [[743, 2]]],
    [
      'name and size',
      [
        [740, 4],
        [743, 2],
      ],
    ],
    [
      'name, twice, and size',
      [
        [738, 0],
        [740, 4],
        [742, 5],
      ],
    ],
    [
      'name and size, behind one whose size is hit,',
      [
        [630, 7],
        [740, 4],
        [743, 2],
      ],
    ],
  ] as const)('finds a chunk whose %s is hit', async (_, flips) => {
    const { chunks, gaps } = await walked(flips)
    expect([...chunks.size.subarray(0, chunks.length)]).toEqual([617, 104, 615, 104, 300])
    expect([...chunks.stream.subarray(0, chunks.length)]).toEqual([0, 1, 0, 1, 0])
    expect(chunks.flags[2] & (DAMAGED | REWRITTEN)).toBe(REWRITTEN)
    expect(gaps).toEqual([])
  })

  it.each<[string, (readonly [at: number, bit: number])[]]>([
    [
      'sizes',
      [
        [4, 3],
        [630, 7],
      ],
    ],
    [
      'a size and the name behind it',
      [
        [5, 3],
        [626, 1],
      ],
    ],
    [
      'a size, the name behind it, and both behind that',
      [
        [5, 3],
        [626, 1],
        [738, 0],
        [743, 1],
      ],
    ],
    ['the last name, where the list tells the end', [[1474, 3]]],
  ])('finds chunks of which several in a row are hit: %s', async (_, flips) => {
    const list = [...Buffer.from('LIST'), (DATA.length + 4) & 255, (DATA.length + 4) >> 8, 0, 0]
    const data = Uint8Array.from([
      ...list,
      ...Buffer.from('movi'),
      ...DATA,
      ...new Array<number>(200).fill(0),
    ])
    for (const [at, bit] of flips) data[12 + at] ^= 1 << bit
    const reader = new ByteReader(new MemorySource(data))
    const { chunks } = await walk(reader, 0, ['vids', 'auds'], DEFAULT_LIMITS, SILENT)
    expect([...chunks.size.subarray(0, chunks.length)]).toEqual([617, 104, 615, 104, 300])
    expect([...chunks.stream.subarray(0, chunks.length)]).toEqual([0, 1, 0, 1, 0])
  })

  it('takes no byte for one that fills up where all chunks of a name have even sizes', async () => {
    // 106 as 107: 106 is a bit away, and so is 105 with a byte behind it
    const data = Uint8Array.from([110, 112, 106, 108].flatMap((size) => chunk('01wb', size)))
    data[118 + 120 + 4] ^= 1
    data[118 + 120 + 8 + 105] = 0
    const reader = new ByteReader(new MemorySource(data))
    const { chunks } = await walk(reader, 0, ['vids', 'auds'], DEFAULT_LIMITS, SILENT)
    expect([...chunks.size.subarray(0, chunks.length)]).toEqual([110, 112, 106, 108])
  })

  it('takes a name for the commoner one that is as near, not for one that was hit itself', async () => {
    const names = [...Array.from({ length: 9 }, () => '00dc'), '00db', '00df', '00dc']
    const data = Uint8Array.from(names.flatMap((name, i) => chunk(name, 100 + i * 2)))
    const reader = new ByteReader(new MemorySource(data))
    const { chunks } = await walk(reader, 0, ['vids'], DEFAULT_LIMITS, SILENT)
    expect(chunks.length).toBe(12)
  })

  it('takes the zero behind a picture for one that fills up, where either size is as near', async () => {
    // 617 as 616: 617 and the 618 with the byte that fills up are a bit away each
    const { chunks } = await walked([[4, 0]])
    expect(chunks.size[0]).toBe(617)
  })

  it('finds chunks behind one whose size leads over them to a header since a bit of it turned', async () => {
    const data = Uint8Array.from([
      ...[...chunk('00dc', 617), ...chunk('01wb', 120), ...chunk('00dc', 300)],
      ...chunk('01wb', 104),
    ])
    data[4] ^= 1 << 7
    const reader = new ByteReader(new MemorySource(data))
    const { chunks, gaps } = await walk(reader, 0, ['vids', 'auds'], DEFAULT_LIMITS, SILENT)
    expect([...chunks.size.subarray(0, chunks.length)]).toEqual([617, 120, 300, 104])
    expect([...chunks.flags.subarray(0, chunks.length)]).toEqual([REWRITTEN, 0, 0, 0])
    expect(gaps).toEqual([])
  })
})

describe('the end of the data', () => {
  const filling = [...chunk('JUNK', 40), ...Buffer.from('LIST'), 4, 0, 0, 0, ...Buffer.from('rec ')]

  /** A file whose list of data tells `taken` bytes more than are there, with `behind` where its index was. */
  function listed(data: readonly number[], taken: number, behind: number): Promise<Walk> {
    const u32 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16, 0]
    const list = [...Buffer.from('LIST'), ...u32(data.length + 4 + taken), ...Buffer.from('movi'), ...data]
    const riff = [...u32(list.length + 4 + taken + behind), ...Buffer.from('AVI ')]
    const bytes = Uint8Array.from([...Buffer.from('RIFF'), ...riff, ...list, ...Array(behind).fill(0)])
    return walk(new ByteReader(new MemorySource(bytes)), 0, ['vids', 'auds'], DEFAULT_LIMITS, SILENT)
  }

  it.each([
    ['nothing', []],
    ['what fills up and a list of no chunk', filling],
  ])('tells how many bytes are missing where %s stands behind the last chunk', async (_, last) => {
    expect((await listed([...DATA, ...last], 50, 160)).taken).toBe(50)
  })

  it('shows that the last chunk is whole, though zeros follow', async () => {
    const { chunks } = await listed(DATA, 50, 160)
    expect(chunks.flags[chunks.length - 1] & DAMAGED).toBe(0)
  })
})
