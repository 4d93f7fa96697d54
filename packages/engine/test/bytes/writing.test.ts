import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Edits } from '../../src/bytes/edits.ts'
import { RangeWriter } from '../../src/bytes/range-writer.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { type ByteSink, MemorySink } from '../../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../../src/bytes/source.ts'
import { Splice } from '../../src/bytes/splice.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { NotingSink } from '../../testing/contract/sinks.ts'
import { noise, ZeroTailSource } from '../../testing/hostile-sources.ts'

const MIB = 2 ** 20
const BYTES = noise(3 * MIB + 77, 5)
const SOURCE = new MemorySource(BYTES)

/** A memory sink that keeps in mind how long what it got was. */
class Pieces extends MemorySink {
  readonly lengths: number[] = []

  override write(bytes: Uint8Array): void {
    this.lengths.push(bytes.length)
    super.write(bytes)
  }
}

/** A sink that copies by reference and keeps in mind what it was asked for. */
class Copies extends NotingSink {
  readonly written: number[] = []
  readonly copied: number[] = []
  readonly most: number[] = []

  override write(bytes: Uint8Array): void {
    this.written.push(bytes.length)
    super.write(bytes)
  }

  override copy(source: ByteSource, offset: number, length: number): boolean {
    if (length > 0) this.copied.push(length)
    return super.copy(source, offset, length)
  }

  override async settled(most = 0): Promise<void> {
    this.most.push(most)
  }
}

type Part = { readonly offset: number; readonly length: number } | { readonly fill: number; length: number }

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    offset: fc.integer({ min: 0, max: BYTES.length }),
    length: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 * MIB })),
  }),
  fc.record({ fill: fc.integer({ min: 0, max: 255 }), length: fc.integer({ min: 0, max: 300_000 }) }),
)

function bytesOf(part: Part): Uint8Array {
  const bytes = new Uint8Array(part.length)
  if ('fill' in part) return bytes.fill(part.fill)
  bytes.set(BYTES.subarray(part.offset, part.offset + part.length))
  return bytes
}

