import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

/** Fields of tiles, and those of strips that old writers gave their places in. */
const OLD_FIELDS = new Map([
  [324, 273],
  [325, 279],
])

it('tiles whose places stand in the fields of strips are healthy as tiles', async () => {
  const tiles = fixturesOf(tiff).find(({ name }) => name === 'deflate-tiles')
  const bytes = Uint8Array.from(tiles?.bytes ?? [])
  const view = new DataView(bytes.buffer)
  const directory = view.getUint32(4, true)
  for (let i = 0; i < view.getUint16(directory, true); i++) {
    const field = directory + 2 + 12 * i
    view.setUint16(field, OLD_FIELDS.get(view.getUint16(field, true)) ?? view.getUint16(field, true), true)
  }
  const report = await repair({
    damaged: { source: new MemorySource(bytes), name: 'photo.tif' },
    sink: new MemorySink(),
  })
  expect(report.kind === 'photo' && [report.verdict, report.pictures[0]]).toMatchObject([
    'healthy',
    { layout: 'tiles' },
  ])
})
