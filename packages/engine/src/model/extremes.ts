/**
 * The largest of what there may be millions of; -Infinity of none. `Math.max` takes its values as arguments, of which there is
 * only room for some hundred thousand.
 */
export function mostOf<T>(all: Iterable<T>, measure: (each: T) => number): number {
  let most = Number.NEGATIVE_INFINITY
  for (const each of all) most = Math.max(most, measure(each))
  return most
}

/** The smallest, likewise; Infinity of none. */
export function leastOf<T>(all: Iterable<T>, measure: (each: T) => number): number {
  return -mostOf(all, (each) => -measure(each))
}
