import { beforeAll, describe, expect, it, vi } from 'vitest'
import { MemorySink } from '../../src/bytes/sink.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { repair } from '../../src/engine.ts'
import { Allowance } from '../../src/model/allowance.ts'
import { edgeMeans } from '../../src/photo/levels/edge-means.ts'
import { Edges } from '../../src/photo/placing/edges.ts'
import { DISTANCES, SeamEvidence } from '../../src/photo/placing/seam-evidence.ts'
import { firstWay, WayReader } from '../../src/photo/placing/way.ts'
import { StreamReader } from '../../src/photo/reading/read-stream.ts'
import { turnedBits } from '../../src/photo/turned/turn-bits.ts'
import { turnedInIntervals } from '../../src/photo/turned/turn-in-intervals.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { readScan, scanData } from '../../testing/photos/read-scan.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

let bytes: Uint8Array
let photo: PhotoCoefficients

beforeAll(() => {
  bytes = writePhoto(drawPicture(640, 400, 8), { sampling: [2, 1], quality: 92, interval: 0 })
  const read = readPhoto(bytes)
  if (!read) throw new Error('the drawn photo cannot be read')
  photo = read
})

/** The photo with a bit of a byte turned at a part of its scan, where no stuffed byte is or comes to be. */
function turned(part: number, bit: number, of = bytes): Uint8Array {
  const damaged = Uint8Array.from(of)
  let at = photo.start + Math.floor(part * (photo.end - photo.start))
  while (damaged[at] === 0xff || damaged[at - 1] === 0xff || (damaged[at] ^ bit) === 0xff) at++
  damaged[at] ^= bit
  return damaged
}

/** MCUs that differ from the original's, DC and all. */
async function wrongMcus(damaged: Uint8Array): Promise<{ wrong: number; verdict: string }> {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(damaged), name: 'photo.jpg' }, sink })
  const own = readPhoto(sink.bytes())
  const { layout, coefficients } = photo
  if (!own || own.layout.mcuCount !== layout.mcuCount)
    return { wrong: layout.mcuCount, verdict: report.verdict }
  let wrong = 0
  for (let mcu = 0; mcu < layout.mcuCount; mcu++) {
    const from = mcu * layout.mcuLength
    const differs = coefficients
      .subarray(from, from + layout.mcuLength)
      .some((value, i) => value !== own.coefficients[from + i])
    if (differs) wrong++
  }
  return { wrong, verdict: report.verdict }
}

describe('a bit that was turned', () => {
  it.each([
    [0.42, 0x40],
    [0.8, 4],
    [0.85, 4],
    // a row above it is as uneven as MCUs are there
    [0.351, 16],
    [0.208, 2],
    // bits that fit a little better leave MCUs beside them as uneven as they were
    [0.697, 8],
    [0.741, 8],
  ])(
    'at %f of the scan is turned back: the picture is as it was, which nothing proves',
    async (part, bit) => {
      const { wrong, verdict } = await wrongMcus(turned(part, bit))
      expect(wrong).toBe(0)
      expect(verdict).toBe('partial')
    },
  )
})

describe('bits that were turned beside one that is turned back', () => {
  it('change no more of DC than up to where that shows, though all is in line from the start on', async () => {
    const { wrong, verdict } = await wrongMcus(turned(0.15, 2, turned(0.14, 0x40, turned(0.5, 2))))
    expect(wrong).toBeLessThan(100)
    expect(verdict).toBe('partial')
  })
})

describe('what only looks like a step of DC', () => {
  it('is explained by no bit of a scan that is as it was', () => {
    const scan = readScan(bytes, photo)
    const { count } = scan
    const joints = Array.from({ length: 24 }, (_, i) => {
      const stop = 70 + 33 * i
      return { stop, next: stop, first: 0, end: count, unbroken: true, brokenAt: count, brokenBit: 0 }
    })
    expect(turnedBits(scan, joints, new Allowance(1_000_000), new Set(), 'suspected')).toEqual([])
  })
})

