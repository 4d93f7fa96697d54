import { useSearchParams } from 'react-router'
import { signInErrorInWords } from '../features/auth/sign-in-errors.ts'
import { brand } from '../shared/brand/brand.ts'
import { flavourOf } from '../shared/lib/flavour-of.ts'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { Button, ButtonLink } from '../shared/ui/button.tsx'

export function meta() {
  return [{ title: `Sign-in failed · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

/** Says that a sign-in failed, why, and what to do now. */
export default function ErrorRoute() {
  const [query] = useSearchParams()
  const product = flavourOf(query)
  return (
    <section className="page py-16 lg:py-24">
      <h1 className="text-title">The sign-in did not work</h1>
      <p className="mt-4 max-w-[60ch] text-lead">{signInErrorInWords(query.get('reason'))}</p>
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        Nothing was changed in your account. Please try once more, or sign in with your email.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button onClick={() => openOverlay({ kind: 'sign-in', product })}>Sign in again</Button>
        <ButtonLink look="secondary" to={product === 'video' ? '/' : '/photo/'}>
          Go to the start page
        </ButtonLink>
      </div>
    </section>
  )
}
