import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { entropyData } from '../../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { optimalTable } from '../../../src/codecs/jpeg/optimal-table.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import type { BandScan } from '../../../src/photo/progressive/mend-progressive.ts'
import { mendRefinement } from '../../../src/photo/progressive/mend-refinement.ts'
import type { ScanData } from '../../../src/photo/progressive/read-line.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

export const LAYOUT = new McuLayout(320, 240, [{ id: 1, h: 1, v: 1, table: 0 }])
export const HEADER = { components: [{ id: 1, dc: 0, ac: 0 }], first: 1, last: 20, high: 0, low: 1 }
export const REFINED = { components: [{ id: 1, dc: 0, ac: 0 }], first: 1, last: 15, high: 1, low: 0 }
export const [DC, AC] = STANDARD_HUFFMAN

/** A first scan of a band: each block has a few coefficients and ends with its own end of band. */
export function bandScan(): { bytes: Uint8Array; coefficients: Int16Array } {
  const random = randomFrom(4)
  const { codes, lengths } = encodingTable(AC)
  const sink = new BitSink(1 << 16)
  const coefficients = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
  for (let block = 0; block < LAYOUT.mcuCount; block++) {
    let last = 0
    for (let i = 1; i <= 12; i++) {
      if (random() > 0.6) continue
      const value = Math.floor(random() * 15) - 7
      if (value === 0) continue
      const size = 32 - Math.clz32(Math.abs(value))
      const symbol = ((i - last - 1) << 4) | size
      sink.put(codes[symbol], lengths[symbol])
      sink.put(value < 0 ? value - 1 : value, size)
      coefficients[block * 64 + i] = value * 2
      last = i
    }
    sink.put(codes[0], lengths[0])
  }
  return { bytes: sink.bytes(), coefficients }
}

export const bandOf = (data: ScanData): BandScan => ({
  ...{ data, component: LAYOUT.components[0], table: decodingTable(AC), header: HEADER },
})

/** A refinement of some coefficients: what is known in front of it, and what it makes of that. */
export function refinementScan(layout = LAYOUT): {
  bytes: Uint8Array
  before: Int16Array
  after: Int16Array
} {
  const random = randomFrom(5)
  const { codes, lengths } = encodingTable(AC)
  const sink = new BitSink(1 << 16)
  const put = (symbol: number): void => sink.put(codes[symbol], lengths[symbol])
  const before = new Int16Array(layout.mcuCount * layout.mcuLength)
  const after = new Int16Array(before.length)
  for (let block = 0; block < layout.mcuCount; block++) {
    let run = 0
    let corrections: number[] = []
    const correct = (): void => {
      for (const bit of corrections) sink.put(bit, 1)
      corrections = []
    }
    for (let i = 1; i <= REFINED.last; i++) {
      const at = block * 64 + i
      const sign = random() < 0.5 ? -1 : 1
      if (random() < 0.6 / i) {
        const bit = random() < 0.5 ? 1 : 0
        before[at] = sign * 2 * (1 + Math.floor(random() * 3))
        after[at] = before[at] + sign * bit
        corrections.push(bit)
      } else if (random() < 0.25) {
        after[at] = sign
        put((run << 4) | 1)
        sink.put(sign < 0 ? 0 : 1, 1)
        correct()
        run = 0
      } else run++
    }
    if (run > 0 || corrections.length > 0) put(0)
    correct()
  }
  return { bytes: sink.bytes(), before, after }
}

/** Refines what is known by damaged data; how many blocks are right then, and how many are said to be unknown. */
export function refined(
  damaged: Uint8Array,
  before: Int16Array,
  after: Int16Array,
  unknown: Uint8Array,
  layout = LAYOUT,
  huffman = AC,
) {
  const out = Int16Array.from(before)
  const data = entropyData(damaged, 0, damaged.length, () => true)
  const [component] = layout.components
  const whole = mendRefinement({
    data,
    layout,
    component,
    table: decodingTable(huffman),
    header: REFINED,
    coefficients: out,
    unknown,
  })
  let right = 0
  for (let block = 0; block < layout.mcuCount; block++)
    if (out.subarray(block * 64, block * 64 + 64).every((value, i) => value === after[block * 64 + i]))
      right++
  return { whole, right, unknown: unknown.reduce((sum, mark) => sum + mark, 0) }
}

