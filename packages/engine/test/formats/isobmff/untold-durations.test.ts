import { expect, it } from 'vitest'
import type { TrackExtends } from '../../../src/formats/isobmff/boxes/mvex.ts'
import { readFragments } from '../../../src/formats/isobmff/read/read-fragments.ts'
import { Findings } from '../../../src/model/finding.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { box, fullBox, words } from '../../../testing/adversaries/bytes.ts'
import { readerOf } from './support/engine.ts'

/** A fragment of three samples, whose header says how long each lasts, or does not. */
function fragment(duration?: number, start?: number): Uint8Array {
  const header =
    duration === undefined
      ? fullBox('tfhd', 0x020000, words([1]))
      : fullBox('tfhd', 0x020008, words([1, duration]))
  return box(
    'moof',
    fullBox('mfhd', 0, words([1])),
    box(
      'traf',
      header,
      ...(start === undefined ? [] : [fullBox('tfdt', 0, words([start]))]),
      fullBox('trun', 0x201, words([3, 100, 10, 11, 12])),
    ),
  )
}

/** Times of the fragment's samples behind three of the movie's own, and whether they are a guess. */
function timesOf(bytes: Uint8Array, told?: TrackExtends) {
  const samples = new SampleTable()
  for (const [row, duration] of [100, 100, 140].entries()) samples.push(row, 1, 1, duration, row, 0)
  samples.dts.set([0, 100, 200])
  const { boxes } = readChildren(readerOf(bytes), 0, bytes.length)
  const targets = [{ id: 1, description: undefined, extends: told, samples }]
  const { durationsGuessed } = readFragments(readerOf(bytes), boxes, targets, new Findings())
  return { times: [...samples.dts.subarray(3, samples.length)], isGuess: durationsGuessed.has(1) }
}

it('samples of which neither movie nor fragment says how long they last do so as most before them, for a guess', () => {
  expect(timesOf(fragment())).toEqual({ times: [340, 440, 540], isGuess: true })
})

it('samples last as the movie or their fragment says', () => {
  const told = { track: 1, description: 1, duration: 50, size: 0, flags: 0 }
  expect(timesOf(fragment(), told)).toEqual({ times: [340, 390, 440], isGuess: false })
  expect(timesOf(fragment(70))).toEqual({ times: [340, 410, 480], isGuess: false })
})

it('samples of fragments that say when each begins last as long as lies between, for no guess', () => {
  const bytes = [340, 544, 748, 952].map((start) => fragment(undefined, start))
  const { times, isGuess } = timesOf(Uint8Array.from(bytes.flatMap((part) => [...part])))
  expect(times.slice(0, 6)).toEqual([340, 408, 476, 544, 612, 680])
  expect(isGuess).toBe(false)
})
