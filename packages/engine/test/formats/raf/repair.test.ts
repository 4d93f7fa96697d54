import { describe, expect, it } from 'vitest'
import { headCut, headZeroed } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { raf } from '../../../src/formats/raf/index.ts'
import { readHeader } from '../../../src/formats/raf/read.ts'
import { photoPair, repairPhoto } from '../../../testing/photos/repair-photo.ts'

const NAMES = ['directory', 'plain'] as const
const HEADER = 148

function headerOf(bytes: Uint8Array) {
  return readHeader(new ByteReader(new MemorySource(bytes)))
}

describe('a RAF photo without its header', () => {
  it.each(NAMES)('%s comes back byte for byte with a sample', async (name) => {
    const { bytes, sample } = photoPair(raf, name)
    const result = await repairPhoto(headZeroed(bytes, HEADER), 'raf', sample)
    const { jpeg } = headerOf(result.bytes)
    // where the JPEG picture ends is not told beyond the facts that follow it
    expect(jpeg.length - headerOf(bytes).jpeg.length).toBeLessThan(4)
    const same = Uint8Array.from(result.bytes)
    same.set(bytes.subarray(88, 92), 88)
    expect(same).toEqual(bytes)
    expect(result.doubts).toEqual(name === 'plain' ? ['placement'] : [])
  })

  it('has its parts found without a sample; what no part tells is assumed', async () => {
    const { bytes } = photoPair(raf, 'directory')
    const result = await repairPhoto(headCut(bytes, HEADER), 'raf')
    expect(result.doubts).toEqual(['assumed'])
    const { facts, data } = headerOf(result.bytes)
    expect(facts).toEqual(headerOf(bytes).facts)
    expect(result.bytes.subarray(data.offset, data.offset + data.length)).toEqual(
      bytes.subarray(headerOf(bytes).data.offset),
    )
  })

  it('without a sample and without a directory in front of its pixels gives its JPEG picture', async () => {
    const { bytes } = photoPair(raf, 'plain')
    const result = await repairPhoto(headCut(bytes, HEADER), 'raf')
    expect(result.report.extension).toBe('jpg')
    expect(result.doubts).toContain('preview-only')
  })
})

describe('a RAF photo that breaks off', () => {
  it.each(NAMES)('%s is filled up, and what is there stays', async (name) => {
    const { bytes } = photoPair(raf, name)
    const { data } = headerOf(bytes)
    const there = data.offset + Math.floor(data.length / 2)
    const result = await repairPhoto(bytes.subarray(0, there), 'raf')
    expect(result.bytes.length).toBe(data.offset + data.length)
    expect(result.bytes.subarray(0, there)).toEqual(bytes.subarray(0, there))
    expect(result.doubts).toEqual(['areas-lost'])
    expect(result.report.pictures[0]).toMatchObject({ total: 96, recovered: 48, lost: 48 })
  })

  it('is told from a dark one: zeros that begin amid values were never written', async () => {
    const { bytes } = photoPair(raf, 'plain')
    const { data } = headerOf(bytes)
    const tail = Uint8Array.from(bytes)
    tail.fill(0, bytes.length - 4_096)
    expect((await repairPhoto(tail, 'raf')).findings).toEqual(['raf.data-hit'])
    const dark = Uint8Array.from(bytes)
    dark.fill(0, bytes.length - 4_096)
    for (let at = bytes.length - 4_200; at < bytes.length - 4_096; at++) if (at % 4 > 0) dark[at] = 0
    expect((await repairPhoto(dark, 'raf')).report.verdict).toBe('healthy')
    expect(data.length).toBeGreaterThan(8_192)
  })
})
