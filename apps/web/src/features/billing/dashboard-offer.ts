import type { Product } from '@mendframe/contract'
import type { Overlay } from '../../shared/overlay/overlay.ts'

interface Links {
  readonly full: boolean
  readonly downloadUrl: string
  readonly previewdownloadUrl: string
}

/**
 * What the dashboard's pricing dialog is opened with: `limit` once the free repairs are used (`freeOver`), `exceeded` where
 * the newest result is too large for the plan, each with a link to what there is of it; `upgrade` otherwise.
 */
export function dashboardOffer(
  product: Product,
  freeOver: boolean,
  links: Links | undefined,
): Extract<Overlay, { kind: 'pricing' }> {
  if (!freeOver) return { kind: 'pricing', product, variant: 'upgrade' }
  if (!links) return { kind: 'pricing', product, variant: 'limit' }
  return links.full
    ? {
        kind: 'pricing',
        product,
        variant: 'limit',
        downloadUrl: links.downloadUrl,
        downloadLabel: `Download Repaired ${product === 'video' ? 'Video' : 'Photo'}`,
      }
    : {
        kind: 'pricing',
        product,
        variant: 'exceeded',
        downloadUrl: links.previewdownloadUrl,
        downloadLabel: 'Download Preview',
      }
}
