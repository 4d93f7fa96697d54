/** What one visit of a page measured. */
export interface Visit {
  /** Bytes of script, gzip, before the visitor did anything. */
  readonly scriptBytes: number
  /** Bytes of everything, text with gzip, before the visitor did anything. */
  readonly totalBytes: number
  /** Milliseconds from the start of the navigation to the largest contentful paint, and what that was. */
  readonly largestPaint: number
  readonly largestElement: string
  /** Layout shift of the whole visit, scrolling to the end included. */
  readonly layoutShift: number
  /** Longest stretch in milliseconds in which the page could not answer. */
  readonly longestTask: number
}

type Figure = 'scriptBytes' | 'largestPaint' | 'layoutShift'

export interface Budget {
  readonly figure: Figure
  readonly name: string
  readonly most: number
  show(value: number): string
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** What the landing pages may cost. */
export const BUDGETS: readonly Budget[] = [
  { figure: 'scriptBytes', name: 'script before a touch', most: 120_000, show: kilobytes },
  { figure: 'largestPaint', name: 'largest paint', most: 1500, show: (value) => `${Math.round(value)} ms` },
  { figure: 'layoutShift', name: 'layout shift', most: 0.02, show: (value) => value.toFixed(4) },
]

/** The middle value; the lower one of two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

export interface Verdict {
  readonly budget: Budget
  readonly value: number
  readonly kept: boolean
}

/** Holds the medians of several visits against the budgets. A figure that is missing keeps none. */
export function judge(visits: readonly Visit[]): readonly Verdict[] {
  return BUDGETS.map((budget) => {
    const value = median(visits.map((visit) => visit[budget.figure]))
    return { budget, value, kept: value <= budget.most }
  })
}
