import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { keyTest } from '../../../src/formats/avi/read/key-pictures.ts'

const indeo3 = (flags: number): number[] => [...new Array<number>(16).fill(0), 0x20, 0, flags, 0]

it.each<[codec: string, key: number[], other: number[]]>([
  ['iv31', indeo3(5), indeo3(1)],
  ['iv32', indeo3(4), indeo3(0x200)],
  ['iv41', [0xf8, 0xff, 0x83, 0xcc], [0xf8, 0xff, 0x8b, 0xcc]],
  ['iv50', [0x1f, 0, 0, 0], [0x3f, 0, 0, 0]],
  ['vp31', [0x32, 0, 8], [0xb2, 0, 8]],
  ['vp62', [0x36, 4, 12], [0xb6, 4, 12]],
  [
    'flv1',
    [0, 0, 0x84, 0, 0x81, 0xe0, 1, 0x0e, 0x12, 0xa6],
    [0, 0, 0x84, 4, 0x81, 0xe0, 1, 0x0e, 0x31, 0x3c],
  ],
])('key pictures of %s are told by how they begin', (codec, key, other) => {
  const isKey = (picture: readonly number[]): boolean => {
    const bytes = Uint8Array.from([...picture, ...new Array<number>(64).fill(0x55)])
    const reader = new ByteReader(new MemorySource(bytes))
    return keyTest(reader, {
      ...{ id: 1, kind: 'video', codec, timescale: 25, config: new Uint8Array(0), framing: 'raw' },
    })(0, bytes.length)
  }
  expect([isKey(key), isKey(other)]).toEqual([true, false])
})
