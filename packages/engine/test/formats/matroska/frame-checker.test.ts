import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { FrameChecker } from '../../../src/formats/matroska/read/frame-checker.ts'
import { readTrack } from '../../../src/formats/matroska/read/track.ts'
import { ElementHeader } from '../../../src/syntax/ebml/element.ts'

/** As browsers write them: V_MPEG4/ISO/AVC without a configuration. */
const ENTRY = [
  0xae,
  0x99,
  0xd7,
  0x81,
  1,
  0x83,
  0x81,
  1,
  0x86,
  0x8f,
  ...Buffer.from('V_MPEG4/ISO/AVC'),
  0xec,
  0x80,
]

it.each([
  ['a start code of four bytes', [0, 0, 0, 1, 9, 0x10, 0, 0, 0, 1, 0x67], true],
  ['a start code of three', [0, 0, 1, 9, 0x10, 0, 0], true],
  ['the length of a NAL unit', [0, 0, 2, 9, 0x65, 0x88, 0x80], false],
  ['the forbidden bit behind it', [0, 0, 0, 1, 0xe5, 0x88, 0x80], false],
])('of H.264 without a configuration a frame that begins with %s is one: %#', (_, frame, isOne) => {
  const bytes = Uint8Array.from([...ENTRY, ...frame])
  const reader = new ByteReader(new MemorySource(bytes))
  const header = new ElementHeader()
  header.read(reader, 0, ENTRY.length)
  const { id, offset, body, end } = header
  const track = readTrack(reader, { id, offset, body, end })
  expect(track?.description.framing).toBe('startcode')
  if (track) expect(new FrameChecker(reader, track).bits(ENTRY.length, frame.length) > 0).toBe(isOne)
})

/** Subtitles as pictures, whose frames are compressed: of all of them, or of what describes them alone. */
function packed(scope: number): number[] {
  const encoding = [0x62, 0x40, 0x8a, 0x50, 0x32, 0x81, scope, 0x50, 0x34, 0x83, 0x42, 0x54, 0x80]
  const parts = [0xd7, 0x81, 3, 0x83, 0x81, 17, 0x86, 0x8a, ...Buffer.from('S_HDMV/PGS')]
  const all = [...parts, 0x6d, 0x80, 0x80 | encoding.length, ...encoding]
  return [0xae, 0x80 | all.length, ...all]
}

it.each([
  ['are whole where their sum holds', 1, [], false],
  ['are hit where a bit of them is turned', 1, [40], true],
  ['are hit where their sum is', 1, [-1], true],
  ['are not judged where they are not compressed', 2, [40], false],
])('frames compressed with zlib %s', (_, scope, flipped, isHit) => {
  const entry = packed(scope)
  const frame = deflateSync(Buffer.from(Array.from({ length: 300 }, (_unused, i) => (i * i) & 0xff)))
  for (const at of flipped) frame[(at + frame.length) % frame.length] ^= 4
  const reader = new ByteReader(new MemorySource(Uint8Array.from([...entry, ...frame])))
  const header = new ElementHeader()
  header.read(reader, 0, entry.length)
  const { id, offset, body, end } = header
  const track = readTrack(reader, { id, offset, body, end })
  expect(track?.encoding).toBe(scope === 1 ? 'zlib' : 'none')
  if (track) expect(new FrameChecker(reader, track).isHit(entry.length, frame.length)).toBe(isHit)
})
