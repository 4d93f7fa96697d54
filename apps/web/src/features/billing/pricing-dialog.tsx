import { formatPrice, type Pack, type Product } from '@mendframe/contract'
import { ArrowUpRight } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useDispatch } from 'react-redux'
import { baseApi } from '../../shared/api/base-api.ts'
import { addressOfMainHost } from '../../shared/config/hosts.ts'
import { LARGEST_PHOTO, LARGEST_VIDEO } from '../../shared/lib/plan-text.ts'
import { notify } from '../../shared/notify/notify.ts'
import { Button, ButtonAnchor } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useCheckoutLinksQuery } from './billing-api.ts'
import { type PricingVariant, pricingWords } from './pricing-words.ts'

interface PricingDialogProps {
  readonly product: Product
  readonly variant: PricingVariant
  /** Id of the pack that was chosen already. A photo's is then not asked for again. */
  readonly pack?: string | undefined
  /** The visitor's plan as it is now. */
  readonly plan: string
  /** The file at hand, where there is one. */
  readonly downloadUrl?: string | undefined
  readonly downloadLabel?: string | undefined
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

type PackOnSale = Pack & { readonly url?: string | undefined }

/** Where more repairs are bought. */
export function PricingDialog(props: PricingDialogProps) {
  const { product, variant, plan, downloadUrl } = props
  const { data, isLoading, isError, refetch } = useCheckoutLinksQuery({ product })
  const [chosen, setChosen] = useState(props.pack)
  const [leftForStore, setLeftForStore] = useState(false)
  const packs: readonly PackOnSale[] = data?.packs ?? []
  const pack =
    packs.find(({ id }) => id === chosen) ?? packs.find(({ preselected }) => preselected) ?? packs[0]
  const words = pricingWords(product, plan, variant)
  useReturnFromStore(leftForStore, plan, props.onClose)

  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      onClosed={props.onClosed}
      title={words.title}
      description={words.text}
    >
      {downloadUrl ? (
        <p className="mt-3">
          <a
            className="inline-link inline-flex min-h-6 items-center font-semibold"
            href={downloadUrl}
            download
          >
            {props.downloadLabel ?? 'Download Preview'}
          </a>
        </p>
      ) : null}
      <div className="mt-6 border-t border-mist pt-6">
        {isLoading ? <Skeleton className="h-32" /> : null}
        {isError ? (
          <div>
            <p>The price list could not be fetched.</p>
            <Button look="secondary" size="small" className="mt-3" onClick={() => refetch()}>
              Try again
            </Button>
          </div>
        ) : null}
        {pack ? (
          <>
            {product === 'photo' && pack.id === props.pack ? null : (
              <PackSelect packs={packs} value={pack.id} onChange={setChosen} />
            )}
            <PackPrice pack={pack} />
            {pack.url ? (
              <ButtonAnchor
                className="mt-5 w-full"
                href={addressOfMainHost(pack.url)}
                target="_blank"
                rel="noopener"
                onClick={() => setLeftForStore(true)}
              >
                Upgrade Now
                <ArrowUpRight aria-hidden size={20} />
                <span className="sr-only">(opens the store in a new tab)</span>
              </ButtonAnchor>
            ) : (
              <p className="mt-5 rounded-sm bg-biscuit p-4 text-small">
                No store is set up here. Ask the operator of this service for a plan.
              </p>
            )}
          </>
        ) : null}
      </div>
    </Dialog>
  )
}

function PackSelect({
  packs,
  value,
  onChange,
}: {
  readonly packs: readonly PackOnSale[]
  readonly value: string
  readonly onChange: (id: string) => void
}) {
  const id = useId()
  return (
    <div className="mb-5">
      <label htmlFor={id} className="mb-1.5 block text-small font-semibold">
        Purchase Licence
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="figures h-12 w-full rounded-sm border border-edge bg-glaze px-3 text-body hover:border-ink"
      >
        {packs.map((pack) => (
          <option key={pack.id} value={pack.id}>
            {pack.count} repairs, {formatPrice(pack.price)} a{' '}
            {pack.subscription === 'Yearly' ? 'year' : 'month'}
          </option>
        ))}
      </select>
    </div>
  )
}

function PackPrice({ pack }: { readonly pack: PackOnSale }) {
  const yearly = pack.subscription === 'Yearly'
  return (
    <div className="figures flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
      <p>
        <span className="font-display text-title leading-none font-[620]">{formatPrice(pack.price)}</span>
        <span className="text-ink-soft">{yearly ? '/yr' : '/mo'}</span>
        {pack.regularPrice ? (
          <span className="ml-3 text-ink-soft">
            <span className="sr-only">instead of </span>
            <s>{formatPrice(pack.regularPrice)}</s>
          </span>
        ) : null}
        {pack.label ? (
          <span className="ml-3 rounded-sm bg-seam-wash px-2 py-0.5 text-small font-semibold text-seam-ink">
            {pack.label}
          </span>
        ) : null}
      </p>
      <p className="text-small text-ink-soft">
        {pack.count} files {yearly ? 'a year' : 'per month'}, up to{' '}
        {pack.product === 'video' ? LARGEST_VIDEO : LARGEST_PHOTO} each
      </p>
    </div>
  )
}

/** The store is in another tab: when the visitor comes back, the plan is looked at again. */
function useReturnFromStore(left: boolean, plan: string, onClose: () => void): void {
  const dispatch = useDispatch()
  const [planBefore] = useState(plan)
  useEffect(() => {
    if (!left) return
    const look = () => dispatch(baseApi.util.invalidateTags(['user', 'purchases', 'result']))
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [left, dispatch])
  useEffect(() => {
    if (left && plan === 'Premium' && planBefore !== 'Premium') {
      notify('success', 'Your plan is Premium now. Thank you.')
      onClose()
    }
  }, [left, plan, planBefore, onClose])
}
