import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BestPaths, type Path, stepsTo, throughAncestor } from '../../../src/recovery/unframed/path.ts'

const path = (score: number, lane: number, before?: Path): Path => {
  const start = before?.end ?? 0
  return { before, lane, start, end: start + 10, score, apart: 0, last: lane, soundBytes: 0, walk: 0 }
}

function bestOf(paths: readonly Path[]): Path[] {
  const best = new BestPaths()
  for (const path of paths) if (best.wants(path.lane, path.score)) best.add(path.lane, path)
  const taken = best.take()
  // what was taken is the taker's
  best.take().push(path(0, 99))
  expect(best.take()).toEqual([])
  return taken
}

it('of readings the best of each kind is kept, the best first, eight at the most', () => {
  const drawn = fc.array(fc.tuple(fc.nat(60), fc.nat(12)), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(drawn, (all) => {
      const best = new Map<number, number>()
      for (const [score, lane] of all) best.set(lane, Math.max(score, best.get(lane) ?? 0))
      const kept = bestOf(all.map(([score, lane]) => path(score, lane)))
      expect(kept.map(({ score }) => score)).toEqual([...best.values()].sort((a, b) => b - a).slice(0, 8))
      expect(new Set(kept.map(({ lane }) => lane)).size).toBe(kept.length)
      for (const { lane, score } of kept) expect(score).toBe(best.get(lane))
    }),
  )
})

it('of equally good readings that is kept which came first, and stands first', () => {
  const [first, second, other] = [path(5, 0), path(5, 0), path(5, 1)]
  expect(bestOf([first, second, other])).toEqual([first, other])
  expect(bestOf([first, second, other])[0]).toBe(first)
  // a better one of a kind stands where the first of it did
  expect(bestOf([path(4, 0), other, first])).toEqual([first, other])
})

it('readings lead through those that they go on from, and through no other', () => {
  const drawn = fc.array(fc.nat(30), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(drawn, fc.array(fc.nat(29), { minLength: 1, maxLength: 4 }), (parents, places) => {
      const all: Path[] = [path(0, 0)]
      for (const parent of parents) all.push(path(0, all.length, all[parent % all.length]))
      const steps = (of: Path): Path[] => (of.before ? [...steps(of.before), of] : [of])
      for (const [walk, place] of places.entries()) {
        const ancestor = all[place % all.length]
        const leads = throughAncestor(ancestor, walk + 1)
        for (const each of all) {
          expect(leads(each)).toBe(steps(each).includes(ancestor))
          expect(stepsTo(each, undefined)).toEqual(steps(each))
          if (leads(each))
            expect(stepsTo(each, ancestor)).toEqual(steps(each).slice(steps(each).indexOf(ancestor) + 1))
        }
      }
    }),
  )
})
