import { describe, expect, it } from 'vitest'
import { ShareOrder } from '../../../src/recovery/learning/share-order.ts'
import { RunSplitter } from '../../../src/recovery/telling-apart/run-splitter.ts'
import { interleave, lane, prior } from '../lanes.ts'

/** Two sound tracks of one codec whose runs hold four units of each, and a splitter for them. */
function setUp(places?: readonly number[]) {
  const lanes = [lane(0, 'audio', 1000), lane(1, 'audio', 1000)]
  const share = { ...prior(20, 5000), runUnits: 4 }
  const learned = { ...interleave([share, share]), ...(places ? { places } : {}) }
  const splitter = new RunSplitter(lanes, learned)
  let offset = 0
  const add = (units: number): void => {
    for (let i = 0; i < units; i++) splitter.add(offset++, 1, 20, 0, 0)
  }
  const run = (units: number): void => {
    add(units)
    splitter.flush()
  }
  const hole = (): void => splitter.hole(++offset)
  const taken = (which: number): number[] => [
    ...lanes[which].table.offset.subarray(0, lanes[which].table.length),
  ]
  return { splitter, run, hole, add, taken }
}

describe('units of tracks that look alike', () => {
  it('are dealt in the order that the tracks always have in the sample', () => {
    const { run, taken } = setUp([1, 0])
    run(8)
    run(8)
    expect(taken(1)).toEqual([0, 1, 2, 3, 8, 9, 10, 11])
    expect(taken(0)).toEqual([4, 5, 6, 7, 12, 13, 14, 15])
    const plain = setUp()
    plain.run(8)
    expect(plain.taken(0)).toEqual([0, 1, 2, 3])
  })

  it('are guessed where a run does not part evenly', () => {
    const { splitter, run } = setUp()
    run(8)
    expect(splitter.guessed).toBe(false)
    run(9)
    expect(splitter.guessed).toBe(true)
  })
})

describe('a run of shares beside a hole', () => {
  it('is dealt from the side that is there', () => {
    const { splitter, run, hole, add, taken } = setUp([0, 1])
    add(6)
    hole()
    run(6)
    expect(taken(0)).toEqual([0, 1, 2, 3, 7, 8])
    expect(taken(1)).toEqual([4, 5, 9, 10, 11, 12])
    expect(splitter.guessed).toBe(false)
  })

  it('is guessed where both sides are gone, or where it holds more than one round', () => {
    const both = setUp([0, 1])
    both.hole()
    both.add(4)
    both.hole()
    expect(both.splitter.guessed).toBe(true)
    const rounds = setUp([0, 1])
    rounds.hole()
    rounds.run(16)
    expect(rounds.splitter.guessed).toBe(true)
  })

  it('is whole where units of another track lie between it and the hole', () => {
    const { splitter, run, hole, taken } = setUp([0, 1])
    hole()
    splitter.endRun()
    splitter.add(2, 1, 20, 0, 0)
    splitter.add(3, 1, 20, 0, 0)
    run(0)
    expect([taken(0), taken(1)]).toEqual([[2], [3]])
    expect(splitter.guessed).toBe(false)
  })
})

describe('the order of shares', () => {
  it('is that in which lanes of one codec nearly always join', () => {
    const order = new ShareOrder(['h264', 'aac', 'aac', 'aac'])
    for (let i = 0; i < 20; i++) {
      order.follow(0, 3)
      order.follow(3, 1)
      order.follow(1, 2)
      order.follow(3, 2)
    }
    order.follow(2, 3)
    expect(order.places()).toEqual([0, 1, 2, 0])
  })

  it('is none where lanes take turns', () => {
    const order = new ShareOrder(['aac', 'aac'])
    for (let i = 0; i < 20; i++) {
      order.follow(0, 1)
      order.follow(1, 0)
    }
    expect(order.places()).toEqual([0, 0])
  })
})
