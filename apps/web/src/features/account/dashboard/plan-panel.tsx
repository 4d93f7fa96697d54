import { FREE_KEEP_HOURS, FREE_PHOTO_MB, FREE_VIDEO_MB, freeRepairs, type Product } from '@mendframe/contract'
import { Button, ButtonAnchor } from '../../../shared/ui/button.tsx'
import { UsageBar } from './usage-bar.tsx'

interface PlanPanelProps {
  readonly product: Product
  readonly plan: string
  /** Completed repairs of the plan. */
  readonly used: number
  /** Repairs of all unexpired purchases. */
  readonly total: number
  readonly expiry: string
  readonly onUpgrade: () => void
}

/** What the plan allows, how much of it is used, and until when. */
export function PlanPanel(props: PlanPanelProps) {
  return props.plan === 'Premium' ? <Premium {...props} /> : <Free {...props} />
}

function Free({ product, used, expiry, onUpgrade }: PlanPanelProps) {
  const free = freeRepairs(product)
  return (
    <section aria-label="Plan" className={PANEL}>
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="text-heading">
          {product === 'video'
            ? 'You can repair one video for free'
            : `You can repair ${free} photos for free`}
        </h2>
        <p className="figures mt-1 text-small text-ink-soft">{expiry}</p>
        <p className="mt-1 mb-4 text-small text-ink-soft">
          {product === 'video'
            ? `Up to ${FREE_VIDEO_MB} MB in full, above that as a preview.`
            : `JPEG photos up to ${FREE_PHOTO_MB} MB each.`}{' '}
          Results are kept for {FREE_KEEP_HOURS} hours.
        </p>
        <UsageBar used={Math.min(used, free)} total={free} label="Repairs used" />
      </div>
      <Button onClick={onUpgrade}>Upgrade Plan</Button>
    </section>
  )
}

function Premium({ product, used, total, expiry, onUpgrade }: PlanPanelProps) {
  return (
    <section aria-label="Plan" className={PANEL}>
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="text-heading">You can repair a maximum of {total} files with your plan</h2>
        <p className="figures mt-1 mb-4 text-small text-ink-soft">{expiry}</p>
        <UsageBar used={used} total={total} label="Repairs used" />
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonAnchor href={product === 'video' ? '/' : '/photo/app'}>
          Repair More {product === 'video' ? 'Videos' : 'Photos'}
        </ButtonAnchor>
        <Button look="secondary" onClick={onUpgrade}>
          Add repairs
        </Button>
      </div>
    </section>
  )
}

const PANEL =
  'flex flex-wrap items-end justify-between gap-x-10 gap-y-6 rounded-sm border border-mist bg-glaze p-5 sm:p-7'
