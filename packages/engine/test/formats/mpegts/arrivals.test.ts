import { describe, expect, it } from 'vitest'
import { Edits } from '../../../src/bytes/edits.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { mendArrivals, RetimedSource } from '../../../src/formats/mpegts/mend/arrivals.ts'
import { ARRIVAL_BITS, Arrivals, arrivalIn } from '../../../src/formats/mpegts/read/arrivals.ts'
import { Findings } from '../../../src/model/finding.ts'

const SIZE = 192
const STEP = 1_000_000
const LAYOUT = { size: SIZE, lead: 4 } as const

function arrivals(times: readonly number[]): Arrivals {
  const found = new Arrivals()
  for (const [i, time] of times.entries()) found.take(time, i * SIZE)
  found.interrupt()
  return found
}

/** A clock that wraps on its way. */
function clock(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (ARRIVAL_BITS - 40 * STEP + i * STEP) % ARRIVAL_BITS)
}

describe('arrival times in front of packets', () => {
  it('follows a clock that wraps', () => {
    expect(arrivals(clock(200)).runs).toEqual([])
  })

  it('gives zeroed ones the times that lie evenly between those around', () => {
    const right = clock(200)
    const found = arrivals(right.map((time, i) => (i >= 80 && i < 130 ? 0 : time)))
    expect(found.runs).toEqual([{ from: 80 * SIZE, count: 50, before: right[79], after: right[130] }])
    const [run] = found.runs
    for (const k of [0, 17, 49]) expect(arrivalIn(run, k, found.usual)).toBe(right[80 + k])
  })

  it('leaves them alone where nobody kept a clock', () => {
    const times = Array.from({ length: 200 }, (_, i) => (i * 777_777_777) % ARRIVAL_BITS)
    expect(arrivals(times).runs).toEqual([])
  })

  it('lets packets that a writer put in share a time', () => {
    const times = clock(100).flatMap((time, i) => (i === 50 ? [time, time, time] : [time]))
    expect(arrivals(times).runs).toEqual([])
  })

  it('changes the bytes of long runs on their way as single changes would', () => {
    const right = clock(200)
    const found = arrivals(right.map((time, i) => (i >= 80 && i < 130 ? 0 : time)))
    const findings = new Findings(10)
    const edits = new Edits()
    expect(mendArrivals(found, LAYOUT, edits, findings)).toEqual([])
    expect(findings.list.map(({ code }) => code)).toEqual(['mpegts.arrival-time'])
    const retimed = new RetimedSource(
      new MemorySource(new Uint8Array(200 * SIZE)),
      found.runs,
      found.usual,
      LAYOUT,
    )
    edits.each((offset, length, bytes) => {
      const window = new Uint8Array(length)
      retimed.read(offset, window)
      expect(window).toEqual(bytes)
    })
    expect(edits.count).toBe(50)
    const across = new Uint8Array(3)
    retimed.read(80 * SIZE + 2, across)
    expect(across[2]).toBe(0)
  })
})