describe('a result put together from ranges and new bytes', () => {
  it('is their row, whether the sink copies or not, and is told as it grows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const wanted = Buffer.concat(parts.map(bytesOf))
        for (const sink of [new MemorySink(), new NotingSink(SOURCE)]) {
          const told: number[] = []
          const monitor = { ...SILENT, progress: (_: string, share: number) => told.push(share) }
          const splice = new Splice()
          const places = parts.map((part, i) => {
            if ('offset' in part) return splice.copy(part.offset, part.length)
            return i % 2 === 0 ? splice.fill(part.fill, part.length) : splice.bytes(bytesOf(part))
          })
          const before = (i: number): number => parts.slice(0, i).reduce((sum, { length }) => sum + length, 0)
          expect(places).toEqual(parts.map((_, i) => before(i)))
          expect(splice.size).toBe(wanted.length)
          await splice.write(new ByteReader(SOURCE), sink, monitor)
          expect(Buffer.compare(sink.bytes(), wanted)).toBe(0)
          expect(told).toEqual(told.toSorted((a, b) => a - b))
          expect(told.at(-1)).toBe(wanted.length === 0 ? 0 : 1)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('reaches a sink that copies by itself as ranges, apart from what is short', async () => {
    const sink = new Copies(SOURCE)
    const writer = new RangeWriter(new ByteReader(SOURCE), sink, SILENT, BYTES.length)
    await writer.copy(0, 64 * 1024 - 1)
    await writer.copy(7, 64 * 1024)
    await writer.copy(9, 5)
    expect(writer.position).toBe(128 * 1024 + 4)
    await writer.end()
    expect(sink).toMatchObject({ copied: [64 * 1024], written: [64 * 1024 - 1, 5] })
  })

  it('is gathered at once where it is short and there is room, zeros behind the end', async () => {
    const sink = new Copies(SOURCE)
    const writer = new RangeWriter(new ByteReader(SOURCE), sink, SILENT, 64 * 1024)
    const given = [
      writer.gather(5, 64 * 1024),
      writer.gather(5, 60_000),
      writer.gather(9, 30),
      writer.gather(9, 6000),
    ]
    expect(given).toEqual([false, true, true, false])
    expect(writer.gather(BYTES.length - 3, 5)).toBe(true)
    expect(writer.gather(BYTES.length - 3, 500)).toBe(true)
    await writer.end()
    const wanted = [BYTES.subarray(5, 60_005), BYTES.subarray(9, 39), BYTES.subarray(-3), new Uint8Array(2)]
    const written = Buffer.concat([...wanted, BYTES.subarray(-3), new Uint8Array(497)])
    expect(Buffer.compare(sink.bytes(), written)).toBe(0)
  })

  it('waits for what is under way, of a long range after every 32 MiB', async () => {
    const long = new ZeroTailSource(SOURCE, 100 * MIB)
    const sink = new Copies(long)
    const writer = new RangeWriter(new ByteReader(long), sink, SILENT, long.size)
    await writer.copy(0, 100 * MIB)
    expect(sink.copied).toEqual([32 * MIB, 32 * MIB, 32 * MIB, 4 * MIB])
    expect(sink.most).toEqual([64, 64, 64, 64].map((each) => each * MIB))
  })

  it('is gathered up to a mebibyte, and no more is kept', async () => {
    const sink = new Pieces()
    const writer = new RangeWriter(new ByteReader(SOURCE), sink, SILENT, 3 * MIB)
    for (let at = 0; at < 2000; at++) await writer.copy(at, 1000)
    for (let at = 0; at < 1000; at++) writer.write(BYTES.subarray(at, at + 100))
    await writer.end()
    expect(Math.max(...sink.lengths)).toBeLessThanOrEqual(MIB)
    expect(sink.lengths.length).toBeLessThanOrEqual(4)
    const short = new Pieces()
    await new RangeWriter(new ByteReader(SOURCE), short, SILENT, 10).fill(1, 100_000)
    expect(short.lengths).toEqual([64 * 1024])
  })
})

/** Runs edits over the first bytes of the source. */
async function edited(edits: Edits, size: number, sink: ByteSink & { bytes(): Uint8Array }) {
  const writer = new RangeWriter(new ByteReader(SOURCE), sink, SILENT, size)
  await edits.write(writer, size)
  await writer.end()
  return sink.bytes()
}

describe('changes to a file', () => {
  it('that lie apart are done, in whatever order they are told', async () => {
    const steps = fc.array(
      fc.record({
        gap: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 90_000 })),
        length: fc.integer({ min: 0, max: 2000 }),
        put: fc.uint8Array({ maxLength: 400 }),
        rank: fc.nat(),
      }),
      { maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(100_000), async (all, rest) => {
        let at = 0
        const changes = all.map(({ gap, length, put, rank }) => {
          const offset = at + gap
          at = offset + length
          return { offset, length, put, rank }
        })
        const size = at + rest
        const pieces: Uint8Array[] = []
        at = 0
        for (const { offset, length, put } of changes) {
          pieces.push(BYTES.subarray(at, offset), put)
          at = offset + length
        }
        const wanted = Buffer.concat([...pieces, BYTES.subarray(at, size)])
        const edits = new Edits()
        for (const { offset, length, put } of changes.toSorted((a, b) => a.rank - b.rank)) {
          if (put.length === 0 && length > 0) edits.drop(offset, length)
          else if (length === 0) edits.insert(offset, put)
          else edits.replace(offset, length, put)
        }
        for (const sink of [new MemorySink(), new NotingSink(SOURCE)])
          expect(Buffer.compare(await edited(edits, size, sink), wanted)).toBe(0)
        const told: number[] = []
        edits.each((offset, _length, bytes) => told.push(offset, bytes.length))
        expect(told).toEqual(changes.flatMap(({ offset, put }) => [offset, put.length]))
      }),
      { numRuns: 50 },
    )
  })

  it('at one place: what is put in stands first, in the order told, and of stretches the later counts', async () => {
    const edits = new Edits()
    edits.replace(10, 4, Uint8Array.of(1))
    edits.insert(10, Uint8Array.of(2))
    edits.replace(10, 2, Uint8Array.of(3))
    edits.insert(10, Uint8Array.of(4))
    // begins within the one before, and reaches further
    edits.replace(11, 5, Uint8Array.of(5))
    // put in where nothing is left of the file
    edits.insert(13, Uint8Array.of(6))
    const wanted = [...BYTES.subarray(0, 10), 2, 4, 3, 6, ...BYTES.subarray(16, 30)]
    expect([...(await edited(edits, 30, new MemorySink()))]).toEqual(wanted)
  })

  it('that leave out what lies side by side are one, and of more than a few thousand none is lost', () => {
    const edits = new Edits()
    for (let at = 0; at < 3000; at++) edits.drop(at, 1)
    expect(edits.count).toBe(1)
    for (let at = 0; at < 9000; at++) edits.replace(4000 + at * 2, 1, Uint8Array.of(at & 255))
    edits.drop(30_001, 1)
    expect(edits.count).toBe(9002)
    let seen = 0
    edits.each((offset, length, bytes) => {
      if (offset < 4000 || offset === 30_001) return
      expect([length, ...bytes]).toEqual([1, ((offset - 4000) / 2) & 255])
      seen++
    })
    expect(seen).toBe(9000)
  })
})
