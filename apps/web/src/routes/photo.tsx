import { Suspense } from 'react'
import '../shared/ui/compare-slider.css'
import '../shared/ui/offers.css'
import { Hero } from '../features/photo-landing/hero.tsx'
import { PAGE } from '../features/photo-landing/page.ts'
import { deferredPart } from '../shared/lib/deferred.tsx'
import { pageMeta } from '../shared/lib/page-meta.ts'

export const meta = () => pageMeta(PAGE)

const PhotoLanding = deferredPart(
  'photo-landing',
  async () => (await import('../features/photo-landing/photo-landing.tsx')).PhotoLanding,
)

/** The photo flavour's landing page. */
export default function PhotoPage() {
  return (
    <>
      <Hero />
      <Suspense fallback={null}>
        <PhotoLanding />
      </Suspense>
    </>
  )
}
