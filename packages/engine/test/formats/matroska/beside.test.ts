import { expect, it } from 'vitest'
import { ATTACHMENTS, CHAPTERS, TAGS } from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { clusters } from '../../../src/formats/matroska/recipes.ts'
import { element } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { remade } from './support/remade.ts'

const CRC_32 = 0xbf
const ID_BYTES = 4

/** A recording a bit of whose tags, which have a sum, was turned: near their end, in a text. */
function alteredTags(): { readonly bytes: Uint8Array; readonly tags: Uint8Array } {
  const bytes = fixtureOf(matroska, 'mkv-h264-aac').slice()
  const id = Uint8Array.from([24, 16, 8, 0], (shift) => (TAGS >>> shift) & 0xff)
  const at = Buffer.from(bytes.buffer, bytes.byteOffset).lastIndexOf(id)
  const size = bytes[at + ID_BYTES]
  const sizeBytes = Math.clz32(size) - 23
  let length = size & (0xff >> sizeBytes)
  for (let i = 1; i < sizeBytes; i++) length = length * 256 + bytes[at + ID_BYTES + i]
  const body = at + ID_BYTES + sizeBytes
  expect(bytes[body]).toBe(CRC_32)
  bytes[body + length - 2] ^= 1
  return { bytes, tags: bytes.slice(at, body + length) }
}

it.each([
  ['nothing else is hit', false],
  ['a Cluster is hit, too', true],
])('tags whose sum alone does not hold stay as they are, and are in doubt: %s', async (_what, isHit) => {
  const { bytes, tags } = alteredTags()
  const cluster = Buffer.from(bytes.buffer).indexOf(Uint8Array.of(0x1f, 0x43, 0xb6, 0x75))
  const damaged = isHit ? bytes.slice().fill(0, cluster, cluster + 8) : bytes
  const { report, bytes: output } = await repairRecording(damaged, 'mkv')
  expect(report.verdict).toBe('partial')
  expect(report.findings.map(({ code }) => code)).toContain('matroska.element-altered')
  expect(report.doubts?.map(({ code }) => code)).toContain('beside')
  expect(Buffer.from(output).includes(tags)).toBe(true)
})

it('tags whose parts do not fill them are left out of a recording that is written anew', async () => {
  const { bytes, tags } = alteredTags()
  const at = Buffer.from(bytes.buffer).lastIndexOf(tags)
  // the first tag is no element any more
  const first = at + tags.findIndex((byte, i) => byte === 0x73 && tags[i + 1] === 0x73)
  const damaged = bytes.slice().fill(0, first, first + 4)
  const { report, bytes: output } = await repairRecording(damaged, 'mkv')
  expect(report.doubts?.map(({ code }) => code)).toContain('beside')
  expect(Buffer.from(output).includes(damaged.subarray(at, at + tags.length))).toBe(false)
})

it('attachments, chapters and tags stay byte for byte in a film whose blocks are hit and whose end is cut off', async () => {
  const beside = [
    element(ATTACHMENTS, element(0x61a7, Buffer.from('a font, or a cover'))),
    element(CHAPTERS, element(0x45b9, element(0xb6, Uint8Array.of(0x91, 0x81, 7)))),
    element(TAGS, element(0x7373, Buffer.from('EncodingTool'))),
  ]
  const film = await remade(fixtureOf(matroska, 'mkv-h264-aac'), { beside })
  const { start, end } = clusters(film)
  const damaged = film.slice(0, end - ((end - start) >> 2)).fill(0, start + 9_000, start + 12_000)
  const { report, bytes } = await repairRecording(damaged, 'mkv')
  expect(report.verdict).toBe('repaired')
  for (const part of beside) expect(Buffer.from(bytes).includes(part)).toBe(true)
})
