import { expect, it } from 'vitest'
import { checkAv1Item } from '../../../src/formats/heif/read/obu-items.ts'
import { readerOf } from '../../../testing/video/replay.ts'

/** A sequence header of one byte and a frame of two, AV1 specification §5.3.2. */
const OBUS = Uint8Array.of(0x0a, 1, 7, 0x32, 2, 8, 9)

it.each([
  ['whole', OBUS, OBUS.length],
  ['cut where the file ends before it does', OBUS.subarray(0, 6), OBUS.length],
  ['broken where its OBUs end before it does', OBUS, OBUS.length - 1],
  ['broken without a frame', OBUS.subarray(0, 3), 3],
  [
    'broken where a bit is set that never is',
    OBUS.map((byte, at) => (at === 3 ? byte | 0x80 : byte)),
    OBUS.length,
  ],
])('a picture of OBUs is %s', (state, bytes, length) => {
  expect(checkAv1Item(readerOf(bytes), 0, length)).toBe(state.split(' ')[0])
})

it.each([
  ['hollow with more zeros in a row than encoders write, and pixels behind them', 100, 5],
  ['whole with fewer', 15, 5],
  ['whole with more at its end, where they are padding', 100, 0],
])('a picture of pixels is %s', (state, zeros, behind) => {
  const pixels = [...Array(5).fill(8), ...Array(zeros).fill(0), ...Array(behind).fill(9)]
  const bytes = Uint8Array.from([0x0a, 1, 7, 0x32, pixels.length, ...pixels])
  expect(checkAv1Item(readerOf(bytes), 0, bytes.length)).toBe(state.split(' ')[0])
})
