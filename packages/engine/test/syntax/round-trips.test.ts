import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitReader } from '../../src/bytes/bit-reader.ts'
import { BitWriter } from '../../src/bytes/bit-writer.ts'
import { deflate } from '../../src/bytes/deflate/deflate.ts'
import { adler32, inflateZlib } from '../../src/bytes/deflate/inflate-zlib.ts'
import { LowBitWriter } from '../../src/bytes/deflate/low-bit-writer.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { readChildren, readFloat, readText, readUnsigned } from '../../src/syntax/ebml/element.ts'
import { float, text, unsigned } from '../../src/syntax/ebml/write.ts'
import { readTimeStamp, ticksBetween, WRAP, writeTimeStamp } from '../../src/syntax/pes/time-stamp.ts'
import {
  associationBody,
  type ProgramMap,
  parseAssociation,
  parseProgramMap,
  programMapBody,
} from '../../src/syntax/psi/program-map.ts'
import { parseSection, writeSection } from '../../src/syntax/psi/section.ts'
import { readTiffHeader, tiffHeaderBytes } from '../../src/syntax/tiff-ifd/header.ts'

const readerOf = (bytes: Uint8Array): ByteReader => new ByteReader(new MemorySource(bytes))
const u = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 })

describe('what is written is read again:', () => {
  it('bits and Exp-Golomb codes', () => {
    const value = fc.oneof(
      fc.record({ kind: fc.constant('ue' as const), value: u(31) }),
      fc.record({ kind: fc.constant('se' as const), value: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }) }),
      fc.record({ kind: fc.constant('bits' as const), value: u(20) }),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        const writer = new BitWriter()
        for (const one of values) {
          if (one.kind === 'bits') writer.bits(one.value, 20)
          else writer[one.kind](one.value)
        }
        const reader = new BitReader(writer.bytes())
        const read = values.map(({ kind }) => (kind === 'bits' ? reader.bits(20) : reader[kind]() + 0))
        expect(read).toEqual(values.map((one) => one.value))
        expect(reader.position).toBe(writer.length)
      }),
    )
  })

  it('deflated bytes, what was known before them included', () => {
    const bytes = fc.array(u(2), { maxLength: 2_000 }).map((list) => Uint8Array.from(list))
    fc.assert(
      fc.property(bytes, bytes, (known, own) => {
        const all = Uint8Array.from([...known, ...own])
        const writer = new LowBitWriter()
        writer.putBytes(Uint8Array.of(0x78, 1))
        deflate(all, 0, writer)
        writer.alignToByte()
        const tail = new Uint8Array(4)
        new DataView(tail.buffer).setUint32(0, adler32(own, adler32(known)))
        writer.putBytes(tail)
        const read = inflateZlib(writer.bytes(), all.length)
        expect([read.end, read.checked, [...read.bytes]]).toEqual(['whole', true, [...all]])
      }),
      { numRuns: 30 },
    )
  })

  it('elements of EBML', () => {
    const letters = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    })
    fc.assert(
      fc.property(u(40), fc.double({ noNaN: true }), letters, (number, real, words) => {
        const bytes = Buffer.concat([unsigned(0x4286, number), float(0x4489, real), text(0x4d80, words)])
        const reader = readerOf(Uint8Array.from(bytes))
        const { children: elements, whole } = readChildren(reader, 0, bytes.length, 10)
        expect(whole).toBe(true)
        expect(elements.map(({ id }) => id)).toEqual([0x4286, 0x4489, 0x4d80])
        expect([
          readUnsigned(reader, elements[0]),
          readFloat(reader, elements[1]),
          readText(reader, elements[2]),
        ]).toEqual([number, real, words])
      }),
    )
  })

  it('time stamps of 33 bits, and how far they are apart', () => {
    const stamp = fc.integer({ min: 0, max: WRAP - 1 })
    fc.assert(
      fc.property(
        stamp,
        u(4),
        fc.integer({ min: -(2 ** 32) + 1, max: 2 ** 32 - 1 }),
        (ticks, prefix, apart) => {
          const bytes = new Uint8Array(7)
          writeTimeStamp(bytes, 1, prefix, ticks)
          expect([bytes[0], bytes[1] >> 4, bytes[6]]).toEqual([0, prefix, 0])
          expect(readTimeStamp(bytes, 1)).toBe(ticks)
          expect(ticksBetween(ticks, (ticks + apart + WRAP) % WRAP)).toBe(apart)
          for (const at of [1, 3, 5]) {
            const broken = bytes.slice()
            broken[at] &= 0xfe
            expect(readTimeStamp(broken, 1)).toBe(-1)
          }
        },
      ),
    )
  })

  it('sections with the tables of programs', () => {
    const descriptors = fc.uint8Array({ maxLength: 30 })
    const streams = fc.array(fc.record({ streamType: u(8), pid: u(13), descriptors }), { maxLength: 8 })
    const map = fc.record({ program: u(16), pcrPid: u(13), descriptors, streams })
    const programs = fc.array(fc.tuple(fc.integer({ min: 1, max: 65_535 }), u(13)), { maxLength: 20 })
    fc.assert(
      fc.property(map, programs, u(5), u(8), (program: ProgramMap, list, version, hit) => {
        const section = { tableId: 2, extension: program.program, version, body: programMapBody(program) }
        const bytes = writeSection(section)
        const read = parseSection(bytes)
        expect(read).toEqual(section)
        expect(read && parseProgramMap(read)).toEqual(program)
        const association = new Map(list)
        expect(parseAssociation({ ...section, body: associationBody(association) })).toEqual(association)
        bytes[hit % bytes.length] ^= 1 << (hit & 7)
        expect(parseSection(bytes)).toBeUndefined()
      }),
    )
  })

  it('headers of TIFF', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), u(32), (little, big, firstIfd) => {
        const header = { little, big, magic: big ? 43 : 42, firstIfd }
        expect(readTiffHeader(readerOf(tiffHeaderBytes(header)))).toEqual(header)
      }),
    )
  })
})
