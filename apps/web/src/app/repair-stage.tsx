import { Suspense, useEffect, useState } from 'react'
import { Hero } from '../features/repair/hero/hero.tsx'
import { UploadBox } from '../features/repair/hero/upload-box.tsx'
import { lazyPart } from '../shared/lib/deferred.tsx'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { useSignedIn } from '../shared/storage/use-signed-in.ts'
import type { RepairEntry } from './repair-entry.ts'

const RepairApp = lazyPart('repair', async () => (await import('./repair-app.tsx')).RepairApp)

const askToSignIn = () => {
  openOverlay({ kind: 'sign-in', product: 'video' })
  return false
}
const nothing = () => undefined

/**
 * The main repair page. The hero with the way in is there from the start; the repair itself arrives for users only,
 * takes over the way in, and steps into the hero's place when a file is under way.
 */
export function RepairStage() {
  const signedIn = useSignedIn('video')
  const [entry, setEntry] = useState<RepairEntry>()
  // What is chosen before the repair has arrived is handed to it when it does.
  const [early, setEarly] = useState<readonly File[]>()
  useEffect(() => {
    if (!entry || !early) return
    setEarly(undefined)
    entry.onFiles(early)
  }, [entry, early])
  const upload = signedIn ? (
    <UploadBox
      extensions={entry?.extensions}
      busy={early !== undefined || entry?.checking}
      onFiles={entry?.onFiles ?? setEarly}
    />
  ) : (
    <UploadBox onFiles={nothing} onBeforeChoose={askToSignIn} />
  )
  return (
    <>
      {entry?.working && signedIn ? null : <Hero upload={upload} />}
      {signedIn ? (
        <Suspense fallback={null}>
          <RepairApp onEntry={setEntry} />
        </Suspense>
      ) : null}
    </>
  )
}
