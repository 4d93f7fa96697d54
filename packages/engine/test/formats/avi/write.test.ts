import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/avi/assess.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { ChunkTable, KEY, LOST, NO_TIME, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { unitsOf } from '../../../src/formats/avi/read/clock.ts'
import { readFile } from '../../../src/formats/avi/read/file.ts'
import { writeAvi } from '../../../src/formats/avi/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { type Chunk, chunksIn } from '../../../src/syntax/riff/chunk.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

const ALL = 1 << 20
const readerOf = (bytes: Uint8Array): ByteReader => new ByteReader(new MemorySource(bytes))

/** A film with rows by lot lost, without a good header of their own, or without a time. */
async function drawn(bytes: Uint8Array, seed: number) {
  const reader = readerOf(bytes)
  const { header, walk } = await readFile(reader, DEFAULT_LIMITS, SILENT)
  if (!header) throw new Error('the film has no header')
  const { chunks } = walk
  const random = randomNumbers(seed)
  const table = new ChunkTable(ALL)
  for (let row = 0; row < chunks.length; row++) {
    const lot = random()
    // what lies behind a row that is left out joins nothing
    if (lot < 0.1) continue
    const flags =
      (chunks.flags[row] & KEY) | (lot < 0.2 ? LOST : lot < 0.3 ? REWRITTEN : lot < 0.35 ? NO_TIME : 0)
    // an odd size now and then, so that a byte fills it up
    const size = chunks.size[row] - (lot > 0.5 && lot < 0.6 && chunks.size[row] > 1 ? 1 : 0)
    table.push(
      flags & LOST ? -1 : chunks.offset[row],
      size,
      chunks.id[row],
      chunks.stream[row],
      flags | (size < chunks.size[row] ? REWRITTEN : 0),
    )
  }
  return { reader, header, table }
}

/** Everything of a written film that can be told without knowing how it was made. */
function taken(bytes: Uint8Array) {
  const reader = readerOf(bytes)
  const riffs = chunksIn(reader, 0, bytes.length, ALL)
  const inside = ({ body, end }: Chunk): Chunk[] => chunksIn(reader, body, end, ALL)
  const segments = riffs.map((riff) => {
    const parts = inside(riff)
    const movi = parts.find(({ type }) => type === 'movi')
    if (!movi) throw new Error('a segment without data')
    const all = inside(movi)
    return {
      riff,
      parts,
      movi,
      data: all.filter(({ id }) => !id.startsWith('ix')),
      standard: all.filter(({ id }) => id.startsWith('ix')),
    }
  })
  return { reader, riffs, inside, segments }
}

describe.each(fixturesOf(avi))('the film $name written', ({ bytes: film }) => {
  const bytes = Uint8Array.from(film)

  it.each([
    [1, 1_000_000_000],
    [2, 60_000],
    [3, 9_000],
  ])('of rows by lot (%i) in segments of %i bytes: chunks, indexes and figures agree', async (seed, most) => {
    const { reader, header, table } = await drawn(bytes, seed)
    const sink = new MemorySink()
    await writeAvi(reader, header, table, sink, SILENT, most)
    const out = sink.bytes().slice()
    const { reader: read, riffs, inside, segments } = taken(out)
    const data = segments.flatMap(({ data }) => data)
    const text = (from: number, length: number): string =>
      Buffer.from(out).toString('latin1', from, from + length)

    // every row once, in its order: silence, or nothing, where its bytes are lost
    expect(riffs.map(({ type }) => type)).toEqual(['AVI ', ...riffs.slice(1).map(() => 'AVIX')])
    expect(riffs.length > 1).toBe(most < 1e6)
    expect(riffs.at(-1)?.end).toBe(out.length)
    expect(data.length).toBe(table.length)
    for (const [row, { offset, body, end }] of data.entries()) {
      const { stream, size, id } = table
      expect([read.u32le(offset), end - body], `row ${row}`).toEqual([id[row], size[row]])
      const wave = header.streams[stream[row]].wave
      const silent = new Uint8Array(size[row]).fill(wave?.bitsPerSample === 8 ? 0x80 : 0)
      const from = table.offset[row]
      const wanted = from < 0 ? silent : bytes.subarray(from, from + size[row])
      expect(Buffer.compare(out.subarray(body, end), wanted), `row ${row}`).toBe(0)
      if (size[row] & 1 && table.flags[row] & (LOST | REWRITTEN)) expect(out[end]).toBe(0)
    }

    // the old index is of the first segment, and all of it
    const [first] = segments
    const old = first.parts.find(({ id }) => id === 'idx1')
    const entries = ((old?.end ?? 0) - (old?.body ?? 0)) / 16
    expect(entries).toBe(first.data.length)
    for (const [row, { offset, body, end }] of first.data.entries()) {
      const at = (old?.body ?? 0) + 16 * row
      const flags = (table.flags[row] & KEY ? 0x10 : 0) | (table.flags[row] & NO_TIME ? 0x100 : 0)
      const movi = first.movi.body - 4
      expect([read.u32le(at), read.u32le(at + 4), read.u32le(at + 8), read.u32le(at + 12)]).toEqual([
        ...[read.u32le(offset), flags, offset - movi, end - body],
      ])
    }

    const main = first.parts.find(({ type }) => type === 'hdrl')
    const lists = main ? inside(main) : []
    const pictures = header.streams.findIndex(({ description }) => description.kind === 'video')
    const rowsOf = (stream: number): number[] =>
      data.flatMap((_, row) => (table.stream[row] === stream ? [row] : []))
    const unitsAt = (stream: number, row: number): number =>
      table.flags[row] & NO_TIME ? 0 : unitsOf(header.streams[stream], table.size[row])
    const units = header.streams.map((_, i) => rowsOf(i).reduce((sum, row) => sum + unitsAt(i, row), 0))
    /** Units of a stream in each segment that holds any of it. */
    const unitsBySegment = (stream: number): number[] => {
      let row = 0
      return segments.flatMap(({ data }) => {
        const own = data.map(() => row++).filter((at) => table.stream[at] === stream)
        return own.length > 0 ? [Math.round(own.reduce((sum, at) => sum + unitsAt(stream, at), 0))] : []
      })
    }
    const avih = lists.find(({ id }) => id === 'avih')?.body ?? 0
    const [inFirst] = unitsBySegment(pictures)
    const largest = Math.max(...data.map(({ body, end }) => end - body)) + 8
    expect(read.u32le(avih + 12) & 0x10).toBe(0x10)
    expect([read.u32le(avih + 16), read.u32le(avih + 24), read.u32le(avih + 28)]).toEqual([
      ...[
        riffs.length > 1 ? inFirst : units[pictures],
        header.streams.length,
        Math.max(largest, view(header.main, 28)),
      ],
    ])
    for (const [i, list] of lists.filter(({ type }) => type === 'strl').entries()) {
      const parts = inside(list)
      const strh = parts.find(({ id }) => id === 'strh')?.body ?? 0
      expect(read.u32le(strh + 32), `stream ${i}`).toBe(Math.round(units[i]))
      expect(read.u32le(strh + 36)).toBeGreaterThanOrEqual(
        Math.max(0, ...rowsOf(i).map((row) => table.size[row])),
      )
      const indx = parts.find(({ id }) => id === 'indx')
      expect(indx !== undefined).toBe(riffs.length > 1)
      if (!indx) continue
      // the index of indexes leads to one in each segment that holds the stream
      const standard = segments.flatMap(({ standard }) => standard.filter(({ id }) => id === `ix0${i}`))
      expect(indx.end - indx.body).toBe(24 + 16 * riffs.length)
      const used = read.u32le(indx.body + 4)
      const told = Array.from({ length: used }, (_, k) => {
        const at = indx.body + 24 + 16 * k
        return [read.u64le(at), read.u32le(at + 8), read.u32le(at + 12)]
      })
      expect([read.u16le(indx.body), read.u32le(indx.body + 8), text(indx.body + 8, 4)]).toEqual([
        ...[4, table.id[rowsOf(i)[0]], expect.stringMatching(`^0${i}`)],
      ])
      const durations = unitsBySegment(i)
      expect(told).toEqual(standard.map(({ offset, end }, k) => [offset, end - offset, durations[k]]))
      const places = standard.flatMap(({ body, end }) => {
        expect([read.u16le(body), out[body + 3], read.u32le(body + 4)]).toEqual([2, 1, (end - body - 24) / 8])
        const base = read.u64le(body + 12)
        return Array.from({ length: read.u32le(body + 4) }, (_, k) => {
          const at = body + 24 + 8 * k
          return [base + read.u32le(at), read.u32le(at + 4)]
        })
      })
      expect(places).toEqual(
        rowsOf(i).map((row) => [
          data[row].body,
          table.size[row] + (table.flags[row] & KEY ? 0 : 0x8000_0000),
        ]),
      )
    }
  })
})

it.each(fixturesOf(avi))(
  'streams of $name are read up to a bound of them, and more are refused',
  async ({ bytes }) => {
    const streams = (tracks: number) =>
      assess(readerOf(Uint8Array.from(bytes)), { ...DEFAULT_LIMITS, tracks }, SILENT).then(
        ({ file }) => file.header?.streams.length,
      )
    expect([await streams(2), await streams(3)]).toEqual([2, 2])
    await expect(streams(1)).rejects.toThrow('more than 1 streams')
  },
)

function view(bytes: Uint8Array, at: number): number {
  return at + 4 <= bytes.length ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true) : 0
}
