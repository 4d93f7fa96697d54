import { expect, it } from 'vitest'
import { mebx } from '../../../src/codecs/mebx/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { audioTrack, readerOf } from '../support/scan.ts'

/** Values of timed metadata, each of 16 bytes, with the keys given. */
function values(...keys: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(keys.length * 16)
  const view = new DataView(bytes.buffer)
  for (const [i, key] of keys.entries()) {
    view.setUint32(i * 16, 16)
    view.setUint32(i * 16 + 4, key)
  }
  return bytes
}

it('a sample that claims to reach beyond the file teaches what the file has of it', () => {
  const recogniser = mebx.recogniser(audioTrack('mebx', new Uint8Array(0)))
  if (!recogniser) throw new Error('no recogniser')
  const one = values(1)
  recogniser.learn?.(readerOf(one), 0, 2 ** 31)
  const two = values(1, 2)
  const unit = new Unit()
  expect(recogniser.recognise(readerOf(two), 0, two.length, unit)).toBe(true)
  expect(unit.length).toBe(one.length)
})
