/** What can be asked for, and what a repair chooses by itself. */
export const CHOICES = ['keep', 'drop', 'auto'] as const

export interface DamagedFramesResult {
  readonly number: number
  readonly codec: string
  readonly damage: string
  /** By choice: the share of the original's pictures that are there and right, 0 to 1. */
  readonly shares: readonly number[]
}

/** Shares below the better of the two by less than this are no worse: one picture in a thousand. */
const ALIKE = 0.001

const WIDTHS = [4, 6, 14, 7, 7, 7]

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join('  ')
}

export const HEADER = row(['case', 'codec', 'damage', ...CHOICES])

export function lineOf({ number, codec, damage, shares }: DamagedFramesResult): string {
  const percents = shares.map((share) => (100 * share).toFixed(2))
  const below = shortOf(shares) > ALIKE ? 'below' : ''
  return row([String(number), codec, damage, ...percents, below]).trimEnd()
}

/** How far the third choice is below the better of the first two. */
export function shortOf([keep = 0, drop = 0, auto = 0]: readonly number[]): number {
  return Math.max(0, Math.max(keep, drop) - auto)
}

export function summaryOf(results: readonly DamagedFramesResult[]): string {
  const mean = (of: (shares: readonly number[]) => number): number =>
    results.reduce((sum, { shares }) => sum + of(shares), 0) / Math.max(results.length, 1)
  const fine = results.filter(({ shares }) => shortOf(shares) <= ALIKE).length
  const means = CHOICES.map((choice, at) => `${choice} ${mean((shares) => shares[at] ?? 0).toFixed(4)}`)
  const matters = results.filter(({ shares: [keep = 0, drop = 0] }) => Math.abs(keep - drop) > ALIKE).length
  return `auto is not below the better of keep and drop in ${fine}/${results.length} (the choice matters in ${matters}), ${mean(shortOf).toFixed(4)} below on average; means: ${means.join(', ')}`
}
