import {
  FREE_PHOTO_EXTENSIONS,
  FREE_PHOTO_MB,
  maxBytes,
  PHOTO_EXTENSIONS,
  wholeMegabytes,
} from '@mendframe/contract'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { announcementOf } from '../features/repair/flow/announcements.ts'
import { browserFlowApi } from '../features/repair/flow/browser-flow-api.ts'
import { isWorking, losesWork } from '../features/repair/flow/flow-state.ts'
import { resumeOutcome } from '../features/repair/flow/resume.ts'
import { PhotoWorkspace } from '../features/repair/photo/photo-workspace.tsx'
import { takeHandedFiles } from '../shared/lib/handed-files.ts'
import { useWakeLock } from '../shared/lib/use-wake-lock.ts'
import { readUser } from '../shared/storage/session.ts'
import { Announcer } from '../shared/ui/announcer.tsx'
import { DropBox } from '../shared/ui/drop-box.tsx'
import { createBrowserFlow } from './browser-flow.ts'
import { flowActions } from './flow-actions.ts'
import { useAccount } from './use-account.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { usePackAsked } from './use-pack-asked.ts'

/** The photo app: upload, automatic repair, before and after, save. */
export function PhotoApp() {
  const { user } = useAccount('photo')
  usePackAsked('photo')
  const [flow] = useState(() => createBrowserFlow('photo'))
  const [actions] = useState(() => flowActions('photo', flow))
  const state = useSyncExternalStore(flow.subscribe, flow.snapshot, flow.snapshot)
  const working = isWorking(state)
  const busy = state.transfer !== undefined && state.transfer.state !== 'failed'
  const premium = user?.current_plan === 'Premium'
  const { damaged } = state

  const [params, setParams] = useSearchParams()
  const upload = params.get('u')

  useEffect(() => () => flow.dispose(), [flow])
  useEffect(() => {
    if (!upload) return
    void resumeOutcome(upload, readUser('photo')?.email ?? '', browserFlowApi('photo')).then((outcome) => {
      if (outcome.kind === 'resume') flow.resume(outcome.record)
      else setParams({}, { replace: true })
    })
  }, [flow, upload, setParams])
  useEffect(() => {
    const files = takeHandedFiles()
    if (files.length > 0) void flow.chooseDamaged(files)
  }, [flow])
  useWakeLock(busy || state.repair.kind === 'running')
  useLeaveGuard(busy || losesWork(state))
  // The repair begins by itself as soon as the photo is here.
  useEffect(() => {
    if (damaged) void flow.start()
  }, [flow, damaged])

  return (
    <div className="page max-w-5xl pt-10 pb-20">
      <Announcer text={announcementOf('photo', state)} />
      <h1 className={working ? 'mb-8 text-heading text-ink-soft' : 'text-title'}>Free Online Photo Repair</h1>
      {working ? (
        <PhotoWorkspace state={state} plan={user?.current_plan} actions={actions} />
      ) : (
        <div className="max-w-xl">
          <p className="mt-3 mb-7 text-ink-soft">
            {premium
              ? `JPEG, HEIC, TIFF and camera raw, up to ${wholeMegabytes(maxBytes('photo'))}MB each.`
              : `JPEG and JPG up to ${FREE_PHOTO_MB}MB each. Premium repairs HEIC, TIFF and camera raw too.`}
          </p>
          <DropBox
            action="Upload Photo"
            hint="or drop it here"
            label="Damaged photo"
            extensions={premium ? PHOTO_EXTENSIONS : FREE_PHOTO_EXTENSIONS}
            mediaType="image"
            disabled={state.checking}
            onFiles={(files) => void flow.chooseDamaged(files)}
          />
        </div>
      )}
    </div>
  )
}
