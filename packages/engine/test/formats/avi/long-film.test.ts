import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import type { ByteSource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { ByteList } from '../../../src/syntax/riff/byte-list.ts'
import { chunksIn } from '../../../src/syntax/riff/chunk.ts'
import { bitmap, makeAvi } from './support/make-avi.ts'
import { Pieces } from './support/pieces.ts'

/** A picture's bytes, odd so that one more fills up, and as many pictures as make more than two gigabytes. */
const PICTURE = 4_000_001
const PICTURES = 550
const FILLED: ByteSource = { size: PICTURE, read: (_, target) => target.fill(0x55).length }

/** A film whose recorder never wrote an index, nor sizes that hold. */
function film(): Pieces {
  const format = bitmap('XXXX', 64, 48, 9216)
  const stream = { type: 'vids', handler: 'XXXX', scale: 1, rate: 25, sampleSize: 0, format } as const
  const short = makeAvi([stream], [{ id: '00dc', bytes: Uint8Array.of(1, 2) }])
  const pieces = new Pieces()
  pieces.write(short.subarray(0, Buffer.from(short).indexOf('movi') + 4))
  for (let i = 0; i < PICTURES; i++) {
    pieces.write(new ByteList().text('00dc').u32(PICTURE).done())
    pieces.copy(FILLED, 0, PICTURE)
    pieces.write(Uint8Array.of(0))
  }
  return pieces
}

async function repaired(damaged: Pieces): Promise<{ verdict: string; result: Pieces }> {
  const result = new Pieces()
  const { verdict } = await repair({
    ...{ damaged: { source: damaged, name: 'film.avi' }, sink: result, formats: [avi] },
  })
  return { verdict, result }
}

it('a film over two gigabytes is written as OpenDML, in parts of a gigabyte whose indexes lead to every picture', async () => {
  const { verdict, result } = await repaired(film())
  expect(verdict).toBe('repaired')
  const reader = new ByteReader(result)
  const parts = chunksIn(reader, 0, result.size, 10)
  expect(parts.map(({ type }) => type)).toEqual(['AVI ', 'AVIX', 'AVIX'])
  expect(parts.every(({ offset, end }) => end - offset < 1_010_000_000)).toBe(true)
  expect(parts.at(-1)?.end).toBe(result.size)

  const inside = parts.map(({ body, end }) => chunksIn(reader, body, end, 10))
  const [hdrl] = inside[0]
  const strl = chunksIn(reader, hdrl.body, hdrl.end, 10).find(({ type }) => type === 'strl')
  const indx = chunksIn(reader, strl?.body ?? 0, strl?.end ?? 0, 10).find(({ id }) => id === 'indx')
  let pictures = 0
  for (let part = 0; part < parts.length; part++) {
    const entry = (indx?.body ?? 0) + 24 + 16 * part
    const [index, count] = [reader.u64le(entry), reader.u32le(entry + 12)]
    expect([index > parts[part].offset, index < parts[part].end, reader.fourcc(index)]).toEqual([
      ...[true, true, 'ix00'],
    ])
    const base = reader.u64le(index + 20)
    for (let i = 0; i < count; i++) {
      const at = base + reader.u32le(index + 32 + 8 * i)
      expect([reader.fourcc(at - 8), reader.u32le(at - 4), reader.u8(at)]).toEqual(['00dc', PICTURE, 0x55])
    }
    pictures += count
  }
  expect(pictures).toBe(PICTURES)

  expect((await repaired(result)).verdict).toBe('healthy')
})
