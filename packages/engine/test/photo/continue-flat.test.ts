import { describe, expect, it } from 'vitest'
import { FILLED, LOST, RECOVERED } from '../../src/photo/picture/picture.ts'
import { fillRaster } from '../../src/photo/raster/fill-raster.ts'
import { newRaster, type Raster } from '../../src/photo/raster/raster.ts'

const WIDTH = 12
const HEIGHT = 60
const KNOWN = 30

/** A picture of which the upper half is known, and holds what `value` says. */
function halfOf(value: (x: number, y: number) => number): Raster {
  const raster = newRaster(WIDTH, HEIGHT, 1)
  raster.states.fill(RECOVERED, 0, KNOWN * WIDTH)
  for (let y = 0; y < KNOWN; y++) for (let x = 0; x < WIDTH; x++) raster.pixels[y * WIDTH + x] = value(x, y)
  return raster
}

const lastRow = (bytes: Uint8Array): number[] => [...bytes.subarray((HEIGHT - 1) * WIDTH)]

describe('what a picture goes on with below its last row', () => {
  it('a flat column goes on, and the ground of a drawing takes the place of what is drawn on it', () => {
    const raster = halfOf((x, y) => (x === 3 ? y : x === 5 ? 77 : 200))
    fillRaster(raster, true)
    const ground = Array(WIDTH).fill(200)
    expect(lastRow(raster.pixels)).toEqual(ground.with(5, 77))
    expect(lastRow(raster.states)).toEqual(Array(WIDTH).fill(FILLED))
  })

  it('the same above its first row', () => {
    const raster = halfOf((x) => (x === 5 ? 77 : 200))
    raster.pixels.reverse()
    raster.states.reverse()
    fillRaster(raster, true)
    expect([...raster.pixels.subarray(0, WIDTH)]).toEqual(
      Array(WIDTH)
        .fill(200)
        .with(WIDTH - 6, 77),
    )
  })

  it('a picture that is nowhere flat stays blank', () => {
    const raster = halfOf((x, y) => (x * 31 + y * 17) % 251)
    fillRaster(raster, true)
    expect(lastRow(raster.pixels)).toEqual(Array(WIDTH).fill(0))
    expect(lastRow(raster.states)).toEqual(Array(WIDTH).fill(LOST))
  })
})

describe('a gap between rows of a picture that is clear for the most part', () => {
  it('is clear but for rows beside what is known, where one goes over into the other', () => {
    const raster = halfOf((x) => (x === 0 ? 0 : 200))
    raster.states.fill(RECOVERED, (HEIGHT - 1) * WIDTH)
    raster.pixels.fill(100, (HEIGHT - 1) * WIDTH)
    fillRaster(raster, true, 0)
    const column = Array.from({ length: HEIGHT - KNOWN }, (_, i) => raster.pixels[(KNOWN + i) * WIDTH + 5])
    expect(column.slice(0, 8).every((value) => value > 170)).toBe(true)
    expect(column.slice(8, -9)).toEqual(Array(13).fill(0))
    expect(column.slice(-9).every((value) => value >= 100 && value < 135)).toBe(true)
    expect(raster.states).not.toContain(LOST)
  })
})
