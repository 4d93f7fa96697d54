import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

it.each(fixturesOf(heif))(
  'metadata of $name are read up to a bound of their bytes, and what lacks them is not healthy',
  async ({ bytes }) => {
    const reader = new ByteReader(new MemorySource(bytes))
    const meta = Buffer.from(bytes).indexOf('meta') - 4
    const size = reader.u32(meta)
    const within = async (structureBytes: number) => {
      const { healthy, picture } = await assess(reader, { ...DEFAULT_LIMITS, structureBytes }, SILENT)
      return [healthy, picture !== undefined]
    }
    expect([await within(size), await within(size - 1)]).toEqual([
      [true, true],
      [false, false],
    ])
  },
)

it.each(fixturesOf(heif))(
  '$name with a box behind it that breaks off lacks some of what stands beside the picture, and keeps the rest',
  async ({ bytes }) => {
    for (const header of [
      [0, 0, 0, 200, 0x6d, 0x70, 0x76, 0x64],
      [0, 0, 0, 1, 0x6d, 0x70, 0x76, 0x64, 0, 0, 0, 0, 0, 0, 0, 200],
    ]) {
      const longer = Uint8Array.from([...bytes, ...header, ...Array(50).fill(7)])
      const sink = new MemorySink()
      const damaged = { source: new MemorySource(longer), name: 'photo.heic' }
      const { verdict, doubts } = await repair({ damaged, sink })
      expect([verdict, doubts?.map(({ code }) => code)]).toEqual(['partial', ['metadata']])
      longer[bytes.length + (header.length === 8 ? 3 : 15)] = header.length + 50
      expect(sink.bytes()).toEqual(longer)
    }
  },
)

it.each(fixturesOf(heif))(
  'of $name without a size beside the parameters of its tiles nothing is wrong: decoders do without it',
  async ({ bytes }) => {
    const bare = Buffer.from(bytes)
    const assessed = async () => assess(new ByteReader(new MemorySource(bare)), DEFAULT_LIMITS, SILENT)
    const { picture } = await assessed()
    for (let at = bare.indexOf('ispe'); at >= 0; at = bare.indexOf('ispe')) bare.write('free', at, 'latin1')
    const without = await assessed()
    expect(without.healthy).toBe(true)
    expect(without.picture?.tiles.map(({ x, y }) => [x, y])).toEqual(picture?.tiles.map(({ x, y }) => [x, y]))
  },
)
