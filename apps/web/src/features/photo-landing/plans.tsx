import { openOverlay } from '../../shared/overlay/overlay.ts'
import { useSignedIn } from '../../shared/storage/use-signed-in.ts'
import { PlanComparison } from '../../shared/ui/plan-comparison.tsx'
import { PHOTO_APP_PATH } from '../auth/photo-app-path.ts'
import { OFFERS, ROWS, SHOWN_OFFER } from './plans-content.ts'

export function Plans() {
  const signedIn = useSignedIn('photo')
  const upgrade = (pack: string) =>
    openOverlay(
      signedIn
        ? { kind: 'pricing', product: 'photo', variant: 'upgrade', pack }
        : { kind: 'sign-in', product: 'photo', goTo: `${PHOTO_APP_PATH}?pack=${pack}` },
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
          onPremium={upgrade}
        />
      </div>
    </section>
  )
}
