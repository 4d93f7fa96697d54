import { expect, it } from 'vitest'
import { inBandSequences } from '../../../src/codecs/av1/configuration.ts'
import { av1 } from '../../../src/codecs/av1/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { noise, readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

it('the configuration of AV1 follows from sequence headers in its payload', () => {
  const fixture = streamFixture('av1')
  const { bytes, packets, width, height } = fixture
  const file = new Uint8Array(Buffer.concat([noise(9_000, 2), bytes, noise(9_000, 4)]))
  const [found] = inBandSequences(readerOf(file), [{ offset: 0, length: file.length }])
  expect(found).toMatchObject({ width, height, count: packets.filter(({ key }) => key).length })
  // profile, level, tier and samples as the stored record has them
  expect([...found.config.subarray(0, 4)]).toEqual([...fixture.config.subarray(0, 4)])
  const recogniser = av1.recogniser({ ...trackOf(fixture, 'raw'), config: found.config })
  const unit = new Unit()
  for (const { offset, size } of packets)
    expect(recogniser?.recognise(readerOf(bytes), offset, bytes.length, unit) && unit.length).toBe(size)
})

it('a sequence header without its trailing bits is none', () => {
  const { bytes } = streamFixture('av1')
  const at = bytes.indexOf(0x0a)
  const obu = bytes.slice(at, at + 2 + bytes[at + 1])
  const regions = [{ offset: 0, length: obu.length }]
  expect(inBandSequences(readerOf(obu), regions)).toHaveLength(1)
  obu[obu.length - 1] = 0
  expect(inBandSequences(readerOf(obu), regions)).toHaveLength(0)
})

it('sequence headers are counted as long as there may be so many', () => {
  const { bytes } = streamFixture('av1')
  const at = bytes.indexOf(0x0a)
  const obu = bytes.slice(at, at + 2 + bytes[at + 1])
  const rounds = 20_000
  const file = new Uint8Array(rounds * obu.length)
  for (let round = 0; round < rounds; round++) file.set(obu, round * obu.length)
  const [found] = inBandSequences(readerOf(file), [{ offset: 0, length: file.length }])
  expect(found.count).toBeLessThan(rounds / 2)
})
