import { FREE_PHOTO_EXTENSIONS, PHOTO_EXTENSIONS, type User } from '@mendframe/contract'
import { FolderArchive, ImagePlus } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { announcementOf } from '../features/repair/flow/announcements.ts'
import { browserFlowApi } from '../features/repair/flow/browser-flow-api.ts'
import { losesWork } from '../features/repair/flow/flow-state.ts'
import { resumeOutcome } from '../features/repair/flow/resume.ts'
import { PhotoBatch } from '../features/repair/photo/photo-batch.ts'
import { PhotoList } from '../features/repair/photo/photo-list.tsx'
import { batchInWords } from '../features/repair/photo/photo-words.ts'
import { PhotoWorkspace } from '../features/repair/photo/photo-workspace.tsx'
import { takeHandedFiles } from '../shared/lib/handed-files.ts'
import { useStepFocus } from '../shared/lib/use-step-focus.ts'
import { useWakeLock } from '../shared/lib/use-wake-lock.ts'
import { readUser } from '../shared/storage/session.ts'
import { Announcer } from '../shared/ui/announcer.tsx'
import { Button } from '../shared/ui/button.tsx'
import { browserFlowPorts } from './browser-flow.ts'
import { fetchOverlays } from './overlay-parts.ts'
import { photoActions } from './photo-actions.ts'
import { PhotoEntry } from './photo-entry.tsx'
import { useAccount } from './use-account.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { usePackAsked } from './use-pack-asked.ts'
import { useSaveAll } from './use-save-all.ts'

/** The photo app: several photos at once, each repaired by itself, seen before and after, and saved. */
export function PhotoApp() {
  const { user } = useAccount('photo')
  usePackAsked('photo')
  const [batch] = useState(() => new PhotoBatch(browserFlowPorts('photo')))
  const { items, checking } = useSyncExternalStore(batch.subscribe, batch.snapshot, batch.snapshot)
  useResumedUpload(batch)
  useEffect(fetchOverlays, [])
  useEffect(() => {
    const files = takeHandedFiles()
    if (files.length > 0) void batch.choose(files)
    return () => batch.dispose()
  }, [batch])
  const busy = items.some(
    ({ state: { transfer, repair } }) =>
      (transfer !== undefined && transfer.state !== 'failed') || repair.kind === 'running',
  )
  useWakeLock(busy)
  useLeaveGuard(busy || items.some(({ state }) => losesWork(state)))

  return (
    <div className="page max-w-6xl pt-10 pb-20">
      <h1 className={items.length > 0 ? 'mb-6 text-heading text-ink-soft' : 'text-title'}>
        Free Online Photo Repair
      </h1>
      {items.length > 0 ? (
        <Batch batch={batch} plan={user?.current_plan} />
      ) : (
        <PhotoEntry
          premium={user?.current_plan === 'Premium'}
          busy={checking}
          onFiles={(files) => void batch.choose(files)}
        />
      )}
    </div>
  )
}

function Batch({
  batch,
  plan,
}: {
  readonly batch: PhotoBatch
  readonly plan: User['current_plan'] | undefined
}) {
  const { items, selected, checking } = useSyncExternalStore(batch.subscribe, batch.snapshot, batch.snapshot)
  const input = useRef<HTMLInputElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [actions] = useState(() => photoActions(batch, () => add.current?.focus()))
  const { savable, saving, save } = useSaveAll(items)
  const item = items.find(({ id }) => id === selected) ?? items[0]
  const focus = useStepFocus(item ? `${item.id} ${item.state.repair.kind}` : '')
  const several = items.length > 1
  const extensions = plan === 'Premium' ? PHOTO_EXTENSIONS : FREE_PHOTO_EXTENSIONS
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <Announcer
        text={
          several
            ? batchInWords(items.map(({ state }) => state))
            : item
              ? announcementOf('photo', item.state)
              : ''
        }
      />
      <section aria-label="Photos" className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <PhotoList
          items={items}
          selected={item?.id}
          onSelect={(id) => batch.select(id)}
          onRemove={(id) => batch.remove(id)}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            ref={add}
            look="secondary"
            size="small"
            aria-disabled={checking}
            onClick={() => input.current?.click()}
          >
            <ImagePlus aria-hidden size={18} />
            Add photos
          </Button>
          {savable > 1 ? (
            <Button size="small" aria-disabled={saving} onClick={save}>
              <FolderArchive aria-hidden size={18} />
              {saving ? 'Packing...' : `Save all ${savable} as ZIP`}
            </Button>
          ) : null}
        </div>
        <input
          ref={input}
          type="file"
          multiple
          tabIndex={-1}
          aria-label="More damaged photos"
          className="sr-only"
          accept={['image/*', ...extensions.map((extension) => `.${extension}`)].join(',')}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            void batch.choose(files)
          }}
        />
      </section>
      <div ref={focus} className="min-w-0">
        {item ? (
          <PhotoWorkspace
            key={item.id}
            state={item.state}
            queued={item.queued}
            plan={plan}
            actions={actions}
          />
        ) : null}
      </div>
    </div>
  )
}

/** Goes on with the upload that the address names (`?u=`). */
function useResumedUpload(batch: PhotoBatch): void {
  const [params, setParams] = useSearchParams()
  const upload = params.get('u')
  useEffect(() => {
    if (!upload) return
    let over = false
    const email = readUser('photo')?.email ?? ''
    void resumeOutcome(upload, email, browserFlowApi('photo')).then((outcome) => {
      if (over) return
      if (outcome.kind === 'resume') batch.resume(outcome.record)
      else setParams({}, { replace: true })
    })
    return () => {
      over = true
    }
  }, [batch, upload, setParams])
}
