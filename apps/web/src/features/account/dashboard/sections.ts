import type { Product } from '@mendframe/contract'

/** A part of the dashboard, named in the address after `#`. */
export interface Section {
  readonly id: 'plan' | 'account' | 'billing'
  readonly hash: string
  readonly label: string
}

const VIDEO: readonly Section[] = [
  { id: 'plan', hash: '#myplan', label: 'My Plan' },
  { id: 'account', hash: '#myAccount', label: 'My Account' },
  { id: 'billing', hash: '#Billing', label: 'Purchase History' },
]

const PHOTO: readonly Section[] = [
  { id: 'plan', hash: '#dashboard', label: 'My Plan' },
  { id: 'account', hash: '#myaccount', label: 'My Account' },
]

/** The sections of a flavour's dashboard; the first one is shown by default. */
export function sectionsOf(product: Product): readonly Section[] {
  return product === 'video' ? VIDEO : PHOTO
}

/** The section that a hash names; the default one for any other hash. */
export function sectionOf(product: Product, hash: string): Section['id'] {
  return sectionsOf(product).find((section) => section.hash === hash)?.id ?? 'plan'
}
