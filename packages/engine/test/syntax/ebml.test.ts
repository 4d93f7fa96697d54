import { describe, expect, it } from 'vitest'
import { crc32 } from '../../src/bytes/crc32.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import {
  ElementHeader,
  readChildren,
  readFloat,
  readText,
  readUnsigned,
  UNKNOWN_SIZE,
} from '../../src/syntax/ebml/element.ts'
import { element, float, sizeBytes, text, unsigned } from '../../src/syntax/ebml/write.ts'

const reader = (bytes: ArrayLike<number>): ByteReader =>
  new ByteReader(new MemorySource(Uint8Array.from(bytes)))

describe('elements', () => {
  it('are read as they were written, whatever their size', () => {
    for (const size of [0, 1, 126, 127, 128, 16_382, 16_383, 100_000]) {
      const bytes = element(0x1f43b675, new Uint8Array(size))
      const header = new ElementHeader()
      expect(header.read(reader(bytes), 0, bytes.length)).toBe(true)
      expect({ id: header.id, size: header.size, end: header.end }).toEqual({
        id: 0x1f43b675,
        size,
        end: bytes.length,
      })
    }
  })

  it('of unknown size say so in every length', () => {
    for (let length = 1; length <= 8; length++) {
      const size = new Array(length).fill(0xff)
      size[0] = 0x1ff >> length
      const header = new ElementHeader()
      expect(header.read(reader([0xa3, ...size, 0]), 0, length + 2)).toBe(true)
      expect(header.size).toBe(UNKNOWN_SIZE)
    }
  })

  it('hold numbers and text', () => {
    const bytes = [...unsigned(0xd7, 300), ...float(0xb5, 48_000), ...text(0x86, 'V_VP9')]
    const source = reader(bytes)
    const { children, whole } = readChildren(source, 0, bytes.length, 9)
    expect(whole).toBe(true)
    expect(readUnsigned(source, children[0])).toBe(300)
    expect(readFloat(source, children[1])).toBe(48_000)
    expect(readText(source, children[2])).toBe('V_VP9')
  })

  it('that reach past the end of their parent break the row', () => {
    const bytes = element(0xd7, [1, 2, 3])
    expect(readChildren(reader(bytes), 0, bytes.length - 1, 9)).toEqual({ children: [], whole: false })
  })

  it('have sizes that are never the one for unknown', () => {
    expect(sizeBytes(127)).toEqual([0x40, 0x7f])
    expect(sizeBytes(126)).toEqual([0xfe])
  })
})

describe('the sum', () => {
  it('is that of IEEE 802.3, in one piece and in several', () => {
    const bytes = new TextEncoder().encode('123456789')
    expect(crc32(bytes)).toBe(0xcbf43926)
    expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(0xcbf43926)
  })
})
