import type { Loss } from './loss.ts'

/** Losses by the row they lie before; several before one row are added. */
export function lossesByRow(lost: readonly Loss[]): Map<number, Pick<Loss, 'seconds' | 'behindKey'>> {
  const byRow = new Map<number, Pick<Loss, 'seconds' | 'behindKey'>>()
  for (const { row, seconds, behindKey } of lost) {
    const known = byRow.get(row)
    const own = behindKey ?? known?.behindKey
    byRow.set(row, {
      seconds: seconds + (known?.seconds ?? 0),
      ...(own === undefined ? {} : { behindKey: own }),
    })
  }
  return byRow
}
