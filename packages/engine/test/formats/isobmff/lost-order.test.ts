import { expect, it } from 'vitest'
import type { Box } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes, times } from './support/movie-boxes.ts'

const healthy = fixture('h264-aac.mp4')

/** The pictures' composition offsets. */
function tableOf(bytes: Uint8Array): Box {
  const table = movieBoxes(bytes).find(({ path }) => path.endsWith('/ctts'))
  if (!table) throw new Error('no composition offsets')
  return table.box
}

/** The film with the type of the pictures' composition offsets changed. */
function renamed(...letters: readonly number[]): Uint8Array {
  const damaged = healthy.slice()
  damaged.set(letters, tableOf(healthy).offset + 4)
  return damaged
}

it('composition offsets whose type lost two bits have it back', async () => {
  const whole = await movieOf(healthy)
  const [c, t, , s] = [...'ctts'].map((letter) => letter.charCodeAt(0))
  for (const type of [
    [c ^ 4, t ^ 0x20, t, s],
    [c, t, t ^ 0x80, s ^ 1],
    [c ^ 3, t, t, s],
  ]) {
    const movie = await movieOf(renamed(...type))
    expect(movie.tracks.map(times)).toEqual(whole.tracks.map(times))
  }
})

it('composition offsets of which no type is left are known by their runs, which are of all samples', async () => {
  const whole = await movieOf(healthy)
  for (const type of [
    [0, 0, 0, 0],
    [0x51, 0x7a, 0x37, 0x6b],
  ]) {
    const movie = await movieOf(renamed(...type))
    expect(movie.tracks.map(times)).toEqual(whole.tracks.map(times))
  }
})

it('pictures that nothing says the order of are not called repaired in the order they are decoded in', async () => {
  const damaged = renamed(0, 0, 0, 0)
  // a run that lost its count as well
  damaged[tableOf(healthy).offset + 18] ^= 0x41
  const { report } = await repaired(damaged)
  expect(report.verdict).toBe('partial')
  expect(report.tracks.find(({ kind }) => kind === 'video')?.times).toBe('estimated')
})
