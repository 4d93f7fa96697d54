import { countBelow } from '../../model/bisect.ts'
import type { SampleTable } from '../../model/sample-table.ts'

/** Turns of sound looked at on each side of a hole, the rows that these may have, and the turns that show a habit. */
const TURNS = 8
const MOST_ROWS = 512
const HABIT = 6

/**
 * Units of the shortest turn of sound near a hole that lies between pictures: sound that it took was a turn of its own. 0 where
 * sound stands on either side of the hole, or too few turns are there.
 * @param row the first picture behind the hole
 * @param heard the first unit of sound behind the hole
 */
export function shortestTurn(pictures: SampleTable, row: number, sound: SampleTable, heard: number): number {
  if (row === 0 || row >= pictures.length || heard === 0 || heard >= sound.length) return 0
  if (sound.offset[heard - 1] > pictures.offset[row - 1] || sound.offset[heard] < pictures.offset[row])
    return 0
  const turns = [...turnsFrom(heard - 1, -1, pictures, sound), ...turnsFrom(heard, 1, pictures, sound)]
  return turns.length < HABIT ? 0 : Math.min(...turns)
}

/** Units of each whole turn of sound from a row on that begins one, or backwards from one that ends one. */
function turnsFrom(first: number, step: 1 | -1, pictures: SampleTable, sound: SampleTable): number[] {
  const before = (at: number): number => countBelow(pictures.offset, sound.offset[at], pictures.length)
  const turns: number[] = []
  let units = 0
  let seen = before(first)
  for (let at = first, rows = 0; at >= 0 && at < sound.length && rows < MOST_ROWS; at += step, rows++) {
    const passed = before(at)
    if (passed !== seen) {
      if (turns.push(units) === TURNS) break
      units = 0
      seen = passed
    }
    units += sound.count[at]
  }
  return turns
}
