import type { Share } from './measure.ts'
import type { Trial } from './trial.ts'

/** Share of pictures, sound and their times under which a result may not be called repaired, and from which on it should be. */
const KEPT = 0.97
const DESERVED = 0.99
/** Seconds by which sound may be late or early and few notice (ITU-R BT.1359-1 Annex 1). */
const OUT_OF_STEP = 0.125
/** Tracks of fewer samples have no hundredths: one sample decides. */
const FEW = 6
/** A share falls where one sample in so many does. */
const NOTICED = 0.004

/** The lowest share of a track that tells anything. */
export function lowest(shares: readonly Share[]): number {
  return Math.min(
    1,
    ...shares.filter(({ whole }) => whole >= FEW).flatMap(({ exact, timely }) => [exact, timely]),
  )
}

/** Seconds by which the tracks are out of step with each other, beside the original. */
export function outOfStep(shares: readonly Share[]): number {
  const offsets = shares.filter(({ exact }) => exact > 0).map(({ offset }) => offset)
  return offsets.length > 1 ? Math.max(...offsets) - Math.min(...offsets) : 0
}

const promises = ({ verdict }: Trial): boolean => verdict === 'repaired' || verdict === 'healthy'

/** All is said to be there, and is not. */
export function isFalse(trial: Trial): boolean {
  return promises(trial) && (lowest(trial.after) < KEPT || outOfStep(trial.after) > OUT_OF_STEP)
}

/** Something of the damaged copy is not in the result. */
export function isWorse({ before, after, verdict }: Trial): boolean {
  if (verdict === 'failed') return true
  return before.some(
    ({ exact, timely }, track) =>
      exact - (after[track]?.exact ?? 0) > NOTICED || timely - (after[track]?.timely ?? 0) > NOTICED,
  )
}

/** Nothing was wrong, and something was found. */
export function isChanged({ damage, verdict }: Trial): boolean {
  return damage === 'healthy' && verdict !== 'healthy'
}

/** Worth a line: it promises more than it holds, is worse than it came, or holds less than it might. */
export function isTelling(trial: Trial): boolean {
  return isFalse(trial) || isWorse(trial) || isChanged(trial) || lowest(trial.after) < KEPT
}

const percent = (share: number): string => (Math.floor(share * 1000) / 10).toFixed(1)

/** A trial in a line: exact and timely samples of each track in per cent, in the result and in the damaged copy. */
export function line(trial: Trial): string {
  const { file, damage, seed, verdict, words, before, after, seconds } = trial
  const marks = [isFalse(trial) && 'FALSE', isWorse(trial) && 'WORSE', isChanged(trial) && 'CHANGED']
  const told = (shares: readonly Share[]): string =>
    shares
      .map(({ codec, whole, exact, timely }) => `${codec} ${whole}: ${percent(exact)}/${percent(timely)}`)
      .join(' ')
  const step = outOfStep(after)
  return [
    ...marks.filter(Boolean),
    `${file} ${damage} ${seed}`,
    [verdict, ...words].join(' '),
    told(after) || 'nothing',
    before.some(({ exact }) => exact > 0) ? `(came with ${told(before)})` : '',
    step > 0.02 ? `out of step ${step.toFixed(3)} s` : '',
    `${seconds.toFixed(1)} s`,
  ]
    .filter(Boolean)
    .join('  ')
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** All trials in a line. */
export function summary(trials: readonly Trial[]): string {
  const whole = trials.filter(({ after }) => lowest(after) >= DESERVED)
  const shares = (kind: Share['kind']): Share[] =>
    trials.flatMap(({ after }) => after.filter((share) => share.kind === kind))
  const of = (kind: Share['kind'], part: 'exact' | 'timely'): string =>
    percent(mean(shares(kind).map((share) => share[part])))
  return [
    `${trials.length} trials`,
    `pictures ${of('video', 'exact')} times ${of('video', 'timely')}`,
    `sound ${of('audio', 'exact')} times ${of('audio', 'timely')}`,
    `from 99% on ${whole.length}, of them called repaired ${whole.filter(promises).length}`,
    `falsely called repaired ${trials.filter(isFalse).length}`,
    `worse than they came ${trials.filter(isWorse).length}`,
    `changed for nothing ${trials.filter(isChanged).length}`,
    `${trials.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0)} processor seconds`,
  ].join('; ')
}

const keyOf = ({ file, damage, seed }: Trial): string => `${file} ${damage} ${seed}`

/** What became of trials of an earlier run otherwise, a line each. */
export function changes(earlier: readonly Trial[], trials: readonly Trial[]): string[] {
  const known = new Map(earlier.map((trial) => [keyOf(trial), trial]))
  return trials.flatMap((trial) => {
    const before = known.get(keyOf(trial))
    if (!before) return []
    const same =
      before.verdict === trial.verdict &&
      isFalse(before) === isFalse(trial) &&
      trial.after.length === before.after.length &&
      trial.after.every(
        ({ exact, timely }, i) =>
          Math.abs(exact - (before.after[i]?.exact ?? 0)) <= NOTICED &&
          Math.abs(timely - (before.after[i]?.timely ?? 0)) <= NOTICED,
      )
    return same ? [] : [`was ${line(before)}`, `is  ${line(trial)}`]
  })
}
