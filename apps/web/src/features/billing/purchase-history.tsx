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
      <table className="figures w-full text-left max-sm:text-small sm:min-w-[36rem]">
        <thead className="text-small">
          <tr className="border-b border-mist">
            {['Description', 'Billed To', 'Recharge On', 'Count'].map((column) => (
              <th
                key={column}
                scope="col"
                className="px-1.5 py-3.5 font-semibold first:pl-4 last:pr-4 last:text-right sm:px-5"
              >
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
            <tr key={purchase.id} className="border-b border-mist align-top last:border-0">
              <td className="py-4 pr-2 pl-4 [overflow-wrap:anywhere] sm:px-5">
                {DESCRIPTIONS[purchase.product]}, {purchase.subscription}
                <span className="block text-tiny text-ink-soft">Invoice {purchase.invoiceId}</span>
                {purchase.state === 'Active' ? null : (
                  <span className="block text-tiny font-semibold text-ink-soft">{purchase.state}</span>
                )}
              </td>
              <td className="min-w-19 px-1.5 py-4 [overflow-wrap:anywhere] sm:px-5">
                {purchase.name || purchase.email}
                {purchase.name ? (
                  <span className="block text-tiny text-ink-soft">{purchase.email}</span>
                ) : null}
              </td>
              <td className="px-1.5 py-4 sm:px-5 sm:whitespace-nowrap">{purchase.createdOn}</td>
              <td className="py-4 pr-4 pl-2 text-right sm:px-5">{purchase.count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
