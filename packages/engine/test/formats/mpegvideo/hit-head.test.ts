import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { EXTENSION, GROUP, PICTURE } from '../../../src/codecs/mpeg12/unit-walker.ts'
import { hiddenGroup, hitHeadAt } from '../../../src/formats/mpegvideo/read/hit-head.ts'

const FIRST_SLICE = 1

/** Headers with their start codes: a picture that is coded by itself, one that refers both ways, and a group. */
const BY_ITSELF = [0, 0, 1, PICTURE, 0x00, 0x0f, 0xff, 0xf8]
const BOTH_WAYS = [0, 0, 1, PICTURE, 0x00, 0x5f, 0xff, 0xfb, 0xb8]
const GROUP_HEAD = [0, 0, 1, GROUP, 0x00, 0x08, 0x00, 0x40]

const readerOf = (bytes: readonly number[]) => new ByteReader(new MemorySource(Uint8Array.from(bytes)))

/** What a header is taken for that stands alone up to what follows. */
const headOf = (bytes: readonly number[], follows: number, mpeg1: boolean) =>
  hitHeadAt(readerOf(bytes), 0, bytes.length, follows, mpeg1)?.value

/** The same bytes with a bit of one of them turned. */
const turned = (bytes: readonly number[], at: number, bit: number) =>
  bytes.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))

describe('a header with a bit of its start code turned', () => {
  it.each([
    ['a picture of MPEG-1 that is coded by itself', BY_ITSELF, FIRST_SLICE, true, PICTURE],
    ['a picture of MPEG-2 that refers both ways', BOTH_WAYS, EXTENSION, false, PICTURE],
    ['a group', GROUP_HEAD, PICTURE, false, GROUP],
  ] as const)('is known: %s', (_what, bytes, follows, mpeg1, value) => {
    for (let at = 0; at < 4; at++)
      for (let bit = 0; bit < 8; bit++) expect(headOf(turned(bytes, at, bit), follows, mpeg1)).toBe(value)
    // a whole code was not hit, and two bits are no single one
    expect(headOf(bytes, follows, mpeg1)).toBeUndefined()
    expect(headOf(turned(turned(bytes, 0, 3), 3, 0), follows, mpeg1)).toBeUndefined()
  })

  it('of a picture stands before slices in MPEG-1, before its extension in MPEG-2', () => {
    const hit = turned(BY_ITSELF, 2, 4)
    expect(headOf(hit, EXTENSION, false)).toBe(PICTURE)
    expect(headOf(hit, EXTENSION, true)).toBeUndefined()
    expect(headOf(hit, FIRST_SLICE, false)).toBeUndefined()
  })

  it('of a picture is as long as its type makes it', () => {
    const hit = turned(BOTH_WAYS, 2, 4)
    for (const [more, value] of [
      [[], PICTURE],
      [[0], PICTURE],
      [[0, 0], undefined],
    ] as const)
      expect(headOf([...hit, ...more], EXTENSION, false)).toBe(value)
    for (let length = 1; length < hit.length; length++)
      expect(headOf(hit.slice(0, length), EXTENSION, false), `${length} bytes`).toBeUndefined()
  })

  it('of a picture has a type that there is', () => {
    const without = BY_ITSELF.with(5, 0x07)
    expect(headOf(turned(without, 2, 4), FIRST_SLICE, true)).toBeUndefined()
  })

  it('of a group may stand behind what comes before it', () => {
    const before = [0, 0, 1, 0xb3, 1, 2, 3, 4]
    const bytes = [...before, ...turned(GROUP_HEAD, 1, 0)]
    const reader = readerOf(bytes)
    expect(hiddenGroup(reader, 0, bytes.length, PICTURE)).toBe(before.length)
    expect(hiddenGroup(reader, 0, bytes.length, FIRST_SLICE)).toBe(-1)
    expect(hiddenGroup(reader, before.length, bytes.length, PICTURE)).toBe(-1)
  })
})
