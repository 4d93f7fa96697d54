import { expect, it } from 'vitest'
import { parseSampleDescription } from '../../../src/formats/isobmff/boxes/stsd.ts'
import { Findings } from '../../../src/model/finding.ts'
import { readBox } from '../../../src/syntax/iso-boxes/box.ts'
import { readerOf } from '../../../testing/video/replay.ts'

it('a track may have a description for each of its pictures', () => {
  const count = 500
  const entry = Buffer.alloc(86)
  entry.writeUInt32BE(86)
  entry.write('jpeg', 4)
  const header = Buffer.alloc(16)
  header.writeUInt32BE(16 + count * entry.length)
  header.write('stsd', 4)
  header.writeUInt32BE(count, 12)
  const bytes = Uint8Array.from(Buffer.concat([header, ...Array.from({ length: count }, () => entry)]))
  const box = readBox(readerOf(bytes), 0, bytes.length)
  const findings = new Findings(8)
  const entries = box && parseSampleDescription(readerOf(bytes), box, 'vide', findings)
  expect(entries?.map(({ format }) => format)).toEqual(Array.from({ length: count }, () => 'jpeg'))
  expect(findings.list).toEqual([])
})
