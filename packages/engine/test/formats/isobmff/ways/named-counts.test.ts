import { expect, it } from 'vitest'
import { countsOtherwise, namesMore } from '../../../../src/formats/isobmff/ways/index/named-counts.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

const { tracks } = await movieOf(fixture('h264-aac.mp4'))
const named = tracks.map(({ samples }) => samples.length)

/** Whether the film's index names more than so many pictures and sounds found, of which so many are known to be gone. */
function lacks(pictures: number, sounds: number, lost = 0, gone = 0, given = tracks): boolean {
  const found = [pictures, sounds].map((recovered, lane) => ({
    plan: { template: tracks[lane], table: tracks[lane].samples },
    outcome: { recovered: recovered - (lane === 0 ? 1 : 0), damaged: lane === 0 ? 1 : 0, lost },
  }))
  return namesMore(given, [gone, gone], found)
}

it('an index whose tables name more samples than were found speaks against what was found', () => {
  const [pictures, sounds] = named
  expect(lacks(pictures, sounds)).toBe(false)
  expect(lacks(pictures + 5, sounds + 5)).toBe(false)
  expect(lacks(pictures - 1, sounds)).toBe(true)
  expect(lacks(pictures, sounds - 2)).toBe(true)
  expect(lacks(6, sounds)).toBe(true)
})

it('samples that are known to be lost are no secret', () => {
  const [pictures, sounds] = named
  expect(lacks(pictures - 5, sounds - 5, 5)).toBe(false)
  expect(lacks(pictures - 5, sounds - 5, 0, 5)).toBe(false)
})

it('tables that count otherwise, and tracks of which nothing was found, say nothing', () => {
  const [pictures, sounds] = named
  const hit = tracks.map((track) => {
    const { durations: _, ...tables } = track.tables
    return { ...track, tables }
  })
  expect(lacks(6, sounds, 0, 0, hit)).toBe(false)
  const others = tracks.map((track) => ({
    ...track,
    description: { ...track.description, codec: 'unread' },
  }))
  expect(lacks(pictures - 1, sounds, 0, 0, others)).toBe(false)
})

it('carving that counts other samples than an index names, lost ones among them, is late or early behind what is lost', () => {
  const [, sounds] = named
  const counts = (recovered: number, lost: number, times: 'carved' | 'index' = 'carved'): boolean =>
    countsOtherwise(tracks, [
      {
        plan: { template: tracks[1], table: tracks[1].samples, times },
        outcome: { recovered, damaged: 0, lost },
      },
    ])
  expect(counts(sounds - 10, 10)).toBe(false)
  expect(counts(sounds - 10, 20)).toBe(true)
  expect(counts(sounds - 10, 3)).toBe(true)
  // not by more than a moment
  expect(counts(sounds - 10, 12)).toBe(false)
  expect(counts(sounds - 10, 20, 'index')).toBe(false)
  expect(counts(sounds + 10, 0)).toBe(false)
})
