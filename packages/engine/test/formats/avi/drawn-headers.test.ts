import { expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { CHUNK_HEADER } from '../../../src/syntax/riff/chunk.ts'
import { bitmap, type MadeChunk, makeAvi, wave } from './support/make-avi.ts'
import { read } from './support/repaired.ts'

const FILMS = 120
const PICTURES = 30
const SOUND_BYTES = 320

/** A film of pictures of all sizes, or of even ones alone, with plain sound of one size between them. */
function film(random: () => number, even: boolean): Uint8Array {
  const streams = [
    {
      type: 'vids',
      handler: 'XXXX',
      scale: 1,
      rate: 25,
      sampleSize: 0,
      format: bitmap('XXXX', 64, 48, 9216),
    },
    {
      type: 'auds',
      handler: '\0\0\0\0',
      scale: 1,
      rate: 8000,
      sampleSize: 1,
      format: wave(1, 1, 8000, 1, 8),
    },
  ] as const
  const noise = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => 1 + Math.floor(random() * 255))
  const chunks = Array.from({ length: PICTURES }, (): MadeChunk[] => {
    const size = 200 + Math.floor(random() * 900)
    return [
      { id: '00dc', bytes: noise(even ? size & ~1 : size) },
      { id: '01wb', bytes: noise(SOUND_BYTES) },
    ]
  }).flat()
  return makeAvi(streams, chunks)
}

/**
 * Of films with so many bits turned in headers of chunks, how many chunks there are, and how many are found with their sizes and
 * streams.
 */
async function found(
  bits: number,
  even: boolean,
): Promise<{ chunks: number; found: number; others: number }> {
  const sum = { chunks: 0, found: 0, others: 0 }
  for (let seed = 1; seed <= FILMS; seed++) {
    const random = randomNumbers(seed)
    const bytes = film(random, even)
    const { chunks } = (await read(bytes)).walk
    const hit = bytes.slice()
    for (let i = 0; i < bits; i++) {
      const at =
        chunks.offset[Math.floor(random() * chunks.length)] -
        CHUNK_HEADER +
        Math.floor(random() * CHUNK_HEADER)
      hit[at] ^= 1 << Math.floor(random() * 8)
    }
    const after = (await read(hit)).walk.chunks
    const named = ({ offset, size, stream }: typeof chunks, row: number): string =>
      [offset[row], size[row], stream[row]].join()
    const were = new Set(Array.from({ length: chunks.length }, (_, row) => named(chunks, row)))
    sum.chunks += chunks.length
    for (let row = 0; row < after.length; row++)
      if (were.has(named(after, row))) sum.found++
      else sum.others++
  }
  return sum
}

it('chunks whose headers were hit by lot are found by where all of them lead', async () => {
  expect([await found(4, false), await found(16, true), await found(48, false)]).toMatchInlineSnapshot(`
    [
      {
        "chunks": 7200,
        "found": 7200,
        "others": 0,
      },
      {
        "chunks": 7200,
        "found": 7192,
        "others": 1,
      },
      {
        "chunks": 7200,
        "found": 7007,
        "others": 34,
      },
    ]
  `)
})
