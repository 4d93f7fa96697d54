import type { Product } from '@mendframe/contract'

/** The flavour that an address of a page for both names: `?product=photo`, else video. */
export function flavourOf(query: URLSearchParams): Product {
  return query.get('product') === 'photo' ? 'photo' : 'video'
}
