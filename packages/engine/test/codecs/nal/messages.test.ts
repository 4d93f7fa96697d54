import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { h264 } from '../../../src/codecs/h264/index.ts'
import { LengthCursor } from '../../../src/codecs/nal/cursor.ts'
import { UnitContent } from '../../../src/codecs/nal/unit-content.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

const LENGTH = 1500

/** A NAL unit of H.264 full of messages of type 5 that are four bytes long each, behind its length. */
function messages(): Uint8Array {
  const bytes = new Uint8Array(4 + LENGTH)
  bytes.set([0, 0, LENGTH >> 8, LENGTH & 255, 6])
  for (let at = 5; at + 6 < bytes.length; at += 6) bytes.set([5, 4, 9, 9, 9, 9], at)
  bytes[bytes.length - 1] = 0x80
  return bytes
}

describe('messages of a NAL unit', () => {
  it('take steps for their bytes and for each of them, and say nothing once there are no more', () => {
    const bytes = messages()
    const reader = new ByteReader(new MemorySource(bytes), new Allowance(1.5 * LENGTH))
    const cursor = new LengthCursor(4)
    const content = new UnitContent(cursor, { headerBytes: 1, head: 96, longHead: 2048 })
    expect(cursor.read(reader, 0, bytes.length, bytes.length)).toBe(true)
    expect(content.messages(reader).plausible).toBe(true)
    expect(content.messages(reader).plausible).toBe(true)
    expect(content.messages(reader).plausible).toBe(false)
    expect(reader.work.spent).toBe(true)
  })

  it('are not read of a unit that only messages to its end would speak for, and that is longer than what is read', () => {
    const reader = new ByteReader(new MemorySource(fragments(1000)), new Allowance(10_000))
    const fixture = streamFixture('h264-b-pyramid')
    const recogniser = recogniserFor(h264, fixture, 'length')
    const unit = new Unit()
    for (let at = 0; at < reader.size; at++) recogniser.recognise(reader, at, reader.size, unit)
    expect(reader.work.spent).toBe(false)
  })
})

/** Headers of tracks' parts of fragments: a length, and what reads as a header of messages that others refer to. */
function fragments(count: number): Uint8Array {
  const bytes = new Uint8Array(24 * count)
  for (let at = 0; at < bytes.length; at += 24) bytes.set([0, 0, 0x10, 0, 0x66, 0x68, 0x64], at)
  return bytes
}
