import { describe, expect, it } from 'vitest'
import { sniffPictures } from '../../src/recording/sniff-stream.ts'

const code = (...bytes: number[]): number[] => [0, 0, 1, ...bytes]
const sniffed = (...parts: number[][]): string | undefined => sniffPictures(Uint8Array.from(parts.flat()))

describe('pictures are known by the headers they begin with', () => {
  it.each([
    ['a sequence parameter set', 'h264', code(0x67, 100, 0, 40, 0xac)],
    ['a delimiter', 'h264', [...code(9, 0xf0), ...code(0x67, 66, 0)]],
    ['a sequence header of VC-1', 'vc1', code(0x0f, 0xdb, 0xfe)],
    ['a sequence header of MPEG-1', 'mpeg1video', [...code(0xb3, 0x16, 0, 0xf0, 0xc3, 2), ...code(0xb8, 0)]],
  ])('%s', (_, codec, bytes) => {
    expect(sniffed(bytes)).toBe(codec)
  })

  it.each([
    ['7', code(7, 0x33, 0xf6, 0xe5)],
    ['9', code(9, 0x1b, 0x53, 0x14)],
    ['15', code(0x0f, 0xc9, 0x24, 0x49)],
    ['39', code(0x27, 0x43, 0x57, 0x98)],
  ])('a slice of MPEG-2 in row %s is none of them', (_, slice) => {
    expect(sniffed(slice, code(0xb3, 0x16, 0, 0xf0, 0xc3, 2), code(0xb5, 0x14))).toBe('mpeg2video')
  })
})
