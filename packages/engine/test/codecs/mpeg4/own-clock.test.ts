import { describe, expect, it } from 'vitest'
import { BitWriter } from '../../../src/bytes/bit-writer.ts'
import { layerOf, layerStart } from '../../../src/codecs/mpeg4/headers.ts'
import { withOwnClock } from '../../../src/codecs/mpeg4/own-clock.ts'
import { resolutionBits } from '../../../src/codecs/mpeg4/video-object-layer.ts'
import { config, film, layer, stuffing } from '../../../testing/video/mpeg4-clocks.ts'
import { readerOf } from '../../../testing/video/replay.ts'

function told(of: Uint8Array, sample: Uint8Array = config) {
  const own = withOwnClock(readerOf(of), [{ offset: 0, length: of.length }], sample)
  return own && { ...own, layer: layerOf(readerOf(own.config)) }
}

describe('the clock of planes beside a sample of another', () => {
  it('follows from their times where seconds end, and everything else is the sample’s', () => {
    const own = told(film(999, 100, 6))
    expect(own).toMatchObject({ rate: { num: 999, den: 100 }, leftOut: false })
    expect(own?.layer).toEqual({ ...layer, timeResolution: 999, timeBits: 10 })
  })

  it('is told where planes are left out, too', () => {
    const own = told(film(999, 100, 9, (n) => n % 7 === 3))
    expect(own).toMatchObject({ rate: { num: 999, den: 100 }, leftOut: true })
  })

  it('is the sample’s where the times agree with it', () => {
    expect(told(film(25, 1, 4))).toBeUndefined()
    expect(told(film(999, 100, 6), told(film(999, 100, 6))?.config)).toBeUndefined()
  })

  it('is the sample’s where seconds differ, or planes do not read', () => {
    const two = [film(999, 100, 5), film(850, 100, 5)]
    expect(told(new Uint8Array(Buffer.concat(two)))).toBeUndefined()
    const spoiled = film(999, 100, 6)
    for (let at = 0; at + 40 < spoiled.length; at++)
      if (spoiled[at] === 0xb6 && spoiled[at - 1] === 1) spoiled.fill(0x5a, at + 8, at + 40)
    expect(told(spoiled)).toBeUndefined()
  })

  it('takes the place of a fixed rate, too', () => {
    const body = layerStart(readerOf(config))
    const flag = 8 * body + resolutionBits(config.subarray(body)) + 16 + 1
    const writer = new BitWriter()
    writer.copy(config, 0, flag)
    writer.bit(1)
    writer.bits(1, layer.timeBits)
    writer.copy(config, flag + 1, stuffing(config))
    writer.bit(0)
    while (writer.length % 8 !== 0) writer.bit(1)
    const fixed = writer.bytes()
    expect(layerOf(readerOf(fixed))).toEqual({ ...layer, fixedIncrement: 1 })
    expect(told(film(999, 100, 6), fixed)?.config).toEqual(told(film(999, 100, 6))?.config)
  })

  it('is the sample’s where too few seconds end to tell', () => {
    for (const seconds of [2, 3]) expect(told(film(999, 100, seconds))).toBeUndefined()
    expect(told(film(999, 100, 4))).toBeDefined()
  })
})
