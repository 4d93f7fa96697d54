import { Suspense } from 'react'
import { RepairStage } from '../app/repair-stage.tsx'
import { PAGE } from '../features/landing/page.ts'
import '../features/landing/landing.css'
import '../shared/ui/offers.css'
import { deferredPart } from '../shared/lib/deferred.tsx'
import { pageMeta } from '../shared/lib/page-meta.ts'

export const meta = () => pageMeta(PAGE)

const Landing = deferredPart('landing', async () => (await import('../features/landing/landing.tsx')).Landing)

export default function HomePage() {
  return (
    <>
      <RepairStage />
      <div className="landing-sections">
        <Suspense fallback={null}>
          <Landing />
        </Suspense>
      </div>
    </>
  )
}
