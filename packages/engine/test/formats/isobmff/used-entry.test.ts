import { describe, expect, it } from 'vitest'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'

/**
 * A film in fragments whose first track lists an entry of encrypted pictures before the one in the clear; its fragments take
 * `entry`.
 */
function listed(entry: number): Uint8Array {
  const bytes = fixture('h264-aac-fragmented.mp4')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const boxes = movieBoxes(bytes)
  const at = (boxes.find(({ box }) => box.type === 'stsd')?.box.offset ?? 0) + 16
  const added = bytes.slice(at, at + view.getUint32(at))
  added.set(Buffer.from('encv'), 4)
  const parents = boxes.filter(({ box }) => box.offset < at && box.end > at).map(({ box }) => box.offset)
  const moov = Buffer.from(bytes).indexOf('moov') - 4
  for (const parent of [moov, ...parents]) view.setUint32(parent, view.getUint32(parent) + added.length)
  view.setUint32(at - 4, 2)
  view.setUint32(Buffer.from(bytes).indexOf('trex') + 12, entry)
  return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at)])
}

describe('a track of several sample entries', () => {
  it('is what the one says that its fragments take', async () => {
    const [pictures] = (await movieOf(listed(2))).tracks
    expect(pictures.description.codec).toBe('h264')
    expect(pictures.protection).toBeUndefined()
    expect((await movieOf(listed(1))).tracks[0].protection).toBeDefined()
  })

  it('keeps that one where its film is written anew', async () => {
    const whole = listed(2)
    const { report, bytes } = await repaired(whole.subarray(0, whole.length - 3000))
    expect(report.verdict).toBe('repaired')
    const [pictures] = (await movieOf(bytes)).tracks
    expect(pictures.entries.map(({ format }) => format)).toEqual(['avc1'])
    expect(pictures.samples.length).toBeGreaterThan(20)
  })

  it('has no other entry than there are', async () => {
    const [pictures] = (await movieOf(listed(7))).tracks
    expect(pictures.descriptions).toBeUndefined()
    expect(pictures.samples.length).toBeGreaterThan(20)
  })
})
