import { expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { idOf, nameOf, streamOf } from '../../../src/formats/avi/read/chunk-id.ts'
import { bitmap, type MadeChunk, makeAvi, wave } from './support/make-avi.ts'
import { payloads, repaired } from './support/repaired.ts'

const LANGUAGES = 12
const PICTURES = 20

it('a film with more than ten streams keeps all of them, numbered in tens', async () => {
  const random = randomNumbers(1)
  const noise = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => 1 + Math.floor(random() * 255))
  const film = makeAvi(
    [
      {
        type: 'vids',
        handler: 'XXXX',
        scale: 1,
        rate: 25,
        sampleSize: 0,
        format: bitmap('XXXX', 64, 48, 9216),
      },
      ...Array.from({ length: LANGUAGES }, () => ({
        ...({ type: 'auds', handler: '\0\0\0\0', scale: 1, rate: 8000, sampleSize: 1 } as const),
        format: wave(1, 1, 8000, 1, 8),
      })),
    ],
    Array.from({ length: PICTURES }, (): MadeChunk[] => [
      { id: '00dc', bytes: noise(500) },
      ...Array.from({ length: LANGUAGES }, (_, i) => ({
        id: `${String(i + 1).padStart(2, '0')}wb`,
        bytes: noise(320),
      })),
    ]).flat(),
  )
  expect((await repaired(film)).report.verdict).toBe('healthy')
  const { report, bytes } = await repaired(film.slice(0, Buffer.from(film).lastIndexOf('idx1')))
  expect(report.verdict).toBe('repaired')
  for (let stream = 0; stream <= LANGUAGES; stream++)
    expect(await payloads(bytes, stream), `stream ${stream}`).toEqual(await payloads(film, stream))
})

it('names with a letter count in sixteens', () => {
  expect(
    ['00dc', '09wb', '10wb', '0Awb', '0bwb', '1Fwb', '0gwb'].map((name) => streamOf(idOf(name))),
  ).toEqual([...[0, 9, 10, 10, 11, 31, -1]])
  expect(nameOf(idOf('01wb'))).toBe('01wb')
})
