import { describe, expect, it } from 'vitest'
import { Interplay } from '../../../src/recovery/losses/interplay.ts'
import { common, Turns } from '../../../src/recovery/losses/turns.ts'

const PICTURE = 1 / 30
const SOUND = 1024 / 48_000

/** Writes units of both kinds by rising time from the given clocks on, as multiplexers do, the clocks starting at zero. */
function turnsFrom(pictureClock: number, soundClock: number, pictures: number): Turns {
  const turns = new Turns()
  let picture = 0
  let sound = 0
  while (picture < pictures) {
    if (soundClock + sound * SOUND < pictureClock + picture * PICTURE - 1e-9) {
      turns.soundUnit(sound * SOUND, (sound + 1) * SOUND)
      sound++
    } else {
      turns.picture(picture * PICTURE, (picture + 1) * PICTURE)
      picture++
    }
  }
  return turns
}

describe('the interplay of sound and pictures', () => {
  it('agrees with the pictures and the sound that were lost and with no other number of pictures near', () => {
    const interplay = new Interplay()
    interplay.pass(turnsFrom(0, 0, 40), 0, 0)
    const lost = { pictures: 22, sound: 35 }
    const before = { pictures: 40, sound: 63 }
    const behind = turnsFrom(
      (before.pictures + lost.pictures) * PICTURE,
      (before.sound + lost.sound) * SOUND,
      40,
    )
    const meeting = interplay.behind(behind)
    const apart = before.sound * SOUND - before.pictures * PICTURE
    const cost = (pictures: number): number =>
      Math.min(
        ...Array.from({ length: 80 }, (_, units) => meeting.cost(apart + units * SOUND - pictures * PICTURE)),
      )
    const agreeing = Array.from({ length: 46 }, (_, pictures) => pictures).filter((count) => cost(count) < 1)
    // 16 pictures last as long as 25 units of sound
    expect(agreeing).toEqual([6, 22, 38])
  })

  it('of few turns, which may keep a rule by chance, speaks less against other distances than of many', () => {
    const most = (pictures: number): number => {
      const interplay = new Interplay()
      interplay.pass(turnsFrom(0, 0, pictures), 0, 0)
      return interplay.behind(turnsFrom(0, 0, pictures)).cost(1)
    }
    expect(most(3)).toBeLessThan(6)
    expect(most(40)).toBe(24)
  })

  it('tells lost sound by the grid that pictures keep when some are left out', () => {
    const kept = (picture: number): boolean => picture % 4 !== 2
    const turns = new Turns()
    let sound = 0
    for (let picture = 0; picture < 60; picture++) {
      while (sound * SOUND < picture * PICTURE - 1e-9) {
        turns.soundUnit(sound * SOUND, (sound + 1) * SOUND)
        sound++
      }
      if (kept(picture)) turns.picture(picture * PICTURE, (picture + 1) * PICTURE)
    }
    const interplay = new Interplay()
    interplay.pass(turns, 0, 0)
    // the same again once 16 pictures and 25 units of sound have passed: nothing tells that from no loss
    const cost = interplay.grid(turns, PICTURE, 0)
    expect(cost(0)).toBe(0)
    expect(cost(25 * SOUND)).toBeLessThan(0.5)
    expect(cost(10 * SOUND)).toBeGreaterThan(5)
  })

  it('holds the stretch that most ranges share, however far the others are', () => {
    const found = common({ low: [0, 0.2, 0.1, 5], high: [1, 0.9, 0.8, 6] })
    expect(found?.low).toBe(0.2)
    expect(found?.high).toBe(0.8)
    expect(found?.misfit).toBeCloseTo(4.2 / 4)
  })
})
