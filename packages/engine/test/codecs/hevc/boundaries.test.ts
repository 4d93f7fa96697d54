import { describe, expect, it } from 'vitest'
import { buildHvcC, parameterSetsOf, parseHvcC } from '../../../src/codecs/hevc/hvcc.ts'
import { hevc } from '../../../src/codecs/hevc/index.ts'
import { concat, lengthPrefixed } from '../../../testing/video/bit-writer.ts'
import { displayed, recogniserFor, replay } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

/** NAL unit types of slices that x265 writes for leading pictures of an open group. */
const RASL = [8, 9]
const CRA = 21

function sliceType(bytes: Uint8Array, offset: number): number {
  return bytes[offset + 4] >> 1
}

describe('HEVC units', () => {
  const fixture = streamFixture('hevc-open-gop')
  const { bytes, packets } = fixture

  function behind(tail: readonly Uint8Array[]): { length: number; expected: number } {
    const [first, second] = packets
    const file = concat([
      bytes.subarray(0, first.size),
      ...tail,
      bytes.subarray(second.offset, second.offset + second.size),
    ])
    const seen = replay(recogniserFor(hevc, fixture, 'length'), file)
    expect(seen[1].length).toBe(second.size)
    return { length: seen[0].length, expected: first.size + tail.reduce((sum, part) => sum + part.length, 0) }
  }

  it.each([
    ['Dolby Vision metadata', Uint8Array.of(0x7c, 1, 0x19, 8, 9, 0x80)],
    ['a Dolby Vision enhancement layer', Uint8Array.of(0x7e, 1, 0x26, 1, 0xaf, 9)],
    ['suffix messages', Uint8Array.of(0x50, 1, 0x84, 2, 7, 7, 0x80)],
    ['end of sequence', Uint8Array.of(0x48, 1)],
    ['slices of another layer', Uint8Array.of(0x02, 0x09, 0xd0, 1, 2, 3, 4, 0x80)],
  ])('keep %s behind their slices', (_, nal) => {
    const { length, expected } = behind([lengthPrefixed(nal)])
    expect(length).toBe(expected)
  })

  it('count as leading when play starts at the key picture they follow', () => {
    const cra = packets.findIndex(({ offset }, index) => index > 0 && sliceType(bytes, offset) === CRA)
    expect(cra).toBeGreaterThan(0)
    const part = bytes.subarray(packets[cra].offset)
    const whole = replay(recogniserFor(hevc, fixture, 'length'), bytes)
    expect(whole.some(({ leading }) => leading)).toBe(false)
    const seen = replay(recogniserFor(hevc, fixture, 'length'), part)
    const rasl = seen.map(({ offset }) => RASL.includes(sliceType(part, offset)))
    const nextCra = seen.findIndex(({ offset }, index) => index > 0 && sliceType(part, offset) === CRA)
    expect(seen.slice(0, nextCra).map(({ leading }) => leading)).toEqual(rasl.slice(0, nextCra))
    expect(rasl.slice(0, nextCra)).toContain(true)
  })

  it('keep their order when pictures were lost', () => {
    const kept = packets.filter((_, index) => index < 9 || index > 15)
    const file = concat(kept.map(({ offset, size }) => bytes.subarray(offset, offset + size)))
    const times = displayed(replay(recogniserFor(hevc, fixture, 'length'), file)).map(
      (index) => kept[index].pts,
    )
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
})

describe('HEVC configuration', () => {
  it('is built from parameter sets and read back', () => {
    const { bytes } = streamFixture('hevc-start-codes')
    const sets = parameterSetsOf(bytes.subarray(0, 400))
    const config = buildHvcC(sets.vps, sets.sps.slice(0, 1), sets.pps.slice(0, 1))
    expect(parseHvcC(config)).toMatchObject({
      lengthSize: 4,
      sps: [{ width: 96, height: 64, chromaFormat: 1 }],
    })
  })

  it('agrees with what a muxer writes in the fields that decoders check', () => {
    const { config } = streamFixture('hevc-10-bit')
    const parsed = parseHvcC(config)
    if (!parsed) throw new Error('the stored configuration does not parse')
    const rebuilt = buildHvcC(parsed.vps, parsed.sps, parsed.pps)
    // profile, tier and level; then chroma format and depths; then layers and length size
    expect(rebuilt.subarray(0, 13)).toEqual(config.subarray(0, 13))
    expect(rebuilt.subarray(16, 19)).toEqual(config.subarray(16, 19))
    expect(rebuilt[21] & 0x3f).toBe(config[21] & 0x3f)
    expect(parseHvcC(rebuilt)?.sps[0]?.bytes).toEqual(parsed.sps[0]?.bytes)
  })

  it('that is no hvcC makes no recogniser', () => {
    const config = Uint8Array.of(9, 9, 9)
    expect(
      hevc.recogniser({ id: 1, kind: 'video', codec: 'hevc', timescale: 1, config, framing: 'length' }),
    ).toBeUndefined()
  })
})
