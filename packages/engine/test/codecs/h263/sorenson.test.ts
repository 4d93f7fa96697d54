import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BitReader } from '../../../src/bytes/bit-reader.ts'
import { isSorensonPicture, readSorensonHeader } from '../../../src/codecs/h263/sorenson.ts'
import { tagsOf } from '../../../src/formats/flv/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const file = new Uint8Array(readFileSync(`${FIXTURES}/flv/flv-h263-mp3.flv`))
const view = new DataView(file.buffer, file.byteOffset)
/** Pictures without the byte in front of them that names the codec. */
const pictures = tagsOf(file)
  .filter((at) => file[at] === 9)
  .map((at) => file.subarray(at + 12, at + 11 + (view.getUint32(at) & 0xffffff)))

/** A header: the start code, a version, a reference of zero, then `fields` as numbers of so many bits. */
function header(version: number, ...fields: readonly (readonly [bits: number, value: number])[]): BitReader {
  const parts = [[17, 1], [5, version], [8, 0], ...fields]
  const text = parts.map(([bits, value]) => value.toString(2).padStart(bits, '0')).join('')
  return new BitReader(
    Uint8Array.from(text.padEnd(128, '0').match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2)),
  )
}

/** Type, deblocking flag, quantiser and no further information. */
const rest = (type: number): (readonly [number, number])[] => [
  [2, type],
  [1, 0],
  [5, 9],
  [1, 0],
]

describe('a picture of Sorenson H.263', () => {
  it('reads to its last byte, and to none where it was cut or bytes follow', () => {
    expect(pictures.length).toBeGreaterThan(30)
    for (const picture of pictures) {
      expect(isSorensonPicture(picture)).toBe(true)
      expect(isSorensonPicture(picture.subarray(0, -1))).toBe(false)
      expect(isSorensonPicture(Uint8Array.of(...picture, 0))).toBe(true)
      expect(isSorensonPicture(Uint8Array.of(...picture, 1))).toBe(false)
    }
  })

  it.each([
    [
      [
        [3, 0],
        [8, 200],
        [8, 100],
      ],
      200,
      100,
    ],
    [
      [
        [3, 1],
        [16, 720],
        [16, 576],
      ],
      720,
      576,
    ],
    [[[3, 2]], 352, 288],
    [[[3, 3]], 176, 144],
    [[[3, 4]], 128, 96],
    [[[3, 5]], 320, 240],
    [[[3, 6]], 160, 120],
  ] as const)('tells its size in %j', (size, width, height) => {
    expect(readSorensonHeader(header(1, ...size, ...rest(1)))).toMatchObject({ width, height, intra: false })
  })

  it('has levels of two sizes from version 1 on', () => {
    expect(readSorensonHeader(header(0, [3, 2], ...rest(0)))).toMatchObject({
      sizedLevels: false,
      intra: true,
    })
    expect(readSorensonHeader(header(1, [3, 2], ...rest(2)))).toMatchObject({ sizedLevels: true })
  })

  it.each([
    ['version', header(2, [3, 2], ...rest(0))],
    ['size', header(1, [3, 7], ...rest(0))],
    ['type', header(1, [3, 2], ...rest(3))],
    ['quantiser', header(1, [3, 2], [2, 0], [1, 0], [5, 0], [1, 0])],
    ['width', header(1, [3, 0], [8, 0], [8, 100], ...rest(0))],
  ])('is none with a %s that is not defined', (_, bits) => {
    expect(readSorensonHeader(bits)).toBeUndefined()
  })
})
