import { describe, expect, it } from 'vitest'
import { headerSegments, scanStart } from '../src/pictures/damage/jpeg-segments.ts'
import { paintShader } from '../src/pictures/paint/painter.ts'
import { develop } from '../src/pictures/paint/picture.ts'
import { Random } from '../src/pictures/paint/random.ts'
import { type Scene, Tracer } from '../src/pictures/paint/tracer.ts'
import { balloonShader, SUNRISE } from '../src/pictures/scenes/balloons.ts'

describe('the headers of a JPEG file', () => {
  const file = Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 4, 1, 2, 0xff, 0xda, 0, 3, 9, 0x55, 0xaa, 0xff, 0xd9)

  it('are listed up to the scan, with marker and length', () => {
    expect(headerSegments(file)).toEqual([
      { marker: 0xdb, start: 2, end: 8 },
      { marker: 0xda, start: 8, end: 13 },
    ])
    expect(scanStart(file)).toBe(13)
  })

  it('of a file without a scan are refused', () => {
    expect(() => scanStart(file.subarray(0, 8))).toThrow('no scan')
    expect(headerSegments(Uint8Array.of())).toEqual([])
  })
})

describe('the painter', () => {
  it('paints the same picture every time', () => {
    const paint = () => develop(paintShader(balloonShader(SUNRISE, 0), 24, 16, 2), 0.6).rgba
    expect(paint()).toEqual(paint())
  })

  it('draws evenly from nothing to one', () => {
    const random = new Random(7)
    const values = Array.from({ length: 4000 }, () => random.next())
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...values)).toBeLessThan(1)
    const mean = values.reduce((a, b) => a + b) / values.length
    expect(mean).toBeGreaterThan(0.47)
    expect(mean).toBeLessThan(0.53)
  })

  it('lights a ball from the side of its sun and lets it stand before the sky', () => {
    const ball: Scene = {
      eye: [0, 0, 4],
      target: [0, 0, 0],
      spread: 0.5,
      aperture: 0,
      far: 20,
      sun: { direction: [-1, 0.2, 0.4], colour: [3, 3, 3], radius: 0 },
      bounces: 0,
      distance: (x, y, z) => Math.sqrt(x * x + y * y + z * z) - 1,
      surface: (_x, _y, _z, _normal, out) => {
        out.r = out.g = out.b = 0.5
      },
      sky: (_x, _y, _z, out) => {
        out[0] = 0
        out[1] = 0
        out[2] = 1
      },
    }
    const size = 33
    const { light } = new Tracer(ball).paint(size, size, 4)
    const at = (x: number, y: number) => [...light.subarray((y * size + x) * 3, (y * size + x) * 3 + 3)]
    const middle = Math.floor(size / 2)
    expect(at(0, 0)).toEqual([0, 0, 1])
    const [left = 0] = at(middle - 8, middle)
    const [right = 0] = at(middle + 8, middle)
    expect(left).toBeGreaterThan(1)
    expect(right).toBeLessThan(0.1)
  })
})
