import type { SampleTable } from '../model/sample-table.ts'

/** Ways that were tried and what came of each, in turn, as reports tell them. */
export type Strategies = { name: string; outcome: string }[]

/** A plain reason why nothing is made. */
export interface Refusal {
  readonly reason: string
}

/** One honest attempt: what it makes, why it makes nothing, or undefined where it has nothing to go by. */
export type Way<T extends object> = () => Promise<T | Refusal | undefined>

/**
 * Tries ways in the order of their evidence and takes what the first one makes that makes anything: those behind it are not
 * tried. Where none does, the reason of the first that has one, else `otherwise`.
 */
export async function takeFirst<T extends object>(
  ways: readonly Way<T>[],
  otherwise: string,
): Promise<T | Refusal> {
  let refusal: Refusal | undefined
  for (const way of ways) {
    const made = await way()
    if (made && !('reason' in made)) return made
    refusal ??= made
  }
  return refusal ?? { reason: otherwise }
}

/** What a way with better evidence explains of the bytes may be so much less than what another one does. */
const NO_LESS = 0.995

/** Whether an attempt that has the better evidence explains as many bytes as another one, give or take a few units. */
export function explainsAsMuch(bytes: number, others: number): boolean {
  return bytes >= others * NO_LESS
}

/** Bytes in units of all tables. */
export function bytesIn(tables: readonly SampleTable[]): number {
  let bytes = 0
  for (const { size, length } of tables) for (let row = 0; row < length; row++) bytes += size[row]
  return bytes
}
