import { expect, test } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import type { ByteSource } from '../../src/bytes/source.ts'
import { randomFrom } from '../../testing/index.ts'

const KIB = 1024

/** A source that counts what is read of it. */
class Counted implements ByteSource {
  readonly size: number
  reads = 0
  taken = 0
  readonly #bytes: Uint8Array
  /** Bytes that are there although `size` says more: the file was cut while it was read. */
  readonly #there: number

  constructor(bytes: Uint8Array, there = bytes.length) {
    this.#bytes = bytes
    this.size = bytes.length
    this.#there = there
  }

  read(offset: number, target: Uint8Array): number {
    const part = this.#bytes.subarray(offset, Math.max(offset, Math.min(this.#there, offset + target.length)))
    target.set(part)
    this.reads++
    this.taken += part.length
    return part.length
  }
}

function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = 12345
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    bytes[at] = state >>> 16
  }
  return bytes
}

test('whatever is asked for in whatever order is what the source holds', () => {
  const bytes = noise(40 * 256 * KIB + 777)
  const random = randomFrom(7)
  let inBlocks = 0
  for (const there of [bytes.length, 5_000_003]) {
    const reader = new ByteReader(new Counted(bytes, there))
    const byte = (at: number): number => (at >= 0 && at < there ? bytes[at] : 0)
    let at = 0
    for (let turn = 0; turn < 4_000; turn++) {
      const way = random()
      if (way < 0.1) at = Math.floor(random() * (bytes.length + 100))
      else if (way < 0.7) at += Math.floor(random() * 9_000)
      else if (way < 0.8) at = Math.max(0, at - Math.floor(random() * 20_000))
      if (at > bytes.length) at = 0
      const kind = Math.floor(random() * 6)
      if (kind === 5) {
        const length = Math.floor(random() * 100) + 1
        const place = reader.placeInBlock(at, length)
        const got = place < 0 ? new Uint8Array(0) : reader.block.subarray(place, place + length)
        const wanted = bytes.subarray(at, place < 0 ? at : at + length)
        if (Buffer.compare(got, wanted) !== 0) expect.fail(`${length} bytes at ${at} differ`)
        inBlocks += place < 0 ? 0 : 1
      } else if (kind === 0) expect(reader.u8(at)).toBe(byte(at))
      else if (kind === 1) expect(reader.u16(at)).toBe(byte(at) * 256 + byte(at + 1))
      else if (kind === 2)
        expect(reader.u32(at)).toBe(
          ((byte(at) * 256 + byte(at + 1)) * 256 + byte(at + 2)) * 256 + byte(at + 3),
        )
      else {
        const length = Math.floor(random() ** 8 * 600_000) + 1
        const got = kind === 3 ? reader.bytes(at, length) : new Uint8Array(length)
        if (kind === 4) reader.copyTo(at, got)
        const wanted = new Uint8Array(kind === 3 ? Math.min(length, bytes.length - at) : length)
        wanted.set(bytes.subarray(at, Math.max(at, Math.min(at + wanted.length, there))))
        if (Buffer.compare(got, wanted) !== 0) expect.fail(`${length} bytes at ${at} differ`)
      }
    }
  }
  expect(inBlocks).toBeGreaterThan(500)
})

test('headers far from each other cost a few kibibytes each, not what lies between them', () => {
  const source = new Counted(noise(16 << 20))
  const reader = new ByteReader(source)
  let headers = 0
  for (let at = 0; at < source.size; at += 70_000) {
    reader.u32(at)
    reader.bytes(at + 4, 96)
    headers++
  }
  expect(source.taken).toBeLessThanOrEqual(headers * 12 * KIB)
  expect(source.reads).toBeLessThanOrEqual(2 * headers)
})

test('bytes read one after the other, or nearly so, come in few reads', () => {
  for (const step of [1, 100, 8_000]) {
    const source = new Counted(noise(16 << 20))
    const reader = new ByteReader(source)
    for (let at = 0; at < source.size; at += step) reader.u8(at)
    expect(source.reads).toBeLessThan(2 * 64)
  }
})

