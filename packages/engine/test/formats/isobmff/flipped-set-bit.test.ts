import { expect, it } from 'vitest'
import { parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { looseSlices } from '../../../src/codecs/h264/loose-slices.ts'
import { readsAs } from '../../../src/codecs/h264/prove-sets.ts'
import { setPlaces } from '../../../src/codecs/hevc/hvcc.ts'
import { withProvenBit } from '../../../src/formats/isobmff/ways/descriptions/flipped-set-bit.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { readRecord } from '../../../src/recording/flipped-set-bit.ts'
import { movieOf, readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const bytes = fixture('h264-aac.mp4')

it('a flipped bit of parameter sets that key pictures do not read with is found by them, and never another', async () => {
  const reader = readerOf(bytes)
  const [track] = (await movieOf(bytes)).tracks
  const { config } = track.description
  expect(withProvenBit(reader, track)).toBeUndefined()
  const hit = (bit: number): Uint8Array => config.with(bit >> 3, config[bit >> 3] ^ (0x80 >> (bit & 7)))
  let mended = 0
  // the picture parameter set stands last, behind its count and length
  const pps = Buffer.from(config).lastIndexOf(Buffer.from([1, 0, 6])) + 4
  for (const bit of [pps * 8, pps * 8 + 1, pps * 8 + 2, pps * 8 + 4, 14 * 8, 15 * 8 + 2, 13 * 8 + 3]) {
    const damaged = { ...track, description: { ...track.description, config: hit(bit) } }
    const found = withProvenBit(reader, damaged)
    if (!found) continue
    expect(found.description.config, `bit ${bit}`).toEqual(config)
    mended++
  }
  expect(mended).toBeGreaterThan(1)
})

it('so is a flipped bit of how many sets there are, beside one of a set', async () => {
  const reader = readerOf(bytes)
  const [track] = (await movieOf(bytes)).tracks
  const { config } = track.description
  const pictureSets = Buffer.from(config).lastIndexOf(Buffer.from([1, 0, 6]))
  const miscounted = config.with(5, 0xe3).with(pictureSets, 0x41)
  for (const hit of [miscounted, miscounted.with(pictureSets + 4, config[pictureSets + 4] ^ 0x20)]) {
    const found = withProvenBit(reader, { ...track, description: { ...track.description, config: hit } })
    expect(found?.description.config).toEqual(config)
  }
})

it.each([0, 1, 22, 23])('it is sought nowhere behind the end of a record of HEVC of %i bytes', (length) => {
  const config = new Uint8Array(length).fill(1)
  const track = { codec: 'hevc', framing: 'length', config } as const
  expect(readRecord(readerOf(bytes), track, [{ offset: 1000, length: 1000 }])).toEqual({ reads: false })
})

it('it is found within what the tracks of a recording may read in vain together', async () => {
  const reader = readerOf(bytes)
  const [track] = (await movieOf(bytes)).tracks
  const { config } = track.description
  const hit = config.with(13, config[13] ^ 0x10)
  const damaged = { ...track, description: { ...track.description, config: hit } }
  const mended = (work: Allowance): Uint8Array | undefined =>
    withProvenBit(reader, damaged, work)?.description.config
  const enough = new Allowance(1e8)
  expect(mended(enough)).toEqual(config)
  expect(enough.take(1e8)).toBe(false)
  expect(mended(new Allowance(0))).toBeUndefined()
})

it('pictures are read once with records that differ in nothing which matters to them', async () => {
  const reader = readerOf(bytes)
  const [track] = (await movieOf(bytes)).tracks
  const slices = looseSlices(reader, 0, bytes.length, 8).filter(({ idr }) => idr)
  const own = parseAvcC(track.description.config)
  if (!own) throw new Error('no record')
  const known = new Map<string, boolean>()
  const reads = (level: number, width = 0): boolean | undefined => {
    const sps = own.sps.map((set) => ({ ...set, level, widthInMbs: set.widthInMbs + width }))
    return readsAs(reader, slices, { ...own, sps }, known)
  }
  expect([reads(10), reads(40), reads(51)]).toEqual([true, true, true])
  expect(known.size).toBe(1)
  expect(reads(10, 1)).toBe(false)
  expect(known.size).toBe(2)
})

it('so is one of HEVC', async () => {
  const film = fixture('hevc-aac.mp4')
  const reader = readerOf(film)
  const [track] = (await movieOf(film)).tracks
  const { config } = track.description
  expect(withProvenBit(reader, track)).toBeUndefined()
  let mended = 0
  for (const { offset, length } of setPlaces(config)) {
    for (let bit = offset * 8; bit < (offset + length) * 8; bit += 3) {
      const hit = config.with(bit >> 3, config[bit >> 3] ^ (0x80 >> (bit & 7)))
      const found = withProvenBit(reader, { ...track, description: { ...track.description, config: hit } })
      if (!found) continue
      expect(found.description.config, `bit ${bit}`).toEqual(config)
      mended++
    }
  }
  expect(mended).toBeGreaterThan(30)
})

it.each([
  ['h264-aac.mp4', 5, 1, 'how many sequence sets'],
  ['h264-aac.mp4', 7, 4, 'how long a set is'],
  ['hevc-aac.mp4', 22, 1, 'how many arrays'],
  ['hevc-aac.mp4', 25, 1, 'how many sets in an array'],
  ['hevc-aac.mp4', 27, 4, 'how long a set is'],
] as const)(
  'a film of %s of which one bit of byte %i of the record, bit %i, was hit is whole again: %s',
  async (name, at, bit, _what) => {
    const film = fixture(name)
    const record = film.slice()
    const start = Buffer.from(film).indexOf(name.startsWith('h264') ? 'avcC' : 'hvcC') + 4
    record[start + at] ^= bit
    const { report, bytes: mended } = await repaired(record)
    expect(report.verdict).toBe('repaired')
    const [track] = (await movieOf(mended)).tracks
    expect(track.description.config).toEqual((await movieOf(film)).tracks[0].description.config)
  },
)