/**
 * What refines blocks of which two in three have nothing new, with as many of those in a run as `most`, and room for some bits
 * that correct; runs end before a multiple of `every` blocks of the lower half, too. Those from a block on to another may hold
 * nothing.
 */
export function runsScan(
  most: number,
  layout = LAYOUT,
  room = Number.POSITIVE_INFINITY,
  every = Number.POSITIVE_INFINITY,
  [flatFrom, flatTo] = [0, 0],
) {
  const random = randomFrom(6)
  const huffman = optimalTable(1, 0, RUN_COUNTS)
  const { codes, lengths } = encodingTable(huffman)
  const sink = new BitSink(1 << 16)
  const before = new Int16Array(layout.mcuCount * layout.mcuLength)
  const after = new Int16Array(before.length)
  let run = 0
  let corrections: number[] = []
  const correct = (): void => {
    for (const bit of corrections) sink.put(bit, 1)
    corrections = []
  }
  const endRun = (): void => {
    const size = 31 - Math.clz32(run)
    if (run > 0) sink.put(codes[size << 4], lengths[size << 4])
    if (size > 0) sink.put(run - (1 << size), size)
    correct()
    run = 0
  }
  for (let block = 0; block < layout.mcuCount; block++) {
    if (block > layout.mcuCount / 2 && block % every === 0) endRun()
    const flat = block >= flatFrom && block < flatTo
    if (!flat && random() < 0.33) {
      endRun()
      after[block * 64 + 1] = random() < 0.5 ? -1 : 1
      sink.put(codes[1], lengths[1])
      sink.put(after[block * 64 + 1] < 0 ? 0 : 1, 1)
    }
    for (let i = 2; i <= REFINED.last; i++) {
      if (flat || random() > 0.6) continue
      const bit = random() < 0.5 ? 1 : 0
      before[block * 64 + i] = 2
      after[block * 64 + i] = 2 + bit
      corrections.push(bit)
    }
    run++
    if (run === most || corrections.length > room) endRun()
  }
  endRun()
  return { bytes: sink.bytes(), before, after, huffman }
}

/** A first scan of DC that is the same in all blocks. */
export function levelScan(): Uint8Array {
  const { codes, lengths } = encodingTable(DC)
  const sink = new BitSink(1 << 12)
  for (let block = 0; block < LAYOUT.mcuCount; block++) sink.put(codes[0], lengths[0])
  return sink.bytes()
}

/** A first scan of coefficients that are 0 or 2, without their lowest bit. */
export function onesScan(coefficients: Int16Array): Uint8Array {
  const { codes, lengths } = encodingTable(AC)
  const sink = new BitSink(1 << 14)
  for (let block = 0; block < LAYOUT.mcuCount; block++) {
    let last = 0
    for (let i = 1; i <= REFINED.last; i++) {
      if (coefficients[block * 64 + i] === 0) continue
      const symbol = ((i - last - 1) << 4) | 1
      sink.put(codes[symbol], lengths[symbol])
      sink.put(1, 1)
      last = i
    }
    if (last < REFINED.last) sink.put(codes[0], lengths[0])
  }
  return sink.bytes()
}

/** How often a coefficient and runs of empty blocks, by the logarithm of their length, occur. */
export const RUN_COUNTS = Uint32Array.from({ length: 256 }, (_, symbol) =>
  symbol === 1 ? 64 : symbol % 16 === 0 && symbol < 0xf0 ? 1 + (64 >> (symbol >> 4)) : 0,
)
