import { FF_ENCODER_AC3 } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import { avi } from '../../../src/formats/avi/index.ts'
import { parts } from '../../../src/formats/avi/recipes.ts'
import { CHUNK_HEADER } from '../../../src/syntax/riff/chunk.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { encode } from '../../codecs/support/encode.ts'
import { tones } from '../../codecs/support/signals.ts'
import { bitmap, type MadeChunk, makeAvi, wave } from './support/make-avi.ts'
import { payloads, read, repaired } from './support/repaired.ts'

const RATE = 48_000
const PICTURE = 96

/** Plain pictures with AC-3, a frame of sound a chunk, or so many bytes whatever the frames. */
function filmWithAc3(chunkBytes = 0): Uint8Array {
  const channels = 2
  const made = { encoder: FF_ENCODER_AC3, rate: RATE, channels, bitRate: 192_000, signal: tones(RATE) }
  const frames = encode({ ...made, samples: 2 * RATE }).packets
  const stream = Uint8Array.from(frames.flatMap((frame) => [...frame]))
  const each = chunkBytes || frames[0].length
  const chunks = Array.from({ length: Math.ceil(stream.length / each) }, (_, i): MadeChunk[] => [
    { id: '00db', bytes: Uint8Array.from({ length: PICTURE }, (_, at) => (at * 7 + i) & 0xff) },
    { id: '01wb', bytes: stream.subarray(i * each, (i + 1) * each) },
  ])
  return makeAvi(
    [
      {
        ...{ type: 'vids', handler: 'DIB ', scale: 1536, rate: RATE, sampleSize: 0 },
        format: bitmap('\0\0\0\0', 8, 4, PICTURE),
      },
      {
        ...{ type: 'auds', handler: '\0\0\0\0', scale: 1, rate: 24_000, sampleSize: 1 },
        format: wave(0x2000, 2, RATE, 1, 0),
      },
    ],
    chunks.flat(),
  )
}

describe('a frame of AC-3 whose bits turned', () => {
  it('is told by its checksum and kept', async () => {
    const film = filmWithAc3()
    expect((await repaired(film)).report.verdict).toBe('healthy')
    const { chunks } = (await read(film)).walk
    const damaged = film.slice()
    damaged[chunks.offset[101] + 300] ^= 4
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code, offset }) => [code, offset])).toEqual([
      ['avi.unit-hit', chunks.offset[101]],
    ])
    expect(report.tracks.map((track) => track.damaged)).toEqual([0, 1])
    expect(await payloads(bytes, 1)).toEqual(await payloads(damaged, 1))
  })

  it('is told where its head is hit', async () => {
    const damaged = filmWithAc3()
    const { chunks } = (await read(damaged)).walk
    damaged[chunks.offset[101]] ^= 4
    expect((await repaired(damaged)).report.tracks.map((track) => track.damaged)).toEqual([0, 1])
  })

  it('is none where chunks and frames begin at other places, which is no damage', async () => {
    expect((await repaired(filmWithAc3(1000))).report.verdict).toBe('healthy')
  })
})

describe.each(fixturesOf(avi))('an entry of the index of AVI $name', ({ bytes }) => {
  const entry = parts(bytes).index + CHUNK_HEADER + 16 * 20

  it.each([
    ['another size', 15, 1],
    ['another stream', 1, 1],
  ])('that tells %s than the chunk has is written anew', async (_, at, bit) => {
    const damaged = bytes.slice()
    damaged[entry + at] ^= bit
    const { report, bytes: after } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('avi.index-differs')
    expect(Buffer.compare(after.subarray(parts(after).index), bytes.subarray(parts(bytes).index))).toBe(0)
  })

  it('is no damage where all differ alike', async () => {
    const view = new DataView(bytes.slice().buffer)
    for (let at = parts(bytes).index + CHUNK_HEADER; at + 16 <= view.byteLength; at += 16)
      view.setUint32(at + 12, view.getUint32(at + 12, true) + CHUNK_HEADER, true)
    expect((await repaired(new Uint8Array(view.buffer))).report.verdict).toBe('healthy')
  })
})
