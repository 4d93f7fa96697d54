import { describe, expect, it } from 'vitest'
import { BitSink } from '../../src/codecs/jpeg/bit-sink.ts'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { STANDARD_HUFFMAN } from '../../src/codecs/jpeg/standard-tables.ts'
import { mendBand } from '../../src/photo/progressive/mend-progressive.ts'
import { placeLine } from '../../src/photo/progressive/place-line.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'

const TOTAL = 3_000
const SIGNS = 3

/** Signs of all places, and of units that were read, each at a place or, without one, of nothing. */
function signsOf(places: readonly (number | undefined)[]) {
  const random = randomFrom(7)
  const wanted = Float32Array.from({ length: TOTAL * SIGNS }, () => 40 * random() - 20)
  const told = new Float32Array(places.length * SIGNS)
  places.forEach((place, unit) => {
    for (let sign = 0; sign < SIGNS; sign++)
      told[unit * SIGNS + sign] =
        place === undefined ? 40 * random() - 20 : wanted[place * SIGNS + sign] + 4 * random() - 2
  })
  return { told, wanted, count: SIGNS }
}

function placesOf(units: readonly (number | undefined)[], starts = [0], ended = true) {
  const line = {
    count: units.length,
    bits: new Int32Array(units.length),
    starts,
    doubtful: [],
    ended,
    lost: 4_000,
    usual: 20,
  }
  const places: (number | undefined)[] = units.map(() => undefined)
  for (const { first, count, place } of placeLine(line, TOTAL, signsOf(units)))
    for (let i = 0; i < count; i++) places[first + i] = place + i
  return places
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
const nothing = (count: number): undefined[] => Array.from({ length: count }, () => undefined)

describe('units of a scan that was hit', () => {
  it.each([
    ['all are there', range(0, TOTAL), [0]],
    ['some are lost where reading began anew', [...range(0, 1_000), ...range(1_200, TOTAL)], [0, 1_000]],
    ['a bit made less of some', [...range(0, 1_000), ...range(1_003, TOTAL)], [0]],
    ['a bit made more of some', [...range(0, 1_000), ...nothing(9), ...range(1_004, TOTAL)], [0]],
  ])('go where their signs are wanted: %s', (_, units, starts) => {
    const places = placesOf(units, starts)
    const right = units.filter((place, unit) => place !== undefined && places[unit] === place)
    expect(right.length).toBeGreaterThan(units.length - 12)
  })

  it('stay where they were read where no place fits better than those beside it', () => {
    const line = {
      ...{ count: 2_500, bits: new Int32Array(2_500), starts: [0], doubtful: [], ended: false },
      ...{ lost: 4_000, usual: 20 },
    }
    const signs = {
      told: new Float32Array(2_500 * SIGNS),
      wanted: new Float32Array(TOTAL * SIGNS).fill(1, 0, 1_000 * SIGNS),
      count: SIGNS,
    }
    expect(placeLine(line, TOTAL, signs)).toEqual([{ first: 0, count: 2_500, place: 0 }])
  })

  it('go where counting puts them where nothing tells', () => {
    const line = {
      count: 2_000,
      bits: new Int32Array(2_000),
      doubtful: [],
      starts: [0, 800],
      ended: true,
      lost: 0,
      usual: 20,
    }
    const none = { told: new Float32Array(2_000), wanted: new Float32Array(TOTAL), count: 1 }
    expect(placeLine(line, TOTAL, none)).toEqual([
      { first: 0, count: 800, place: 0 },
      { first: 800, count: 1_200, place: 1_800 },
    ])
  })
})

const LAYOUT = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
const HEADER = { components: [{ id: 1, dc: 0, ac: 0 }], first: 1, last: 5, high: 0, low: 0 }
const AC = STANDARD_HUFFMAN[1]

/** A band whose slopes are those of DC, which is known. */
function slopes(): { readonly bytes: Uint8Array; readonly coefficients: Int16Array } {
  const random = randomFrom(3)
  const { codes, lengths } = encodingTable(AC)
  const sink = new BitSink(1 << 16)
  const { mcuWide: wide, mcuCount: total } = LAYOUT
  const coefficients = new Int16Array(total * 64)
  for (let block = 0; block < total; block++) coefficients[block * 64] = Math.floor(200 * random())
  const dc = (block: number): number => coefficients[block * 64]
  for (let block = 0; block < total; block++) {
    const column = block % wide
    const across = dc(column > 0 ? block - 1 : block) - dc(column < wide - 1 ? block + 1 : block)
    const down = dc(block >= wide ? block - wide : block) - dc(block + wide < total ? block + wide : block)
    let run = 0
    ;[across, down].forEach((difference, i) => {
      const value = Math.trunc((1.13885 / 8) * difference)
      coefficients[block * 64 + 1 + i] = value
      if (value === 0) {
        run++
        return
      }
      const size = 32 - Math.clz32(Math.abs(value))
      sink.put(codes[(run << 4) | size], lengths[(run << 4) | size])
      sink.put(value < 0 ? value - 1 : value, size)
      run = 0
    })
    sink.put(codes[0], lengths[0])
  }
  return { bytes: sink.bytes(), coefficients }
}

it('blocks of a band behind a bit that was turned are where DC shows that they belong', () => {
  const { bytes, coefficients } = slopes()
  const table = decodingTable(AC)
  const right: number[] = []
  for (let at = 1_000; at < bytes.length - 1_000; at += 1_000) {
    const damaged = Uint8Array.from(bytes)
    damaged[at] ^= 0x10
    if (damaged[at] === 0xff || bytes[at] === 0xff) continue
    const data = { ...entropyData(damaged, 0, damaged.length, () => true), closed: true }
    const out = Int16Array.from(coefficients)
    const unknown = new Uint8Array(LAYOUT.mcuCount)
    const band = { data, component: LAYOUT.components[0], table, header: HEADER }
    mendBand(band, LAYOUT, new Uint16Array(64).fill(1), out, unknown)
    let same = 0
    for (let block = 0; block < LAYOUT.mcuCount; block++)
      if ([1, 2].every((i) => out[block * 64 + i] === coefficients[block * 64 + i])) same++
    right.push(same)
  }
  expect(right.length).toBeGreaterThan(5)
  expect(Math.min(...right)).toBeGreaterThan(LAYOUT.mcuCount * 0.98)
})
