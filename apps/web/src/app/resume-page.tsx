import type { UploadedFile } from '@mendframe/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { browserFlowApi } from '../features/repair/flow/browser-flow-api.ts'
import { type ResumeOutcome, resumeOutcome } from '../features/repair/flow/resume.ts'
import { closeOverlay, openOverlay } from '../shared/overlay/overlay.ts'
import { readUser } from '../shared/storage/session.ts'
import { useSignedIn } from '../shared/storage/use-signed-in.ts'
import { Button } from '../shared/ui/button.tsx'
import { FullSpinner } from '../shared/ui/full-spinner.tsx'
import { RepairApp } from './repair-app.tsx'
import type { RepairEntry } from './repair-entry.ts'

const askToSignIn = () => openOverlay({ kind: 'sign-in', product: 'video', page: 'same' })

/** The repair page with an upload of an earlier visit. */
export function ResumePage() {
  const [params] = useSearchParams()
  const id = params.get('u') ?? ''
  const signedIn = useSignedIn('video')
  const navigate = useNavigate()
  const [record, setRecord] = useState<UploadedFile>()

  const started = useRef(false)
  // Starting over is done at the start page.
  const follow = useCallback(
    ({ working }: RepairEntry) => {
      if (working) started.current = true
      else if (started.current) navigate('/', { replace: true })
    },
    [navigate],
  )

  useEffect(() => {
    if (!signedIn) {
      askToSignIn()
      return
    }
    let over = false
    const act = (outcome: ResumeOutcome) => {
      if (over) return
      if (outcome.kind === 'resume') setRecord(outcome.record)
      else if (outcome.kind === 'sign-in') askToSignIn()
      else navigate('/', { replace: true })
    }
    void resumeOutcome(id, readUser('video')?.email ?? '', browserFlowApi('video')).then(act)
    return () => {
      over = true
      closeOverlay()
    }
  }, [id, signedIn, navigate])

  if (record) return <RepairApp resume={record} onEntry={follow} />
  if (signedIn) return <FullSpinner label="Looking for your upload" />
  return (
    <section className="page py-20">
      <h1 className="text-title">Your upload is waiting</h1>
      <p className="mt-3 max-w-[60ch] text-ink-soft">
        Log in with the account you uploaded it with, and go on where you stopped.
      </p>
      <Button className="mt-6" onClick={askToSignIn}>
        Log in and go on
      </Button>
    </section>
  )
}
