import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { ChunkTable } from '../../../src/formats/avi/read/chunk-table.ts'
import { deduceSound } from '../../../src/formats/avi/ways/deduce-sound.ts'
import { parseWaveFormat } from '../../../src/syntax/riff/wave-format.ts'
import { adtsFrames } from './support/adts-frames.ts'

const SIZES = [40, 60, 52, 44, 70, 61, 33, 48, 57, 45]

function deduced(sizes: readonly number[], starts = SIZES, bytes = adtsFrames(SIZES)) {
  const chunks = new ChunkTable(100)
  let offset = 0
  for (const [row, size] of sizes.entries()) {
    chunks.push(offset, size, 0x62773130, 1, 0)
    offset += starts[row]
  }
  const reader = new ByteReader(new MemorySource(bytes))
  return deduceSound(reader, chunks, [...sizes.keys()])
}

/** Frames that begin with a header and hold nothing else that is like one, cut every thousand bytes. */
function cutAnywhere(frames: readonly (readonly [length: number, header: readonly number[]])[]) {
  const bytes = Uint8Array.from(
    frames.flatMap(([length, header]) => [
      ...header,
      ...Array.from({ length: length - header.length }, (_, i) => (i * 37 + 0x21) & 0x7f),
    ]),
  ).slice(100)
  const sizes = Array.from({ length: Math.floor(bytes.length / 1000) }, () => 1000)
  return deduced(sizes, sizes, bytes)
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

it('frames of Layer III and AC-3 tell what they are where chunks cut them anywhere', () => {
  // 128 kbit/s at 44.1 kHz: frames are filled up by a byte at times
  const layer3 = cutAnywhere(
    Array.from({ length: 60 }, (_, i) => [
      i % 25 === 0 ? 417 : 418,
      [0xff, 0xfb, i % 25 === 0 ? 0x90 : 0x92, 0xc4],
    ]),
  )
  // 192 kbit/s at 48 kHz in stereo
  const ac3 = cutAnywhere(Array.from({ length: 30 }, () => [768, [0x0b, 0x77, 1, 2, 0x14, 0x40, 0x40, 0]]))
  for (const [sound, tag, hertz, rate] of [
    [layer3, 0x55, 44_100, 16_000],
    [ac3, 0x2000, 48_000, 24_000],
  ] as const) {
    const format = parseWaveFormat(sound?.format ?? new Uint8Array(0))
    expect([format?.tag, format?.sampleRate, format?.blockAlign]).toEqual([tag, hertz, 1])
    expect([sound?.scale, sound?.rate, sound?.sampleSize, sound?.assumed]).toEqual([1, rate, 1, false])
  }
})

it('bytes of Layer III at a variable rate that chunks cut anywhere keep no certain time', () => {
  const sound = cutAnywhere(
    Array.from({ length: 60 }, (_, i) =>
      i % 2 ? [104, [0xff, 0xfb, 0x10, 0xc4]] : [417, [0xff, 0xfb, 0x90, 0xc4]],
    ),
  )
  expect([sound?.sampleSize, sound?.assumed]).toEqual([1, true])
})
