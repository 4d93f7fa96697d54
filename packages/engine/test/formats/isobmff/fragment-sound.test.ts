import { expect, it } from 'vitest'
import { readFragments } from '../../../src/formats/isobmff/read/read-fragments.ts'
import { Findings } from '../../../src/model/finding.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { box, fullBox, words } from '../../../testing/adversaries/bytes.ts'
import { readerOf } from './support/engine.ts'

/** A fragment with one sample of 4800 bytes that lasts 1200 ticks. */
const FRAGMENT = box(
  'moof',
  fullBox('mfhd', 0, words([1])),
  box('traf', fullBox('tfhd', 0x020000, words([1])), fullBox('trun', 0x301, words([1, 100, 1200, 4800]))),
)

function countOf(codec: string, blockAlign?: number): number {
  const reader = readerOf(FRAGMENT)
  const description: TrackDescription = {
    ...{ id: 1, kind: 'audio', codec, timescale: 48_000, config: new Uint8Array(0), framing: 'raw' },
    ...(blockAlign === undefined ? {} : { blockAlign }),
  }
  const samples = new SampleTable()
  const { boxes } = readChildren(reader, 0, FRAGMENT.length)
  readFragments(reader, boxes, [{ id: 1, description, extends: undefined, samples }], new Findings())
  expect(samples.length).toBe(1)
  return samples.count[0]
}

it('a sample of a fragment counts the sample frames of plain sound that it holds', () => {
  expect(countOf('pcm', 4)).toBe(1200)
  expect(countOf('aac')).toBe(1)
})
