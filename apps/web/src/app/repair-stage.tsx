import { Suspense } from 'react'
import { Hero } from '../features/repair/hero/hero.tsx'
import { UploadBox } from '../features/repair/hero/upload-box.tsx'
import { lazyPart } from '../shared/lib/deferred.tsx'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { useSignedIn } from '../shared/storage/use-signed-in.ts'

const RepairApp = lazyPart('repair', async () => (await import('./repair-app.tsx')).RepairApp)

const askToSignIn = () => {
  openOverlay({ kind: 'sign-in', product: 'video' })
  return false
}
const nothing = () => undefined

/** The main repair page: for guests only the way in, for users the whole repair. */
export function RepairStage() {
  const signedIn = useSignedIn('video')
  if (!signedIn) return <Hero upload={<UploadBox onFiles={nothing} onBeforeChoose={askToSignIn} />} />
  return (
    <Suspense fallback={<Hero upload={<UploadBox busy onFiles={nothing} />} />}>
      <RepairApp />
    </Suspense>
  )
}
