import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { findHiddenCut } from '../../../src/formats/avi/mend/hidden-cut.ts'
import { DAMAGED, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { type AviFile, readFile } from '../../../src/formats/avi/read/file.ts'
import { parts } from '../../../src/formats/avi/recipes.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { CHUNK_HEADER, padded } from '../../../src/syntax/riff/chunk.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { bitmap, makeAvi } from './support/make-avi.ts'

async function read(bytes: Uint8Array): Promise<{ file: AviFile; reader: ByteReader }> {
  const reader = new ByteReader(new MemorySource(bytes))
  return { file: await readFile(reader, DEFAULT_LIMITS, SILENT), reader }
}

async function found(bytes: Uint8Array) {
  const { file, reader } = await read(bytes)
  const { walk, header } = file
  if (!header) throw new Error('the film has no header')
  return { chunks: walk.chunks, found: findHiddenCut(reader, walk, header.streams), gaps: walk.gaps }
}

describe.each(fixturesOf(avi))('bytes taken out of AVI $name', ({ bytes }) => {
  const film = Uint8Array.from(bytes).fill(0, parts(bytes).index)
  /** Payloads of pictures in order, as text; empty ones stand for lost ones. */
  async function pictures(of: Uint8Array): Promise<string[]> {
    const { chunks } = (await read(of)).file.walk
    const rows = Array.from({ length: chunks.length }, (_, row) => row).filter(
      (row) => chunks.stream[row] === 0,
    )
    return rows.map((row) =>
      Buffer.from(of).toString('latin1', chunks.offset[row], chunks.offset[row] + chunks.size[row]),
    )
  }

  async function repaired(damaged: Uint8Array) {
    const sink = new MemorySink()
    const source = new MemorySource(damaged)
    const report = await repair({ damaged: { source, name: 'film.avi' }, sink, formats: [avi] })
    return { report, pictures: await pictures(Uint8Array.from(sink.bytes())) }
  }

  /**
   * Without bytes of the `row`th chunk and of those behind it, so that its size leads right to the header `further` chunks on.
   */
  async function without(row: number, further: number, film: Uint8Array): Promise<Uint8Array> {
    const { offset, size } = (await read(film)).file.walk.chunks
    const from = offset[row] + 12
    const taken = offset[row + further] - CHUNK_HEADER - padded(offset[row] + size[row])
    return Uint8Array.from([...film.subarray(0, from), ...film.subarray(from + taken)])
  }

  it('are noticed though chunks still follow each other, and laid to no other chunk than theirs', async () => {
    let told = 0
    for (let row = 8; row < 40; row++) {
      const cut = await found(await without(row, 6, film))
      if (cut.found === 'hidden') continue
      const { offset, size, flags } = cut.chunks
      const end = padded(offset[row] + size[row])
      expect(cut.found, `chunk ${row}`).toEqual({ offset: end, end, row: row + 1 })
      expect(flags[row]).toBe(DAMAGED | REWRITTEN)
      told++
    }
    expect(told).toBeGreaterThanOrEqual(4)
  })

  it('are not looked for where none are missing, or a gap shows where they were', async () => {
    expect((await found(film)).found).toBeUndefined()
    const { file, reader } = await read(await without(32, 6, film))
    const { walk, header } = file
    const streams = header?.streams ?? []
    expect(findHiddenCut(reader, walk, streams)).toBeDefined()
    const { offset } = walk.chunks
    const gap = { offset: offset[9], end: offset[9], row: 9 }
    expect(findHiddenCut(reader, { ...walk, gaps: [gap] }, streams)).toBeUndefined()
    expect(findHiddenCut(reader, { ...walk, taken: 0 }, streams)).toBeUndefined()
    // nor where no picture is missing by the header's count
    const counted = streams.map((stream) => ({ ...stream, header: { ...stream.header, length: 1 } }))
    expect(findHiddenCut(reader, walk, counted)).toBeUndefined()
  })

  it('leave pictures at their places, or are a doubt, whether an index names what is missing or not', async () => {
    const before = await pictures(bytes)
    let placed = 0
    for (const row of [8, 15, 21, 30, 32, 40]) {
      for (const all of [bytes, film]) {
        const { report, pictures: after } = await repaired(await without(row, 6, all))
        if (report.doubts?.some(({ code }) => code === 'times')) continue
        const there = after.filter((picture) => picture.length > 0 && before.includes(picture))
        expect(after.filter((picture, i) => picture.length > 0 && picture === before[i])).toEqual(there)
        expect(there.length).toBeGreaterThan(before.length - 6)
        placed++
      }
    }
    expect(placed).toBeGreaterThan(0)
  })
})

it('whole pictures of one size that are gone before the end of a file without an index leave their place open', async () => {
  const size = 96
  const pictures = Array.from({ length: 30 }, (_, i) => ({
    id: '00db',
    bytes: Uint8Array.from({ length: size }, (_, at) => (at * 7 + i * 3) & 0xff),
  }))
  const format = bitmap('\0\0\0\0', 8, 4, size)
  const stream = { type: 'vids', handler: 'DIB ', scale: 1, rate: 25, sampleSize: 0, format } as const
  const film = makeAvi([stream], pictures)
  const { index } = parts(film)
  const gone = 6 * (CHUNK_HEADER + size)
  const cut = Uint8Array.from([...film.subarray(0, index - 2 * gone), ...film.subarray(index - gone, index)])
  const sink = new MemorySink()
  const source = new MemorySource(cut)
  const report = await repair({ damaged: { source, name: 'film.avi' }, sink, formats: [avi] })
  if (report.kind !== 'recording') throw new Error('a recording came out as something else')
  expect(report.doubts?.map(({ code }) => code)).toEqual(['times'])
  const short = new MemorySource(film.subarray(0, index - gone - 10))
  expect((await repair({ damaged: { source: short, name: 'film.avi' }, sink, formats: [avi] })).verdict).toBe(
    'repaired',
  )
})

it('a size that leads to a header but for one bit, with a picture missing, leaves open when pictures were shown', async () => {
  const size = 600
  const left = 536
  const pictures = Array.from({ length: 30 }, (_, i) => ({
    id: '00dc',
    bytes: Uint8Array.from({ length: size + 2 * i }, (_, at) => 1 + ((at * 7 + i * 3) % 251)),
  }))
  const format = bitmap('IV41', 8, 4, size)
  const stream = { type: 'vids', handler: 'IV41', scale: 1, rate: 25, sampleSize: 0, format } as const
  const film = makeAvi([stream], pictures)
  film.fill(0, parts(film).index)
  const { offset, size: sizes } = (await read(film)).file.walk.chunks
  // the first of them is torn, and the second one gone
  const behind = offset[2] - CHUNK_HEADER
  const cut = [...film.subarray(0, offset[0] + 12), ...film.subarray(behind - left + 12)]
  // bytes behind the end keep the sizes of lists from telling how many are gone
  const torn = Uint8Array.from([...cut, ...new Uint8Array(400)])
  const verdict = async (bytes: Uint8Array) => {
    const source = new MemorySource(bytes)
    return (await repair({ damaged: { source, name: 'film.avi' }, sink: new MemorySink(), formats: [avi] }))
      .verdict
  }
  expect(sizes[0]).toBe(size)
  expect(await verdict(torn)).toBe('partial')
  // a turned bit alone costs no picture
  const turned = Uint8Array.from([...film, ...new Uint8Array(400)])
  turned[offset[3] - 4] ^= 1 << 6
  expect(await verdict(turned)).toBe('repaired')
})
