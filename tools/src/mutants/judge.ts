import type { Fault } from './faults.ts'
import type { Sandbox } from './sandbox.ts'

export interface JudgeOptions {
  /** For all tests of the fault together. */
  readonly seconds: number
  /** Test files whose outcome without a fault is known: whether they pass. Grows. */
  readonly known: Map<string, boolean>
}

/** Test files at the door, then what lies farther: most faults are noticed by the first few, and those run alone in seconds. */
const ROUNDS = [3, 8, Number.POSITIVE_INFINITY]

/**
 * What became of a fault: which test noticed it (`never ends` where none came to an end), or whether all tests had their say; `untested`
 * where not one of them passes without a fault.
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
  const usable = tests.filter((test) => known.get(test) !== false)
  for (const count of ROUNDS) {
    const round = usable.splice(0, count)
    if (round.length === 0) break
    const left = (until - performance.now()) / 1000
    if (left <= 1) return 'out of time'
    sandbox.plant(fault.path, faulty)
    const { failed, endless } = await sandbox.run(round, left)
    sandbox.restore(fault.path)
    if (endless) return (await ends(sandbox, round, left)) ? { by: 'never ends' } : 'out of time'
    for (const test of failed) if (await passes(sandbox, test, known, seconds)) return { by: test }
  }
  const silent = tests.length > 0 && tests.every((test) => known.get(test) === false)
  return silent ? 'untested' : 'survived'
}

/** A test that fails without any fault notices nothing. */
async function passes(
  sandbox: Sandbox,
  test: string,
  known: Map<string, boolean>,
  seconds: number,
): Promise<boolean> {
  const before = known.get(test)
  if (before !== undefined) return before
  const { failed, endless } = await sandbox.run([test], seconds)
  const green = failed.length === 0 && !endless
  const why = endless ? 'does not end in time' : 'fails'
  if (!green) console.log(`          ${test} ${why} without a fault: left out`)
  known.set(test, green)
  return green
}

async function ends(sandbox: Sandbox, tests: readonly string[], seconds: number): Promise<boolean> {
  return !(await sandbox.run(tests, seconds)).endless
}
