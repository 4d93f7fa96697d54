import { expect, it } from 'vitest'
import { Allowance } from '../../../src/model/allowance.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY } from '../../../src/model/sample-table.ts'
import { type LostUnits, likeliestLoss } from '../../../src/recovery/losses/hole-loss.ts'
import { Interplay } from '../../../src/recovery/losses/interplay.ts'
import { Turns } from '../../../src/recovery/losses/turns.ts'
import { keysAt, lane } from '../lanes.ts'

const SOUND_BYTES = 350

/**
 * What a hole with room for just one unit of sound took, in a file where `each` of pictures and sound take turns, so many at a
 * time: behind so many pictures of the fifth of some turns, none of which is missing.
 */
function lossOf(each: number, behind: number, turns = 10): LostUnits {
  const pictures = lane(0, 'video', 50)
  const sound = lane(1, 'audio', 50)
  const hole = { offset: 0, length: SOUND_BYTES + 20, rows: [0, 0] }
  let offset = 0
  for (let turn = 0; turn < turns; turn++) {
    for (let i = 0; i <= each; i++) {
      if (turn === 4 && i === behind) {
        hole.offset = offset
        hole.rows = [pictures.table.length, sound.table.length]
        offset += hole.length
      }
      if (i === each) break
      const flags = (turn + i === 0 ? SAMPLE_KEY : 0) | (turn === 4 && i === behind ? SAMPLE_AFTER_HOLE : 0)
      const row = pictures.table.length
      const size = 70 + (row % 5)
      pictures.table.push(offset, size, 1, 1, row * 2, flags)
      offset += size
    }
    for (let i = 0; i < each; i++) {
      const size = SOUND_BYTES + ((sound.table.length * 7) % 11) * 4 - 20
      sound.table.push(offset, size, 1, 1, sound.table.length, 0)
      offset += size
    }
  }
  const [row, heard] = hole.rows
  return likeliestLoss(
    {
      hole,
      pictures: { lane: pictures, unitSeconds: 1 / 50, row, clock: row / 50 },
      sound: { lane: sound, unitSeconds: 1 / 50, row: heard, clock: heard / 50 },
      others: [],
      turns: new Turns(),
      interplay: new Interplay(),
      steady: true,
      onGrid: false,
      pictureSeconds: 1 / 50,
      keys: keysAt(pictures.table, row),
      soundChunk: undefined,
      spread: 0.5,
      numbers: 'answered',
    },
    new Allowance(1e6),
  )
}

it('it is in doubt whether a hole between pictures took sound that is far shorter than any turn of it', () => {
  expect(lossOf(16, 8).soundUncertain).toBe(true)
  // too few turns show no habit
  expect(lossOf(16, 8, 5).soundUncertain).toBe(false)
})

it('a hole took what it has room for where sound comes next, or where turns are as short', () => {
  for (const [each, behind] of [
    [16, 16],
    [1, 1],
    [1, 0],
  ])
    expect(lossOf(each, behind)).toMatchObject({ pictures: 0, sound: 1, soundUncertain: false })
})
