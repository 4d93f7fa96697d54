import { type Product, TEXTS } from '@mendframe/contract'

/** Why a repair that has ended shows no result, and what to do now. */
export function whyGone(product: Product, deleted: boolean): string {
  return deleted
    ? 'You deleted the files of this repair. Nothing of them is left on the service.'
    : `${TEXTS.downloadFailed}. The repaired ${product} is kept: you find it on your dashboard.`
}
