import { type Purchase, TEXTS } from '@mendframe/contract'
import { Skeleton } from '../../shared/ui/skeleton.tsx'

interface PurchaseHistoryProps {
  readonly purchases: readonly Purchase[]
  readonly loading: boolean
  readonly error: string | undefined
}

const DESCRIPTIONS = { video: 'Video Repair', photo: 'Photo Repair' } as const

/** The purchases as a table. */
export function PurchaseHistory({ purchases, loading, error }: PurchaseHistoryProps) {
  if (loading && purchases.length === 0) return <Skeleton className="h-40" />
  if (error !== undefined) return <p role="alert">{error || 'The purchases could not be fetched.'}</p>
  return (
    <section
      aria-label="Purchases"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-sm border border-mist bg-glaze"
    >
      <table className="figures w-full min-w-[36rem] text-left">
        <thead className="text-small">
          <tr className="border-b border-mist">
            {['Description', 'Billed To', 'Recharge On', 'Count'].map((column) => (
              <th key={column} scope="col" className="px-5 py-3.5 font-semibold last:text-right">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {purchases.length === 0 ? (
            <tr>
              <td colSpan={4} className="px-5 py-12 text-center text-ink-soft">
                {TEXTS.noPurchases}
              </td>
            </tr>
          ) : null}
          {purchases.map((purchase) => (
            <tr key={purchase.id} className="border-b border-mist last:border-0">
              <td className="px-5 py-4">
                {DESCRIPTIONS[purchase.product]}, {purchase.subscription}
                <span className="block text-tiny text-ink-soft">Invoice {purchase.invoiceId}</span>
                {purchase.state === 'Active' ? null : (
                  <span className="block text-tiny font-semibold text-ink-soft">{purchase.state}</span>
                )}
              </td>
              <td className="px-5 py-4">
                {purchase.name || purchase.email}
                {purchase.name ? (
                  <span className="block text-tiny text-ink-soft">{purchase.email}</span>
                ) : null}
              </td>
              <td className="px-5 py-4 whitespace-nowrap">{purchase.createdOn}</td>
              <td className="px-5 py-4 text-right">{purchase.count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
