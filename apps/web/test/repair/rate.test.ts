import { describe, expect, it } from 'vitest'
import { PaceMeter } from '../../src/features/repair/upload/rate.ts'

describe('the pace of an upload', () => {
  it('is unknown at first', () => {
    const meter = new PaceMeter()
    expect(meter.read(0, 0, 1000)).toEqual({ rate: 0, secondsLeft: undefined })
    expect(meter.read(100, 50, 1000)).toEqual({ rate: 0, secondsLeft: undefined })
  })

  it('is bytes a second over the last seconds, and gives the time left', () => {
    const meter = new PaceMeter()
    meter.read(0, 0, 10_000)
    expect(meter.read(1000, 500, 10_000)).toEqual({ rate: 500, secondsLeft: 19 })
  })

  it('forgets what is long past', () => {
    const meter = new PaceMeter()
    for (let second = 0; second <= 10; second += 1) meter.read(second * 1000, second * 1000, 1_000_000)
    let last = meter.read(11_000, 10_100, 1_000_000)
    for (let second = 12; second <= 25; second += 1)
      last = meter.read(second * 1000, 10_000 + (second - 10) * 100, 1_000_000)
    expect(Math.round(last.rate)).toBe(100)
  })

  it('begins anew when the count goes back, as after a part that failed', () => {
    const meter = new PaceMeter()
    meter.read(0, 0, 1000)
    meter.read(1000, 500, 1000)
    expect(meter.read(1100, 200, 1000)).toEqual({ rate: 0, secondsLeft: undefined })
  })

  it('knows no time left while nothing moves', () => {
    const meter = new PaceMeter()
    meter.read(0, 100, 1000)
    expect(meter.read(2000, 100, 1000)).toEqual({ rate: 0, secondsLeft: undefined })
  })

  it('counts the last two readings, however long ago', () => {
    const meter = new PaceMeter()
    meter.read(0, 0, 9000)
    meter.read(10_000, 1000, 9000)
    expect(meter.read(20_000, 5000, 9000)).toEqual({ rate: 400, secondsLeft: 10 })
  })
})
