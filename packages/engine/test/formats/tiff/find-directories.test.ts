import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { findDirectories } from '../../../src/formats/tiff/read/find-directories.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'

const FIELDS = 1_000

/**
 * Fields one behind the other behind their number, each a tag, the type SHORT and one value; `told`: how many the number says
 * there are.
 */
function directory(tags: readonly number[], told = tags.length): Uint8Array {
  const bytes = new Uint8Array(2 + 12 * tags.length + 4)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, told, true)
  for (const [i, tag] of tags.entries()) {
    view.setUint16(2 + 12 * i, tag, true)
    view.setUint16(4 + 12 * i, 3, true)
    view.setUint32(6 + 12 * i, 1, true)
    view.setUint16(10 + 12 * i, 16, true)
  }
  return bytes
}

const OWN = directory([256, 257, 258, 259, 262, 277])

/** How many directories are found where one stands behind so many that say they have a thousand fields. */
async function foundBehind(decoys: number, decoy: Uint8Array): Promise<number> {
  const bytes = Buffer.concat([...Array.from({ length: decoys }, () => decoy), OWN])
  const reader = new ByteReader(new MemorySource(Uint8Array.from(bytes)))
  return (await findDirectories(new TiffNumbers(reader, true), false, SILENT)).length
}

describe('directories that are looked for among bytes that look like some', () => {
  const risesSecond = directory([300, 301, 5], FIELDS)
  const risesThird = directory([300, 5, 301], FIELDS)

  it.each([
    ['second', risesSecond],
    ['third', risesThird],
  ])('are found while fields that may be read are left: the %s one rises', async (_, decoy) => {
    expect(await foundBehind(80, decoy)).toBe(1)
    expect(await foundBehind(130, decoy)).toBe(0)
  })

  it.each([
    ['no tag rises', directory([300, 5, 6], FIELDS)],
    ['tags stay the same', directory([300, 300, 300], FIELDS)],
  ])('cost nothing where %s', async (_, decoy) => {
    expect(await foundBehind(130, decoy)).toBe(1)
  })

  it('are found at the very end of a file', async () => {
    expect(await foundBehind(0, OWN)).toBe(1)
  })
})
