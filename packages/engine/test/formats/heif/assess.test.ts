import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
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
