import type { Product } from '@mendframe/contract'

/** A state of each flavour: a plan or a list of the one is never shown as the other's. */
export type ByFlavour<T> = Readonly<Record<Product, T>>

/** The same state to begin with in both. */
export function inEachFlavour<T>(state: T): ByFlavour<T> {
  return { video: state, photo: state }
}

/** All states, one flavour's changed. */
export function changed<T>(states: ByFlavour<T>, product: Product, change: Partial<T>): ByFlavour<T> {
  return { ...states, [product]: { ...states[product], ...change } }
}
