import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { heif } from '../../../src/formats/heif/index.ts'
import { findPictures } from '../../../src/formats/heif/mend/find-pictures.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { heifParts } from '../../../testing/photos/photo-parts.ts'

const [{ bytes: PHOTO }] = fixturesOf(heif)
/** A NAL unit of bytes that fill up, behind its length. */
const FILLER = Uint8Array.of(0, 0, 0, 40, 0x4c, 1, ...new Array<number>(37).fill(0xff), 0x80)

it('bytes that fill up behind a picture are a part of it, not of the next one', async () => {
  const tiles = ((await heifParts(PHOTO))?.units.flat() ?? []).map(([from, to]) => PHOTO.slice(from, to))
  const [first, second] = tiles
  const bytes = Uint8Array.from(Buffer.concat([first, FILLER, second]))
  const found = await findPictures(new ByteReader(new MemorySource(bytes)), SILENT)
  expect(found.map(({ offset, length }) => [offset, length])).toEqual([
    [0, first.length + FILLER.length],
    [first.length + FILLER.length, second.length],
  ])
})
