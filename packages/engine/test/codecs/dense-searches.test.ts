import { afterEach, describe, expect, it, vi } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { DnxhdRecogniser } from '../../src/codecs/dnxhd/recogniser.ts'
import { H263Recogniser } from '../../src/codecs/h263/recogniser.ts'
import { searchBytes } from '../../src/codecs/search-bytes.ts'
import { searchSync } from '../../src/codecs/search-sync.ts'
import { inBandPictures } from '../../src/recording/deduce/pictures.ts'
import { repeated } from '../../testing/adversaries/bytes.ts'

const BYTES = 1 << 20

afterEach(() => vi.restoreAllMocks())

/** A source that counts the bytes that it is asked for. */
class CountingSource extends MemorySource {
  count = 0

  override read(offset: number, target: Uint8Array): number {
    this.count += target.length
    return super.read(offset, target)
  }
}

describe('a search in bytes that are full of what it looks for', () => {
  it('calls the environment once for several bytes, of a pattern', () => {
    const calls = vi.spyOn(Uint8Array.prototype, 'indexOf')
    const reader = new ByteReader(new MemorySource(repeated(Uint8Array.of(0, 0, 1, 0xb6), BYTES)))
    expect(searchBytes(reader, 0, BYTES, Uint8Array.of(0, 0, 2))).toBe(BYTES)
    expect(calls.mock.calls.length).toBeLessThan(BYTES / 16)
  })

  it('calls the environment once for several bytes, of a byte that frames begin with', () => {
    const calls = vi.spyOn(Uint8Array.prototype, 'indexOf')
    const reader = new ByteReader(new MemorySource(repeated(Uint8Array.of(0xff, 0xd8), BYTES)))
    expect(searchSync(reader, 0, BYTES, { sync: 0xff, ahead: 4 }, () => false)).toBe(BYTES)
    expect(calls.mock.calls.length).toBeLessThan(BYTES / 16)
  })

  it.each([
    ['DNxHD', new DnxhdRecogniser(1920)],
    ['H.263', new H263Recogniser(176, 144)],
  ])('asks for pieces of the file, not for each place, of frames of %s', (_, recogniser) => {
    const calls = vi.spyOn(ByteReader.prototype, 'bytes')
    const reader = new ByteReader(new MemorySource(repeated(Uint8Array.of(0, 0, 1, 0xb6, 0x10, 0x40), BYTES)))
    expect(recogniser.search(reader, 0, BYTES)).toBe(BYTES)
    expect(calls.mock.calls.length).toBeLessThan(100)
  })

  it('reads the file once for the parameter sets of both codecs', () => {
    const source = new CountingSource(repeated(Uint8Array.of(0, 0, 0, 2, 0x67, 0x42), BYTES))
    expect(inBandPictures(new ByteReader(source), [{ offset: 0, length: BYTES }])).toEqual([])
    expect(source.count).toBeLessThan(BYTES * 1.1)
  })

  it('makes what it needs for parameter sets once for all stretches, of a few bytes each', () => {
    const calls = vi.spyOn(Uint8Array.prototype, 'forEach')
    const regions = Array.from({ length: 1000 }, (_, i) => ({ offset: i * 100, length: 50 }))
    expect(inBandPictures(new ByteReader(new MemorySource(new Uint8Array(100_000))), regions)).toEqual([])
    expect(calls.mock.calls.length).toBeLessThan(10)
  })
})
