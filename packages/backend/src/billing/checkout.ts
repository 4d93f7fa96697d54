import { DEMO_STORE_PATH, PACKS, type Pack, type Product } from '@mendframe/contract'
import type { Session } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'

/** The packs of a product with their checkout addresses; the buyer's reference binds the purchase to the account. */
export function checkoutLinks(
  context: Context,
  session: Session,
  product: Product,
): readonly (Pack & { url?: string })[] {
  return PACKS.filter((pack) => pack.product === product).map((pack) => {
    const url = checkoutUrl(context, session, pack)
    return url === undefined ? pack : { ...pack, url }
  })
}

function checkoutUrl(context: Context, session: Session, pack: Pack): string | undefined {
  const { kind, links } = context.config.store
  if (kind === 'demo') {
    return `${DEMO_STORE_PATH}?${new URLSearchParams({ pack: pack.id, reference: session.user.id })}`
  }
  const link = kind === 'live' ? links[pack.id] : undefined
  if (link === undefined) return undefined
  const url = new URL(link)
  url.searchParams.set('client_reference_id', session.user.id)
  url.searchParams.set('prefilled_email', session.user.email)
  return url.href
}
