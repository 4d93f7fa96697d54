import type { Product } from '@mendframe/contract'

export type SectionKind = 'plan' | 'account' | 'billing'

/** A section of the dashboard and the hash of its address. */
export interface Section {
  readonly kind: SectionKind
  readonly hash: string
  readonly label: string
}

/** The first section is the one without a hash. */
export const SECTIONS: Readonly<Record<Product, readonly [Section, ...Section[]]>> = {
  video: [
    { kind: 'plan', hash: '#myplan', label: 'My Plan' },
    { kind: 'account', hash: '#myAccount', label: 'My Account' },
    { kind: 'billing', hash: '#Billing', label: 'Purchase History' },
  ],
  photo: [
    { kind: 'plan', hash: '#dashboard', label: 'My Plan' },
    { kind: 'account', hash: '#myaccount', label: 'My Account' },
  ],
}

/** The section that an address's hash names; the first one for any other hash. */
export function sectionOf(product: Product, hash: string): Section {
  const sections = SECTIONS[product]
  return sections.find((section) => section.hash.toLowerCase() === hash.toLowerCase()) ?? sections[0]
}
