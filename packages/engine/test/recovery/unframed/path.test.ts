import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestPaths, type Path, stepsTo, throughAncestor } from '../../../src/recovery/unframed/path.ts'

const path = (score: number, lane: number, before?: Path): Path => {
  const start = before?.end ?? 0
  return { before, lane, start, end: start + 10, score, apart: 0, last: lane, soundBytes: 0, walk: 0 }
}

it('of readings the best of each kind is kept, the best first, eight at the most, none that is far behind', () => {
  const drawn = fc.array(fc.tuple(fc.nat(60), fc.nat(12)), { minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(drawn, fc.nat(50), (all, least) => {
      const paths = all.map(([score, lane]) => path(score, lane))
      const best = new Map<number, number>()
      for (const { score, lane } of paths)
        if (score >= least) best.set(lane, Math.max(score, best.get(lane) ?? 0))
      const kept = bestPaths(paths, least, ({ lane }) => lane)
      expect(kept.map(({ score }) => score)).toEqual([...best.values()].sort((a, b) => b - a).slice(0, 8))
      expect(new Set(kept.map(({ lane }) => lane)).size).toBe(kept.length)
      for (const { lane, score } of kept) expect(score).toBe(best.get(lane))
    }),
  )
  expect([bestPaths([path(5, 0)], 5, () => 0).length, bestPaths([path(4, 0)], 5, () => 0)]).toEqual([1, []])
  // of equally good ones that which came first
  const [first, second] = [path(5, 0), path(5, 0)]
  expect(bestPaths([first, second, path(1, 1)], 2, ({ lane }) => lane)[0]).toBe(first)
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
