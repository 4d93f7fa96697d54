import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ARRIVAL_BITS } from '../../../src/formats/mpegts/read/arrivals.ts'
import { CLOCK_AT, hasClock, readClock } from '../../../src/formats/mpegts/read/clock.ts'
import { packetsOf, RECIPES, timesMoved } from '../../../src/formats/mpegts/recipes.ts'
import { WRAP } from '../../../src/syntax/pes/time-stamp.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const FILES = ['mts-h264-ac3.mts', 'ts-hevc-two-aac.ts'] as const
const TIMED = FILES[0]

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/mpegts/${name}`))
}

/** A recording whose clock and time stamps wrap in its middle. */
function wrapping(name: string): Uint8Array {
  const whole = fixture(name)
  const packets = packetsOf(whole)
  const middle = packets.slice(packets.length >> 1).find(({ at }) => hasClock(whole, at))
  if (!middle) throw new Error('no clock in the second half')
  return timesMoved(whole, 0, WRAP - readClock(whole, middle.at + CLOCK_AT).base)
}

describe.each(FILES)('a clock that wraps in the middle, %s', (name) => {
  const whole = wrapping(name)
  const SPARED = new Set(['bits flipped'])

  it('is healthy as it is', async () => {
    expect((await repairRecording(whole, 'ts')).report.verdict).toBe('healthy')
  })

  it.each([
    ...RECIPES.filter((recipe) => !SPARED.has(recipe.name)),
    { name: 'zeros over the wrap', apply: (bytes: Uint8Array) => zeroed(bytes, 0.46, 0.54) },
  ])('$name: no time is called wrong, and what comes out is healthy', async ({ apply }) => {
    const { report, bytes, findings } = await repairRecording(apply(whole, 7), 'ts')
    expect(findings.filter((code) => /time-stamp|clock/.test(code))).toEqual([])
    const ends = report.tracks.flatMap(({ ranges }) => ranges.map(({ end }) => end))
    expect(Math.max(...ends)).toBeLessThan(60)
    expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
  })
})

function zeroed(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes).fill(0, Math.floor(bytes.length * from), Math.floor(bytes.length * to))
}

/** Arrival time in front of the packet whose sync byte is at `at`, and the two bits in front of it. */
const arrivalAt = (bytes: Uint8Array, at: number): number => new DataView(bytes.buffer).getUint32(at - 4)

/** The recording with arrival times that wrap in its middle, at about 18 Mbit/s. */
function arrivalsWrapping(): Uint8Array {
  const bytes = fixture(TIMED)
  const view = new DataView(bytes.buffer)
  const packets = packetsOf(bytes)
  for (const [i, { at }] of packets.entries())
    view.setUint32(at - 4, ((i - (packets.length >> 1)) * 2200 + (i % 7) * 90 + ARRIVAL_BITS) % ARRIVAL_BITS)
  return bytes
}

describe('arrival times that wrap in the middle', () => {
  const whole = arrivalsWrapping()
  const packets = packetsOf(whole)
  const middle = packets.length >> 1

  it('are a clock', async () => {
    expect(arrivalAt(whole, packets[middle - 1].at)).toBeGreaterThan(arrivalAt(whole, packets[middle].at))
    expect((await repairRecording(whole, 'mts')).report.verdict).toBe('healthy')
  })

  it.each([
    ['zeros', () => 0],
    ['noise', (i: number) => Math.imul(i + 1, 2654435761) >>> 0],
  ])(
    'lie evenly between those around where they were overwritten with %s over the wrap',
    async (_, value) => {
      const damaged = new Uint8Array(whole)
      const hit = packets.slice(middle - 20, middle + 20)
      for (const [i, { at }] of hit.entries()) new DataView(damaged.buffer).setUint32(at - 4, value(i))
      const { report, bytes, findings } = await repairRecording(damaged, 'mts')
      expect(findings).toEqual(['mpegts.arrival-time'])
      expect(report.verdict).toBe('repaired')
      const before = arrivalAt(whole, packets[middle - 21].at)
      const after = arrivalAt(whole, packets[middle + 20].at)
      const turned = (time: number): number => (time - before + ARRIVAL_BITS) % ARRIVAL_BITS
      const times = hit.map(({ at }) => turned(arrivalAt(bytes, at)))
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times[0]).toBeGreaterThan(0)
      expect(times[times.length - 1]).toBeLessThan(turned(after))
      for (const { at } of hit) new DataView(bytes.buffer).setUint32(at - 4, arrivalAt(whole, at))
      expect(bytes).toEqual(whole)
    },
  )

  it('are no damage behind a hole, and those of what is kept stay', async () => {
    const { report, bytes, findings } = await repairRecording(zeroed(whole, 0.46, 0.54), 'mts')
    expect(findings).not.toContain('mpegts.arrival-time')
    expect(report.verdict).toBe('repaired')
    const times = new Set(packets.map(({ at }) => arrivalAt(whole, at)))
    expect(packetsOf(bytes).filter(({ at }) => !times.has(arrivalAt(bytes, at)))).toEqual([])
    expect((await repairRecording(bytes, 'mts')).report.verdict).toBe('healthy')
  })
})
