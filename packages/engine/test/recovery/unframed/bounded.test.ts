import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { carve } from '../../../src/recovery/carve.ts'
import { smallRecording } from '../../../testing/recordings/catalogue.ts'
import { read, readerOf } from '../../formats/isobmff/support/engine.ts'

/** Counts how often bytes are asked for: once or more for each reading that is weighed. */
class CountingReader extends ByteReader {
  asked = 0

  override u8(offset: number): number {
    this.asked++
    return super.u8(offset)
  }

  override bytes(offset: number, length: number): Uint8Array {
    this.asked++
    return super.bytes(offset, length)
  }
}

/** Questions for each byte while `damaged` is carved with the help of a sample. */
async function questions(damaged: Uint8Array, name = 'av1-opus'): Promise<number> {
  const sample = smallRecording(name, 60, 4)
  const { movie } = await read(sample)
  if (!movie) throw new Error('the sample has no movie')
  const reader = new CountingReader(new MemorySource(damaged))
  await carve({
    reader,
    regions: [{ offset: 0, length: damaged.length }],
    sample: {
      reader: readerOf(sample),
      tracks: movie.tracks.map(({ description, samples }) => ({ description, table: samples })),
    },
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
  })
  return reader.asked / damaged.length
}

/** Bytes of which each might begin a picture that ends where another begins. */
const EVERYWHERE = new Uint8Array(1 << 18).fill(0x32)

it('bytes that look like units everywhere take little more work than units', async () => {
  const usual = await questions(smallRecording('av1-opus', 900, 3))
  expect(await questions(EVERYWHERE)).toBeLessThan(usual * 7)
})

// one question for a quarter of the bytes, and what a small file may be asked besides
it('bytes that begin pictures everywhere, and none that is whole, are looked at now and then', async () => {
  expect(await questions(new Uint8Array(1 << 20).fill(0x86), 'vp9-opus')).toBeLessThan(1.75)
})
