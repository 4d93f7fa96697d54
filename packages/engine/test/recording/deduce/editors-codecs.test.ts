import { expect, it } from 'vitest'
import { selfDescribing } from '../../../src/recording/deduce/self-describing.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'

/** What is told of bytes that hold pictures of a codec alone. */
function told(bytes: Uint8Array, codec: string) {
  const found = selfDescribing(readerOf(bytes), [{ offset: 0, length: bytes.length }], codec)
  return found.map(({ rate, track: { width, height, coding } }) => [coding?.variant, width, height, rate])
}

it('frames of the Apple Intermediate Codec tell their size, where both places of it agree', () => {
  const bytes = noise(5_000, 3)
  const view = new DataView(bytes.buffer)
  view.setUint16(1_000, 0x0116)
  view.setUint32(1_002, 3_000)
  for (const at of [1_006, 1_010]) view.setUint32(at, (960 << 16) | 540)
  expect(told(bytes, 'aic')).toEqual([['icod', 960, 540, undefined]])
  view.setUint8(1_011, 7)
  expect(told(bytes, 'aic')).toEqual([])
})

const BLOCK = 80
const SEQUENCE = 150 * BLOCK

/** A frame of two DIF channels that number themselves, with the type of signal in its source packs. */
function dvFrame(sequences: 10 | 12, signal: number): Uint8Array {
  const bytes = new Uint8Array(2 * sequences * SEQUENCE).fill(0x66)
  for (let nth = 0; nth < 2 * sequences; nth++) {
    const [channel, sequence] = [Math.floor(nth / sequences), nth % sequences]
    const block = (number: number, type: number, count: number): void => {
      bytes.set(
        [(type << 5) | 0x1f, (sequence << 4) | (channel << 3) | 7, count],
        nth * SEQUENCE + number * BLOCK,
      )
    }
    for (const [number, type, count] of [
      [0, 0, 0],
      [1, 1, 0],
      [2, 1, 1],
      [3, 2, 0],
      [4, 2, 1],
      [5, 2, 2],
    ])
      block(number ?? 0, type ?? 0, count ?? 0)
    bytes[nth * SEQUENCE + 3] = sequences === 12 ? 0xbf : 0x3f
    bytes.set([0x60, 0xff, 0xff, 0xe0 | signal], nth * SEQUENCE + 5 * BLOCK + 48)
  }
  return bytes
}

it('DVCPRO HD of 720 lines has as many bytes as DVCPRO50, and is told by its source pack', () => {
  const [sixty, fifty] = [
    { num: 60_000, den: 1001 },
    { num: 50, den: 1 },
  ]
  expect(told(dvFrame(10, 0x18), 'dv')).toEqual([['dvhp', 960, 720, sixty]])
  expect(told(dvFrame(12, 0x18), 'dv')).toEqual([['dvhq', 960, 720, fifty]])
  expect(told(dvFrame(10, 0x04), 'dv')[0]?.slice(0, 3)).toEqual(['dv5n', 720, 480])
  expect(told(dvFrame(12, 0x04), 'dv')[0]?.slice(0, 3)).toEqual(['dv5p', 720, 576])
})
