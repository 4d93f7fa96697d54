import { expect, it } from 'vitest'
import { Allowance } from '../../../src/model/allowance.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY } from '../../../src/model/sample-table.ts'
import { likeliestLoss } from '../../../src/recovery/losses/hole-loss.ts'
import { Interplay } from '../../../src/recovery/losses/interplay.ts'
import { Turns } from '../../../src/recovery/losses/turns.ts'
import { keysAt, lane } from '../lanes.ts'

/**
 * Whether it is uncertain how much sound a hole took in which no picture is missing: its units last `each` seconds, and their
 * sizes leave open by one or two how many it held.
 */
function isUncertain(each: number): boolean {
  const pictures = lane(0, 'video', 25)
  const sound = lane(1, 'audio', Math.round(1 / each))
  for (let i = 0; i < 20; i++)
    pictures.table.push(
      i * 1000,
      1000,
      1,
      1,
      i * 2,
      i === 0 ? SAMPLE_KEY : SAMPLE_AFTER_HOLE * Number(i === 10),
    )
  let offset = 100_000
  const hole = { offset: 0, length: 450, rows: [10, 20] }
  for (let i = 0; i < 40; i++) {
    if (i === 20) {
      hole.offset = offset
      offset += hole.length
    }
    const size = 60 + ((i * 7) % 11) * 30
    sound.table.push(offset, size, 1, 1, i, i === 20 ? SAMPLE_AFTER_HOLE : 0)
    offset += size
  }
  const loss = likeliestLoss(
    {
      hole,
      pictures: { lane: pictures, unitSeconds: 1 / 25, row: 10, clock: 10 / 25 },
      sound: { lane: sound, unitSeconds: each, row: 20, clock: 10 / 25 },
      others: [],
      turns: new Turns(),
      interplay: new Interplay(),
      steady: true,
      onGrid: false,
      pictureSeconds: 1 / 25,
      keys: keysAt(pictures.table, 10),
      soundChunk: undefined,
      spread: 0.5,
      numbers: 'answered',
    },
    new Allowance(1e6),
  )
  return loss.soundUncertain
}

it('how much sound was lost is uncertain where another count is likelier than not, though none would be noticed', () => {
  expect(isUncertain(0.024)).toBe(true)
  // so short that neighbours of the likeliest count put sound in the same place
  expect(isUncertain(0.005)).toBe(false)
})
