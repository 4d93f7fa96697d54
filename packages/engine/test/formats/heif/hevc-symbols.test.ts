import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { noise } from '../../../testing/video/replay.ts'
import { repaired } from './repaired.ts'

const [{ bytes: PHOTO, sample: SAMPLE }] = fixturesOf(heif)

const read = (bytes: Uint8Array) => assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)

/** The coded pictures of the photo: its tiles, and its thumbnail. */
async function pictures() {
  const { meta } = await read(PHOTO)
  return [...(meta?.items.values() ?? [])].filter(({ type }) => type === 'hvc1')
}

/** Noise in the middle of a picture, without zeros: no byte of it is one that no unit may hold. */
function hit({ offset, length }: { readonly offset: number; readonly length: number }): Uint8Array {
  const bytes = PHOTO.slice()
  const foreign = noise(40).map((byte) => byte || 1)
  bytes.set(foreign, offset + (length >> 1))
  return bytes
}

describe('noise in a coded picture that holds nothing forbidden', () => {
  it('is told by its symbols, of each picture, the thumbnail too', async () => {
    const all = await pictures()
    expect(all.length).toBe(7)
    for (const item of all) {
      const { states } = await read(hit(item.extents[0]))
      expect(all.map(({ id }) => states.get(id))).toEqual(
        all.map(({ id }) => (id === item.id ? 'broken' : 'whole')),
      )
    }
  })

  it('leaves the tile as it is, and is told as a hit', async () => {
    const [tile] = await pictures()
    const { report, bytes } = await repaired(hit(tile.extents[0]))
    expect(report.verdict).toBe('partial')
    expect(report.findings.map(({ code }) => code)).toEqual(['heif.item-broken'])
    expect((report as PhotoReport).pictures[0]).toMatchObject({ total: 6, recovered: 5, estimated: 1, lost: 0 })
    expect((await read(bytes)).states.get(tile.id)).toBe('broken')
  })

  it('is told by a sample’s parameters where the photo’s own are gone', async () => {
    const [tile] = await pictures()
    const bytes = hit(tile.extents[0])
    const { meta } = await read(PHOTO)
    bytes.fill(0, 0, meta?.box?.end)
    const { report } = await repaired(bytes, 'heic', SAMPLE)
    expect((report as PhotoReport).pictures[0]).toMatchObject({ total: 6, recovered: 5, estimated: 1, lost: 0 })
  })
})
