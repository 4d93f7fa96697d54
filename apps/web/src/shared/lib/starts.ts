const KEY = 'starts'
/** Times in a row that a page may begin without getting anywhere. */
const MOST_STARTS = 4

/**
 * Counts one more start of this page, and says whether it may go on. The router loads a page again whose own script is refused,
 * and would do so for ever; after four starts in vain this says no, once, so that a visitor who loads the page again has as many.
 */
export function mayStart(): boolean {
  try {
    const starts = Number(sessionStorage.getItem(KEY) ?? 0) + 1
    if (starts > MOST_STARTS) {
      sessionStorage.removeItem(KEY)
      return false
    }
    sessionStorage.setItem(KEY, String(starts))
  } catch {
    // No storage, no count: the page begins as it did before.
  }
  return true
}

/** A page is there: the next one has all its starts before it. */
export function hasStarted(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was counted.
  }
}
