import { expect, it } from 'vitest'
import type { Fault } from '../../src/mutants/faults.ts'
import { judge } from '../../src/mutants/judge.ts'
import type { Sandbox } from '../../src/mutants/sandbox.ts'

const FAULT: Fault = { path: 'a.ts', line: 1, start: 0, end: 1, replacement: 'x', what: '' }

/** A copy whose tests fail when `fails` says so of a test and of whether the fault is planted. */
function sandbox(
  fails: (test: string, planted: boolean) => boolean | 'endless',
  runs: string[][] = [],
): Sandbox {
  let planted = false
  return {
    plant: () => {
      planted = true
    },
    restore: () => {
      planted = false
    },
    run: async (tests) => {
      runs.push([...tests])
      return {
        failed: tests.filter((test) => fails(test, planted) === true),
        endless: tests.some((test) => fails(test, planted) === 'endless'),
      }
    },
    remove: () => {},
  }
}

const options = () => ({ seconds: 60, known: new Map<string, boolean>() })

it('names the test that fails with the fault and passes without', async () => {
  const copy = sandbox((test, planted) => planted && test === 'b')
  expect(await judge(copy, FAULT, 'f', ['a', 'b'], options())).toEqual({ by: 'b' })
})

it('does not count a test that fails anyway', async () => {
  const copy = sandbox((test) => test === 'b')
  expect(await judge(copy, FAULT, 'f', ['a', 'b'], options())).toBe('survived')
})

it('does not say that a fault survived of which no test passes anyway', async () => {
  const copy = sandbox(() => true)
  expect(await judge(copy, FAULT, 'f', ['a', 'b'], options())).toBe('untested')
})

it('looks farther where the nearest tests notice nothing', async () => {
  const runs: string[][] = []
  const copy = sandbox((test, planted) => planted && test === 'd', runs)
  expect(await judge(copy, FAULT, 'f', ['a', 'b', 'c', 'd'], options())).toEqual({ by: 'd' })
  expect(runs[0]).toEqual(['a', 'b', 'c'])
})

it('asks the part of the long suites that is about the fault`s own format, right behind the nearest tests', async () => {
  const suite = 'packages/engine/test/contract.test.ts'
  const runs: [readonly string[], string | undefined][] = []
  const copy: Sandbox = {
    ...sandbox(() => false),
    run: async (tests, _seconds, only) => {
      runs.push([tests, only])
      return { failed: [], endless: false }
    },
  }
  const fault = { ...FAULT, path: 'packages/engine/src/formats/avi/repair.ts' }
  expect(await judge(copy, fault, 'f', ['a', suite, 'b', 'c', 'd'], options())).toBe('survived')
  const part = 'formats together|(format|recordings of) avi '
  expect(runs).toEqual([
    [['a', 'b', 'c'], undefined],
    [[suite], part],
    [['d'], undefined],
  ])
  runs.length = 0
  await judge(copy, FAULT, 'f', [suite], options())
  expect(runs).toEqual([[[suite], undefined]])
})

it('counts a program that never ends with the fault, and does without', async () => {
  expect(
    await judge(
      sandbox((_, planted) => planted && 'endless'),
      FAULT,
      'f',
      ['a'],
      options(),
    ),
  ).toEqual({ by: 'never ends' })
  expect(
    await judge(
      sandbox(() => 'endless'),
      FAULT,
      'f',
      ['a'],
      options(),
    ),
  ).toBe('out of time')
})

it('does not say that a fault survived whose tests had no time left', async () => {
  const slow = sandbox(() => false)
  const copy: Sandbox = {
    ...slow,
    run: async (tests, seconds) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return slow.run(tests, seconds)
    },
  }
  const short = { ...options(), seconds: 1.1 }
  expect(await judge(copy, FAULT, 'f', ['a', 'b', 'c', 'd'], short)).toBe('out of time')
  expect(await judge(copy, FAULT, 'f', ['a', 'b', 'c', 'd'], options())).toBe('survived')
})
