import { expect, it } from 'vitest'
import { bitmap, type MadeChunk, makeAvi, wave } from './support/make-avi.ts'
import { read, repaired } from './support/repaired.ts'

const PICTURES = 80
const PICTURE_BYTES = 64 * 32
/** Pictures from one change of the palette to the next. */
const EVERY = 10
const film = makeAvi(
  [
    {
      ...{ type: 'vids', handler: 'DIB ', scale: 1, rate: 25, sampleSize: 0 },
      format: inColours(bitmap('\0\0\0\0', 64, 32, PICTURE_BYTES)),
    },
    {
      type: 'auds',
      handler: '\0\0\0\0',
      scale: 1,
      rate: 8000,
      sampleSize: 1,
      format: wave(1, 1, 8000, 1, 8),
    },
  ],
  Array.from({ length: PICTURES }, (_, i): MadeChunk[] => [
    ...(i % EVERY === EVERY / 2 ? [{ id: '00pc', bytes: filled(68, i), key: false }] : []),
    { id: '00db', bytes: filled(PICTURE_BYTES, i) },
    { id: '01wb', bytes: filled(320, i) },
  ]).flat(),
)
const index = Buffer.from(film).lastIndexOf('idx1')

it('a film whose palette changes is healthy', async () => {
  expect((await repaired(film)).report.verdict).toBe('healthy')
})

it.each<[string, Uint8Array]>([
  ['without its index', film.slice(0, index)],
  ['with a hole and without its index', Uint8Array.from(film.slice(0, index)).fill(0, 66_000, 70_000)],
])('changes of the palette take no time: %s', async (_, damaged) => {
  const { report, bytes } = await repaired(damaged)
  expect(report.verdict).toBe('repaired')
  const { header, walk } = await read(bytes)
  expect(header?.streams.map(({ header: { length } }) => length)).toEqual([PICTURES, PICTURES * 320])
  const names = Array.from(walk.chunks.id.subarray(0, walk.chunks.length), (id) => id >>> 16)
  expect(names.filter((kind) => kind === 0x6370)).toHaveLength(PICTURES / EVERY)
})

/** Bytes that are no zeros and differ from one number to the next. */
function filled(length: number, number: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => 1 + ((i * 7 + number * 31) % 250))
}

/** A BITMAPINFOHEADER of 8 bits, with its colours. */
function inColours(format: Uint8Array): Uint8Array {
  const whole = new Uint8Array(format.length + 1024)
  whole.set(format)
  whole[14] = 8
  return whole
}
