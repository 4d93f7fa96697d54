import type { Fault } from './faults.ts'
import { partOfSuites, SUITES } from './nearest-tests.ts'
import type { Sandbox } from './sandbox.ts'

export interface JudgeOptions {
  /** For all tests of the fault together. */
  readonly seconds: number
  /** Test files whose outcome without a fault is known: whether they pass. Grows. */
  readonly known: Map<string, boolean>
}

/** Test files at the door, then what lies farther: most faults are noticed by the first few, and those run alone in seconds. */
const ROUNDS = [3, 8, Number.POSITIVE_INFINITY]

/** Test files, and which of their tests by name; all where it is left out. */
interface Round {
  readonly tests: readonly string[]
  readonly only?: string
}

/**
 * What became of a fault: which test noticed it (`never ends` where none came to an end), or whether all tests had their say;
 * `untested` where not one of them passes without a fault.
 */
export type Judgement = { readonly by: string } | 'survived' | 'out of time' | 'untested'

/** Holds the tests against a fault, the nearest ones first. Only where all of them ran and passed the fault survived. */
export async function judge(
  sandbox: Sandbox,
  fault: Fault,
  text: string,
  tests: readonly string[],
  { seconds, known }: JudgeOptions,
): Promise<Judgement> {
  const faulty = text.slice(0, fault.start) + fault.replacement + text.slice(fault.end)
  const until = performance.now() + seconds * 1000
  for (const round of roundsOf(fault.path, tests, known)) {
    const left = (until - performance.now()) / 1000
    if (left <= 1) return 'out of time'
    sandbox.plant(fault.path, faulty)
    const { failed, endless } = await sandbox.run(round.tests, left, round.only)
    sandbox.restore(fault.path)
    if (endless) return (await ends(sandbox, round, left)) ? { by: 'never ends' } : 'out of time'
    for (const test of failed) {
      if (
        await passes(sandbox, { tests: [test], ...(round.only ? { only: round.only } : {}) }, known, seconds)
      )
        return { by: test }
    }
  }
  const silent = tests.length > 0 && tests.every((test) => known.get(test) === false)
  return silent ? 'untested' : 'survived'
}

/**
 * Rounds of the tests that are worth a run: of suites that hold every format to the same, the part about the fault's own comes
 * early.
 */
function roundsOf(path: string, tests: readonly string[], known: ReadonlyMap<string, boolean>): Round[] {
  const only = partOfSuites(path)
  const isSuite = (test: string): boolean => only !== undefined && SUITES.test(test)
  const usable = tests.filter((test) => known.get(test) !== false)
  const single = usable.filter((test) => !isSuite(test))
  const rounds: Round[] = ROUNDS.map((count) => ({ tests: single.splice(0, count) }))
  if (only !== undefined) rounds.splice(1, 0, { tests: usable.filter(isSuite), only })
  return rounds.filter((round) => round.tests.length > 0)
}

/** A test that fails without any fault notices nothing. */
async function passes(
  sandbox: Sandbox,
  { tests: [test = ''], only }: Round,
  known: Map<string, boolean>,
  seconds: number,
): Promise<boolean> {
  const key = only === undefined ? test : `${test} ${only}`
  const before = known.get(key)
  if (before !== undefined) return before
  const { failed, endless } = await sandbox.run([test], seconds, only)
  const green = failed.length === 0 && !endless
  const why = endless ? 'does not end in time' : 'fails'
  if (!green) console.log(`          ${test} ${why} without a fault: left out`)
  known.set(key, green)
  return green
}

async function ends(sandbox: Sandbox, { tests, only }: Round, seconds: number): Promise<boolean> {
  return !(await sandbox.run(tests, seconds, only)).endless
}
