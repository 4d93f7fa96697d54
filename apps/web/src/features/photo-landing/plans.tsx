import { openOverlay } from '../../shared/overlay/overlay.ts'
import { useSignedIn } from '../../shared/storage/use-signed-in.ts'
import { Button, ButtonAnchor } from '../../shared/ui/button.tsx'
import { PlanComparison } from '../../shared/ui/plan-comparison.tsx'
import { OFFERS, ROWS, SHOWN_OFFER } from './plans-content.ts'

export function Plans() {
  const signedIn = useSignedIn('photo')
  const upgrade = () =>
    openOverlay(
      signedIn
        ? { kind: 'pricing', product: 'photo', variant: 'upgrade' }
        : { kind: 'sign-in', product: 'photo' },
    )
  return (
    <section aria-labelledby="photo-plans-title" className="border-y border-mist bg-biscuit">
      <div className="page py-20 lg:py-28">
        <h2 id="photo-plans-title" className="text-title">
          Free and Premium
        </h2>
        <p className="mt-3 mb-8 max-w-[38rem] text-ink-soft">
          Both use the same repair. Choose how many photos a month Premium should cover.
        </p>
        <PlanComparison
          choice="Photos a month"
          offers={OFFERS}
          selected={SHOWN_OFFER}
          rows={ROWS}
          freeAction={
            <ButtonAnchor
              look="secondary"
              href="#top"
              className="max-sm:w-full max-sm:px-1 max-sm:text-small max-sm:whitespace-nowrap"
            >
              Start free
            </ButtonAnchor>
          }
          premiumAction={
            <Button
              onClick={upgrade}
              className="max-sm:w-full max-sm:px-1 max-sm:text-small max-sm:whitespace-nowrap"
            >
              Get Premium
            </Button>
          }
        />
      </div>
    </section>
  )
}
