import type { Product } from '@mendframe/contract'

/** A text of the specification, which speaks of videos, for the flavour at hand. */
export function textFor(product: Product, text: string): string {
  return product === 'video' ? text : text.replaceAll('video', 'photo').replaceAll('Video', 'Photo')
}
