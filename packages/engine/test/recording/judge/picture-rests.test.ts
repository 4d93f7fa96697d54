import { describe, expect, it } from 'vitest'
import { noise } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../src/model/sample-table.ts'
import { findPictureRests } from '../../../src/recording/judge/picture-rests.ts'
import { lane, prior } from '../../recovery/lanes.ts'

const PICTURES = 20
const HIT = 10

/** A slice of 40 bytes behind its length, by its place in the picture. */
function slice(codec: string, place: number): number[] {
  const header = codec === 'h264' ? [0x41] : [0x02, 0x01]
  const flags = place === 0 ? 0x9a : 0x4a
  const body = [...header, flags, ...noise(40 - header.length - 1, place).map((byte) => byte | 1)]
  return [0, 0, 0, body.length, ...body]
}

/** Pictures of so many slices; of one, only `kept` bytes are in its row, and `rest` follows in a hole. */
function recording(codec: string, slices: number, kept: number, rest: readonly number[]) {
  const picture = Array.from({ length: slices }, (_, place) => slice(codec, place)).flat()
  const table = new SampleTable()
  const bytes: number[] = []
  let hole = 0
  for (let row = 0; row < PICTURES; row++) {
    const own = row === HIT ? picture.slice(0, kept) : picture
    if (own.length > 0) table.push(bytes.length, own.length, 1, 1, row, 0)
    bytes.push(...own)
    if (row !== HIT) continue
    hole = bytes.length
    bytes.push(...rest)
  }
  const description = { ...lane(0, 'video', 25).description, codec, framing: 'length' as const }
  const times = { startDelay: 0, compositionShift: 0, losses: [], estimated: false, untimed: false }
  const rows = [kept > 0 ? HIT + 1 : HIT]
  const holes = [{ offset: hole, length: rest.length, rows }]
  const carved = {
    tracks: [{ description, table, times, prior: prior(1, 0) }],
    ...{ holes, filler: 0, endsEstimated: false },
  }
  const reader = new ByteReader(new MemorySource(Uint8Array.from(bytes)))
  const found = findPictureRests(reader, carved)
  return { found: found.has(holes[0]), damaged: (table.flags[HIT] & SAMPLE_DAMAGED) !== 0 }
}

describe.each(['h264', 'hevc'])('the rest of a picture of several slices in a hole, %s', (codec) => {
  const whole = slice(codec, 0).length
  const garbage = [...noise(30, 9).map((byte) => byte | 0x81)]
  const last = slice(codec, 3)

  it('is what whole slices that go on with it end', () => {
    const rest = [...garbage, ...last]
    expect(recording(codec, 4, whole * 2, rest)).toEqual({ found: true, damaged: true })
  })

  it('is what lies behind a picture that has fewer slices than all around', () => {
    expect(recording(codec, 4, whole * 3, garbage)).toEqual({ found: true, damaged: true })
  })

  it('may be all that is left of it', () => {
    const rest = [...garbage, ...last]
    expect(recording(codec, 4, 0, rest)).toEqual({ found: true, damaged: false })
  })

  it('is not found behind whole pictures, nor larger than any', () => {
    expect(recording(codec, 4, whole * 4, garbage)).toEqual({ found: false, damaged: false })
    expect(recording(codec, 1, whole, garbage)).toEqual({ found: false, damaged: false })
    const large = Array.from({ length: 8 }, () => garbage).flat()
    expect(recording(codec, 4, whole * 3, large)).toEqual({ found: false, damaged: false })
  })

  it('is no picture of its own', () => {
    const rest = [...garbage, ...slice(codec, 0)]
    expect(recording(codec, 4, whole * 4, rest)).toEqual({ found: false, damaged: false })
  })
})
