import { openOverlay } from '../../shared/overlay/overlay.ts'
import { useSignedIn } from '../../shared/storage/use-signed-in.ts'
import { PlanComparison } from '../../shared/ui/plan-comparison.tsx'
import { OFFERS, ROWS } from './plans-content.ts'

/** Free against Premium, by month or by year. */
export function Plans() {
  const signedIn = useSignedIn('video')
  const upgrade = (pack: string) =>
    openOverlay(
      signedIn
        ? { kind: 'pricing', product: 'video', variant: 'upgrade', pack }
        : { kind: 'sign-in', product: 'video', goTo: `/?pack=${pack}` },
    )
  return (
    <section aria-labelledby="plans-title" className="border-y border-mist bg-biscuit">
      <div className="page py-20 lg:py-28">
        <h2 id="plans-title" className="text-title">
          Free and Premium
        </h2>
        <p className="mt-3 mb-8 max-w-[38rem] text-ink-soft">
          Both use the same repair. Premium is for large files and for more than one of them.
        </p>
        <PlanComparison choice="Billing period" offers={OFFERS} rows={ROWS} onPremium={upgrade} />
      </div>
    </section>
  )
}