describe('seams with rows farther up', () => {
  it('are seen through as many lost rows as 32 KB of a photo are', () => {
    const { layout, coefficients, quantisation } = photo
    const { mcuCount, mcuWide } = layout
    const edges = new Edges(coefficients, mcuCount, layout, quantisation[0])
    const way = firstWay(mcuCount, 0)
    way.source.fill(1, 0, 2 * mcuWide)
    const reader = new WayReader(edges, layout, [])
    expect([2, 13, 17, 18].map((row) => reader.rowsUp(way, row * mcuWide))).toEqual([1, 12, 16, 0])
  })

  it('say less, for and against, than those with the row above', () => {
    const { layout, coefficients, quantisation } = photo
    const { mcuCount, mcuWide } = layout
    const edges = new Edges(coefficients, mcuCount, layout, quantisation[0])
    const seams = new SeamEvidence(edges, [{ first: 0, count: mcuCount }], mcuWide)
    const said = (rows: number): number => {
      const sums = new Float64Array(DISTANCES.length + 1)
      for (let mcu = rows * mcuWide; mcu < mcuCount; mcu++)
        seams.add(mcu, mcu - rows * mcuWide, 0, rows, sums)
      return sums[DISTANCES.length] / (mcuCount - rows * mcuWide)
    }
    expect(said(1)).toBeGreaterThan(0)
    expect(said(4)).toBeLessThan(said(1))
    expect(said(4)).toBeGreaterThan(0)
  })

  it('say nothing for columns aside where what is rows apart differs by itself', () => {
    const { layout, quantisation } = photo
    const { mcuCount, mcuWide, mcuLength } = layout
    const coefficients = photo.coefficients.slice()
    // from row to row it grows brighter
    for (let mcu = 0; mcu < mcuCount; mcu++)
      for (let block = 0; block < 2; block++)
        coefficients[mcu * mcuLength + 64 * block] += Math.round(
          (40 * Math.floor(mcu / mcuWide)) / quantisation[0][0],
        )
    const edges = new Edges(coefficients, mcuCount, layout, quantisation[0])
    const seams = new SeamEvidence(edges, [{ first: 0, count: mcuCount }], mcuWide)
    const sums = new Float64Array(DISTANCES.length + 1)
    for (let mcu = 8 * mcuWide; mcu + 13 < mcuCount; mcu++) seams.add(mcu, mcu + 13 - 8 * mcuWide, 0, 8, sums)
    expect(sums[DISTANCES.length]).toBeLessThan(0)
  })
})

describe('bits that were turned within restart intervals', () => {
  const wide = { sampling: [2, 1], quality: 92, interval: 40 } as const

  it.each([
    ['in one', [0.47]],
    ['in some', [0.2, 0.47, 0.71, 0.9]],
  ])(
    '%s are turned back: the picture is as it was but for blocks of their own, which nothing proves',
    async (_, parts) => {
      const intact = writePhoto(drawPicture(640, 400, 8), wide)
      const own = readPhoto(intact)
      if (!own) throw new Error('the drawn photo cannot be read')
      const damaged = Uint8Array.from(intact)
      for (const part of parts) {
        let at = own.start + Math.floor(part * (own.end - own.start))
        while ([damaged[at - 1], damaged[at], damaged[at] ^ 0x20].includes(0xff)) at++
        damaged[at] ^= 0x20
      }
      const sink = new MemorySink()
      const report = await repair({ damaged: { source: new MemorySource(damaged), name: 'photo.jpg' }, sink })
      const back = readPhoto(sink.bytes())
      const { mcuLength, mcuCount } = own.layout
      let wrong = 0
      for (let mcu = 0; mcu < mcuCount; mcu++) {
        const from = mcu * mcuLength
        const differs = own.coefficients
          .subarray(from, from + mcuLength)
          .some((value, i) => value !== back?.coefficients[from + i])
        if (differs) wrong++
      }
      expect(wrong).toBeLessThanOrEqual(parts.length * 3)
      expect(report.verdict).toBe('partial')
    },
  )

  it.each([
    ['not looked for where bytes were overwritten', 200, 0],
    ['looked for where few bytes were', 60, 1_000],
  ])('are %s', (_, length, least) => {
    const intact = writePhoto(drawPicture(640, 400, 8), wide)
    const own = readPhoto(intact)
    if (!own) throw new Error('the drawn photo cannot be read')
    const { layout, quantisation } = own
    const { data, tables } = scanData(intact, own)
    const middle = data.restarts.at(Math.floor(data.restarts.count / 2))
    data.bytes.fill(0, middle + 40, middle + 40 + length)
    const reader = new McuReader(data.bytes, data.length, tables)
    const stream = new StreamReader(data, reader, layout, wide.interval, quantisation).read()
    const means = layout.components.map((__, i) =>
      edgeMeans(stream.coefficients, stream.count, layout, i, quantisation[i]),
    )
    const allowance = new Allowance(Number.POSITIVE_INFINITY)
    const taken = vi.spyOn(allowance, 'take')
    turnedInIntervals(
      { data, reader, layout, quantisation, interval: wide.interval, stream, means },
      allowance,
      true,
    )
    if (least > 0) expect(taken.mock.calls.length).toBeGreaterThan(least)
    else expect(taken).not.toHaveBeenCalled()
  })
})
