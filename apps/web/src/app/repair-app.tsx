import { type UploadedFile, VIDEO_EXTENSIONS } from '@mendframe/contract'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { resumePath } from '../features/account/file-lines.ts'
import { announcementOf } from '../features/repair/flow/announcements.ts'
import { type FlowState, isWorking, losesWork } from '../features/repair/flow/flow-state.ts'
import { Workspace } from '../features/repair/workspace/workspace.tsx'
import { setWayBack } from '../shared/api/way-back.ts'
import { useWakeLock } from '../shared/lib/use-wake-lock.ts'
import { Announcer } from '../shared/ui/announcer.tsx'
import { createBrowserFlow } from './browser-flow.ts'
import { flowActions } from './flow-actions.ts'
import { fetchOverlays } from './overlay-parts.ts'
import type { RepairEntry } from './repair-entry.ts'
import { useAccount } from './use-account.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { usePackAsked } from './use-pack-asked.ts'
import { WithStore } from './with-store.tsx'

interface RepairAppProps {
  /** Told how the repair stands, whenever it changes. */
  readonly onEntry: (entry: RepairEntry) => void
  /** An upload of an earlier visit to go on with. */
  readonly resume?: UploadedFile | undefined
}

/** The main repair page of a signed-in visitor. */
export function RepairApp(props: RepairAppProps) {
  return (
    <WithStore>
      <ConnectedRepair {...props} />
    </WithStore>
  )
}

function ConnectedRepair({ onEntry, resume }: RepairAppProps) {
  const { user } = useAccount('video')
  usePackAsked('video')
  const [flow] = useState(() => createBrowserFlow('video'))
  const [actions] = useState(() => flowActions('video', flow))
  const state = useSyncExternalStore(flow.subscribe, flow.snapshot, flow.snapshot)
  const working = isWorking(state)
  const busy = state.transfer !== undefined && state.transfer.state !== 'failed'

  useEffect(fetchOverlays, [])
  useEffect(() => {
    if (resume) flow.resume(resume)
    return () => flow.dispose()
  }, [flow, resume])
  // Before the page around hears of it: what it does then must not be asked about any more.
  useLeaveGuard(busy || losesWork(state))
  const back = placeOf(state)
  useEffect(() => {
    setWayBack(back)
    return () => setWayBack(undefined)
  }, [back])
  useEffect(() => {
    onEntry({
      working,
      checking: state.checking,
      extensions: VIDEO_EXTENSIONS,
      onFiles: (files) => void flow.chooseDamaged(files),
    })
  }, [onEntry, working, state.checking, flow])
  useWakeLock(busy || state.repair.kind === 'running')

  // A change of step begins at its top, where its heading is.
  const step = `${working} ${state.repair.kind === 'done'}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the step that scrolls.
  useEffect(() => {
    if (working) window.scrollTo({ top: 0 })
  }, [step])

  return (
    <>
      <Announcer text={announcementOf('video', state)} />
      {working ? <Workspace state={state} plan={user?.current_plan} actions={actions} /> : null}
    </>
  )
}

/** Where this repair is found again by somebody who had to log in anew; `undefined` before its file has arrived. */
function placeOf({ damaged, repair }: FlowState): string | undefined {
  if (!damaged) return undefined
  if (repair.kind === 'done') return '/admin/dashboard'
  return resumePath({ product: 'video', unique_id: damaged.uniqueId })
}
