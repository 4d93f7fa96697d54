import { describe, expect, it } from 'vitest'
import {
  CODE_BITS,
  HORIZONTAL,
  LEFTMOST,
  MODE_BITS,
  MODE_OF,
  PASS,
  RUNS,
} from '../../../src/codecs/fax/codes.ts'
import { type FaxLayout, faxRows } from '../../../src/codecs/fax/count-rows.ts'

const [WIDTH, HEIGHT] = [700, 90]
const LINE_END = '000000000001'

/** Where colours change in each row of a drawing of slanted bars, some of them long. */
const rows = Array.from({ length: HEIGHT }, (_, y) =>
  [y % 7 === 0 ? 0 : 5, 40 + y, 60 + y, 100 + 2 * y, 110 + 3 * y, 650 - (y % 5)].filter(
    (place, i, all) => i === 0 || place > all[i - 1],
  ),
)

function codeOf(table: ArrayLike<number>, bits: number, value: number): string {
  const at = Array.from(table).findIndex((entry) => entry > 0 && entry >> 4 === value)
  return at
    .toString(2)
    .padStart(bits, '0')
    .slice(0, table[at] & 15)
}

function run(colour: number, pixels: number): string {
  const long = pixels > 63 ? codeOf(RUNS[colour], CODE_BITS, pixels - (pixels % 64)) : ''
  return long + codeOf(RUNS[colour], CODE_BITS, pixels % 64)
}

function mode(value: number): string {
  return codeOf(MODE_OF, MODE_BITS, value + LEFTMOST)
}

function oneDimension(row: readonly number[]): string {
  return [...row, WIDTH].map((place, i) => run(i & 1, place - (row[i - 1] ?? 0))).join('')
}

/** ITU-T T.6 §2.2.5. */
function twoDimensions(row: readonly number[], above: readonly number[]): string {
  let bits = ''
  let [place, colour] = [-1, 0]
  while (place < WIDTH) {
    const changes = above.findIndex((each, i) => each > place && (i & 1) === colour)
    const [b1, b2] = changes < 0 ? [WIDTH, WIDTH] : [above[changes], above[changes + 1] ?? WIDTH]
    const at = row.findIndex((each) => each > place)
    const [a1, a2] = at < 0 ? [WIDTH, WIDTH] : [row[at], row[at + 1] ?? WIDTH]
    if (b2 < a1) {
      bits += mode(PASS)
      place = b2
    } else if (Math.abs(a1 - b1) <= 3) {
      bits += mode(a1 - b1)
      place = a1
      colour ^= 1
    } else {
      bits += mode(HORIZONTAL) + run(colour, a1 - Math.max(0, place)) + run(colour ^ 1, a2 - a1)
      place = a2
    }
  }
  return bits
}

function bytesOf(bits: string): Uint8Array {
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}

const WRITTEN: readonly (readonly [string, string, Pick<FaxLayout, 'writing' | 'tagged'>])[] = [
  [
    'in one dimension, on bytes',
    rows.map((row) => oneDimension(row).replace(/$/, (_, at) => '0'.repeat((8 - (at % 8)) % 8))).join(''),
    { writing: 'bytes', tagged: false },
  ],
  [
    'of group 3 in one dimension',
    rows.map((row) => LINE_END + oneDimension(row)).join('') + LINE_END.repeat(6),
    { writing: 'g3', tagged: false },
  ],
  [
    'of group 3 in two dimensions',
    rows
      .map((row, y) =>
        y % 4 === 0 ? `${LINE_END}1${oneDimension(row)}` : `${LINE_END}0${twoDimensions(row, rows[y - 1])}`,
      )
      .join(''),
    { writing: 'g3', tagged: true },
  ],
  [
    'of group 4',
    rows.map((row, y) => twoDimensions(row, rows[y - 1] ?? [])).join('') + LINE_END.repeat(2),
    { writing: 'g4', tagged: false },
  ],
]

describe.each(WRITTEN)('a strip %s', (_, bits, writing) => {
  const layout = { ...writing, width: WIDTH, height: HEIGHT }
  const bytes = bytesOf(bits)
  const [from, to] = [Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 64]

  it('has all its rows, and none of another width', () => {
    expect(faxRows(bytes, layout)).toBe(HEIGHT)
    expect(faxRows(bytes, { ...layout, width: WIDTH - 5 })).toBeLessThan(HEIGHT / 10)
  })
  it('is read up to zeros in it', () => {
    const read = faxRows(bytes.slice().fill(0, from, to), layout)
    expect(read).toBeGreaterThan(HEIGHT / 4)
    expect(read).toBeLessThan(HEIGHT - 10)
  })
  it('is read up to where it breaks off', () => {
    expect(faxRows(bytes.subarray(0, from), layout)).toBeLessThan(HEIGHT - 10)
  })
})

it('a row of white is three pixels of four bits', () => {
  expect(faxRows(Uint8Array.of(0b1000_0000), { writing: 'bytes', tagged: false, width: 3, height: 1 })).toBe(
    1,
  )
})
