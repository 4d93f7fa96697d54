import { expect, it } from 'vitest'
import { aic } from '../../../src/codecs/aic/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'

const TRACK: TrackDescription = {
  ...{ id: 1, kind: 'video', codec: 'aic', timescale: 25, config: new Uint8Array(0), framing: 'raw' },
  ...{ width: 960, height: 540 },
}

/** A frame of the Apple Intermediate Codec: version, length of the header behind, size, width and height, then coded bytes. */
function frame(size: number, seed: number): Uint8Array {
  const bytes = noise(size, seed)
  const view = new DataView(bytes.buffer)
  bytes.set([1, 22])
  view.setUint32(2, size)
  view.setUint16(6, 960)
  view.setUint16(8, 540)
  return bytes
}

it('frames of the Apple Intermediate Codec are found and measured by their headers', () => {
  const frames = [frame(5_000, 1), frame(70_000, 2), frame(333, 3)]
  const bytes = new Uint8Array(Buffer.concat([noise(9_000, 4), ...frames, noise(500, 5)]))
  const recogniser = aic.recogniser(TRACK)
  const unit = new Unit()
  let at = 9_000
  for (const { length } of frames) {
    expect(recogniser?.recognise(readerOf(bytes), at, bytes.length, unit) && unit.length).toBe(length)
    expect(unit.evidence).toBeGreaterThanOrEqual(56)
    expect(recogniser?.search(readerOf(bytes), at, bytes.length)).toBe(at)
    at += length
  }
  for (let place = 0; place < 9_000; place++)
    expect(recogniser?.recognise(readerOf(bytes), place, bytes.length, unit)).toBe(false)
})

it('a frame of another size or beyond the end is none', () => {
  const recogniser = aic.recogniser(TRACK)
  const unit = new Unit()
  const bytes = frame(400, 1)
  expect(recogniser?.recognise(readerOf(bytes), 0, 399, unit)).toBe(false)
  bytes[7] ^= 1
  expect(recogniser?.recognise(readerOf(bytes), 0, 400, unit)).toBe(false)
})