test('a piece that is looked at from behind comes in few reads where it was fetched, and no more of it than a MiB', () => {
  const piece = 60 * KIB
  const source = new Counted(noise(16 << 20))
  const reader = new ByteReader(source)
  for (let from = 0; from + piece <= source.size; from += piece) {
    reader.fetch(from, piece)
    for (let at = from + piece - 1; at >= from; at -= 10 * KIB) reader.u8(at)
  }
  expect(source.reads).toBeLessThan(4 * 64)
  const taken = source.taken
  new ByteReader(source).fetch(100, source.size)
  expect(source.taken - taken).toBeLessThanOrEqual(5 * 256 * KIB)
})

test('what goes through a long file is given few blocks to fill, one who comes back again and again has all at hand', () => {
  const source = new Counted(noise(32 << 20))
  const filled = new Set<ArrayBufferLike>()
  const read = source.read.bind(source)
  source.read = (offset, target) => {
    filled.add(target.buffer)
    return read(offset, target)
  }
  const reader = new ByteReader(source)
  const walk = (from: number, until: number): void => {
    for (let at = from; at < until; at += 4 * KIB) reader.u8(at)
  }
  walk(0, source.size)
  expect(filled.size).toBeLessThanOrEqual(8)
  expect(source.taken).toBe(source.size)
  const region = 8 << 20
  for (let turn = 0; turn < 5; turn++) walk(source.size - region, source.size)
  expect(source.taken).toBeLessThanOrEqual(source.size + 2 * region)
})

test('a piece across two blocks is read and copied once, whatever number of places it is asked for from', () => {
  const bytes = noise(600 * KIB)
  const source = new Counted(bytes)
  const reader = new ByteReader(source)
  const border = 256 * KIB
  reader.bytes(border - 20 * KIB, 22 * KIB)
  const reads = source.reads
  const backing = new Set<ArrayBufferLike>()
  for (let at = border - 20 * KIB; at < border; at += 100) {
    const view = reader.bytes(at, 22 * KIB)
    expect(Buffer.compare(view, bytes.subarray(at, at + 22 * KIB))).toBe(0)
    if (at + 22 * KIB > border) backing.add(view.buffer)
  }
  expect(source.reads - reads).toBeLessThanOrEqual(2)
  expect(backing.size).toBeLessThanOrEqual(2)
})

test('numbers of every width and order are those of the bytes, wherever blocks end', () => {
  const bytes = noise(256 * KIB + 16)
  const view = new DataView(bytes.buffer)
  for (const at of [0, 1, 7, ...Array.from({ length: 12 }, (_, i) => 256 * KIB - 10 + i)]) {
    const reader = new ByteReader(new Counted(bytes))
    expect(reader.u24(at)).toBe(view.getUint32(at) >>> 8)
    expect(reader.i32(at)).toBe(view.getInt32(at))
    expect(reader.u16le(at)).toBe(view.getUint16(at, true))
    expect(reader.u32le(at)).toBe(view.getUint32(at, true))
    if (at + 8 > bytes.length) continue
    expect(reader.u64(at)).toBe(Number(view.getBigUint64(at)))
    expect(reader.u64le(at)).toBe(Number(view.getBigUint64(at, true)))
  }
  const text = new ByteReader(new Counted(new TextEncoder().encode('moov')))
  expect(text.fourcc(0)).toBe('moov')
})

test('of blocks that were come back to the one longest unused makes room', () => {
  const block = 256 * KIB
  const source = new Counted(new Uint8Array(128 * block))
  const reader = new ByteReader(source)
  const readsOf = (...blocks: readonly number[]): number => {
    const before = source.reads
    for (const each of blocks) reader.u8(each * block)
    return source.reads - before
  }
  const kept = Array.from({ length: 58 }, (_, i) => 64 + i)
  for (let at = 0; at < 128; at++) reader.u8(at * block)
  expect(readsOf(...kept)).toBe(58)
  expect(readsOf(...kept.slice(2), 64)).toBe(0)
  // each new one drives out one of those passed last, which takes the place of another when it is come back to
  expect(readsOf(0, 122)).toBe(2)
  expect(readsOf(1, 123)).toBe(2)
  expect(readsOf(122, 64, ...kept.slice(3))).toBe(0)
  expect(readsOf(66)).toBe(1)
})

test('a piece of one block is a view into it, though only its first bytes were in memory', () => {
  const reader = new ByteReader(new Counted(noise(600 * KIB)))
  reader.u8(300 * KIB)
  reader.u8(0)
  reader.u8(300 * KIB)
  const piece = reader.bytes(100, 100 * KIB)
  expect(reader.bytes(5_000, 50 * KIB).buffer).toBe(piece.buffer)
})
