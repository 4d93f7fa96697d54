import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { ChunkTable } from '../../../src/formats/avi/read/chunk-table.ts'
import { deduceSound } from '../../../src/formats/avi/ways/deduce-sound.ts'
import { parseWaveFormat } from '../../../src/syntax/riff/wave-format.ts'
import { adtsFrames } from './support/adts-frames.ts'

const SIZES = [40, 60, 52, 44, 70, 61, 33, 48, 57, 45]

function deduced(sizes: readonly number[]) {
  const chunks = new ChunkTable(100)
  let offset = 0
  for (const [row, size] of sizes.entries()) {
    chunks.push(offset, size, 0x62773130, 1, 0)
    offset += SIZES[row]
  }
  const reader = new ByteReader(new MemorySource(adtsFrames(SIZES)))
  return deduceSound(reader, chunks, [...sizes.keys()])
}

it('frames of AAC with headers of their own tell what they are', () => {
  const sound = deduced(SIZES)
  const format = parseWaveFormat(sound?.format ?? new Uint8Array(0))
  expect([format?.tag, format?.channels, format?.sampleRate, format?.extra.length]).toEqual([
    0xff, 2, 48_000, 0,
  ])
  expect([sound?.scale, sound?.rate, sound?.sampleSize, sound?.assumed]).toEqual([1024, 48_000, 0, false])
  expect(sound?.seconds).toBeCloseTo((SIZES.length * 1024) / 48_000, 9)
})

it('chunks that are no frames are none, whatever they begin with', () => {
  expect(deduced(SIZES.map((size, row) => (row < 3 ? size - 1 : size)))).toBeUndefined()
})
