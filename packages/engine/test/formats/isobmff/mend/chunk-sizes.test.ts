import { describe, expect, it } from 'vitest'
import { mendChunkSizes } from '../../../../src/formats/isobmff/mend/chunks/chunk-sizes.ts'
import { SampleFit } from '../../../../src/formats/isobmff/mend/chunks/sample-fit.ts'
import { movieWork } from '../../../../src/formats/isobmff/read/read-movie.ts'
import { describesSamples } from '../../../../src/formats/isobmff/ways/descriptions/mend-descriptions.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import { trackOf } from '../../../../testing/video/replay.ts'
import { streamFixture } from '../../../../testing/video/stream-fixture.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

describe('many flipped sizes in one chunk', () => {
  it.each([
    { name: 'h264-aac.mp4', kind: 'audio', times: 1, first: 6 },
    { name: 'prores-pcm.mov', kind: 'video', times: 6, first: 4 },
  ] as const)('of the $kind of $name are mended with the steps that a file allows', async (sample) => {
    const { name, kind, times, first } = sample
    const whole = fixture(name)
    const track = (await movieOf(whole)).tracks.find(({ description }) => description.kind === kind)
    if (!track) throw new Error(`no ${kind}`)
    const { samples, description } = track
    const rows = Array.from({ length: samples.length * times }, (_, i) => i % samples.length)
    const sizes = Uint32Array.from(rows, (row) => samples.size[row])
    const units = rows.map((row) =>
      whole.subarray(samples.offset[row], samples.offset[row] + samples.size[row]),
    )
    // Half a megabyte of film behind them: sizes that lead far into it cost no more than others.
    const bytes = new Uint8Array([...Buffer.concat(units), ...new Uint8Array(500_000).fill(0xa5)])
    const hit = sizes.slice()
    for (let row = 4; row < hit.length; row += 9) hit[row] ^= 1 << (first + (row % 12))
    const end = sizes.reduce((sum, size) => sum + size, 0)
    for (const known of [end, undefined]) {
      const work = movieWork(bytes.length).mending
      const fit = new SampleFit(readerOf(bytes), description, Float64Array.of(0), work)
      expect(mendChunkSizes(hit, 0, known, fit, work)).toEqual(sizes)
    }
  })
})

it('sizes of pictures that their encoder filled up with zeros are mended to the end of those', () => {
  const stream = streamFixture('h263')
  const ALIGNED = 8
  const sizes = Uint32Array.from(stream.packets, ({ size }) => Math.ceil((size + 1) / ALIGNED) * ALIGNED)
  const end = sizes.reduce((sum, size) => sum + size, 0)
  const bytes = new Uint8Array(end + 5000).fill(0xa5)
  let at = 0
  for (const [i, { offset, size }] of stream.packets.entries()) {
    bytes.fill(0, at, at + sizes[i]).set(stream.bytes.subarray(offset, offset + size), at)
    at += sizes[i]
  }
  const hit = sizes.slice()
  for (let row = 1; row < hit.length; row += 3) hit[row] ^= 1 << (3 + (row % 7))
  const work = movieWork(bytes.length).mending
  const fit = new SampleFit(readerOf(bytes), trackOf(stream, 'raw'), Float64Array.of(0), work)
  expect(mendChunkSizes(hit, 0, end, fit, work)).toEqual(sizes)
  expect(fit.reach(0, end, sizes.length)).toBe(true)
})

describe('pictures that are known behind a head alone, in shares of a constant rate', () => {
  const stream = streamFixture('mpeg2-b')
  const description = { ...trackOf(stream, 'raw'), config: new Uint8Array(0) }
  const SHARE = 24_000
  const { packets } = stream
  const sizes = new Uint32Array(packets.length).fill(SHARE)
  const bytes = new Uint8Array(SHARE * packets.length)
  for (const [i, { offset, size }] of packets.entries())
    bytes.set(stream.bytes.subarray(offset, offset + size), i * SHARE)

  it('have their sizes mended', () => {
    expect(Math.max(...packets.map(({ size }) => size))).toBeLessThan(SHARE - 4096)
    const hit = sizes.slice()
    for (let row = 1; row < hit.length; row += 3) hit[row] ^= 1 << (3 + (row % 7))
    const work = movieWork(bytes.length).mending
    const fit = new SampleFit(readerOf(bytes), description, Float64Array.of(0), work)
    expect(mendChunkSizes(sizes, 0, bytes.length, fit, work)).toBeUndefined()
    expect(mendChunkSizes(hit, 0, bytes.length, fit, work)).toEqual(sizes)
  })

  it('are what their description says', async () => {
    const [film] = (await movieOf(fixture('h264-aac.mp4'))).tracks
    const samples = new SampleTable()
    for (const [i, { offset, size }] of packets.entries()) samples.push(offset, size, 1, 1, i, 0)
    const track = { ...film, description, samples }
    expect(describesSamples(readerOf(stream.bytes), track)).toBe(true)
    expect(describesSamples(readerOf(new Uint8Array(stream.bytes.length)), track)).toBe(false)
  })
})
