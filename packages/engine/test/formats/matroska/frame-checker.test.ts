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
