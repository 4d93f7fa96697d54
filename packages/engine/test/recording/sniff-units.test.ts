import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../src/model/sample-table.ts'
import { codecOfUnits } from '../../src/recording/sniff-units.ts'
import { noise, readerOf } from '../../testing/video/replay.ts'
import { streamFixture } from '../../testing/video/stream-fixture.ts'

function table(sizes: readonly number[]): SampleTable {
  const units = new SampleTable()
  let offset = 0
  for (const size of sizes) {
    units.push(offset, size, 1, 1, 0, 0)
    offset += size
  }
  return units
}

const track = { id: 1, kind: 'video', timescale: 25, config: new Uint8Array(0), framing: 'raw' } as const

describe('pictures of a code that nobody knows', () => {
  it.each([
    ['prores', 'prores'],
    ['mpeg2-422', 'mpeg2video'],
    ['mpeg2-interlaced', 'mpeg2video'],
    ['mjpeg', 'mjpeg'],
  ])('%s is told by what its units are', (name, codec) => {
    const { bytes, packets, width, height } = streamFixture(name)
    const units = table(packets.map(({ size }) => size))
    expect(codecOfUnits(readerOf(bytes), { ...track, codec: 'zzzz', width, height }, units)).toBe(codec)
  })

  it('are of no codec where their lengths are not those of its units, or are nothing at all', () => {
    const { bytes, packets, width, height } = streamFixture('prores')
    const longer = table(packets.map(({ size }, i) => (i === 0 ? size + 40 : size)))
    const described = { ...track, codec: 'zzzz', width, height }
    expect(codecOfUnits(readerOf(bytes), described, longer)).toBeUndefined()
    expect(codecOfUnits(readerOf(noise(8000, 3)), described, table([2000, 2000, 2000, 2000]))).toBeUndefined()
  })

  it('may be damaged here and there, not for the most part', () => {
    const { bytes, packets, width, height } = streamFixture('mjpeg')
    const units = table(packets.map(({ size }) => size))
    const told = (hit: number): string | undefined => {
      const damaged = bytes.slice()
      for (let row = 0; row < hit; row++) damaged.fill(0x55, units.offset[row], units.offset[row] + 16)
      return codecOfUnits(readerOf(damaged), { ...track, codec: 'zzzz', width, height }, units)
    }
    expect(units.length).toBe(6)
    expect([told(1), told(2)]).toEqual(['mjpeg', undefined])
  })
})
