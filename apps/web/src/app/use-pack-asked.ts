import type { Product } from '@mendframe/contract'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { openOverlay } from '../shared/overlay/overlay.ts'

/** Somebody chose a pack as a guest and has signed in since: the page's address (`?pack=`) says which, once. */
export function usePackAsked(product: Product): void {
  const [params, setParams] = useSearchParams()
  const pack = params.get('pack')
  useEffect(() => {
    if (!pack) return
    setParams(
      (all) => {
        all.delete('pack')
        return all
      },
      { replace: true },
    )
    openOverlay({ kind: 'pricing', product, variant: 'upgrade', pack })
  }, [pack, product, setParams])
}
