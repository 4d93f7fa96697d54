import { TEXTS } from '@mendframe/contract'
import { useState } from 'react'
import type { BatchItem } from '../features/repair/photo/photo-batch.ts'
import type { SavedPhoto } from '../features/repair/photo/save-all.ts'
import { notify } from '../shared/notify/notify.ts'

/** The finished photos of a batch, and how they are saved in one go. */
export function useSaveAll(items: readonly BatchItem[]) {
  const [saving, setSaving] = useState(false)
  const photos = items.flatMap(({ name, state }): SavedPhoto[] => {
    const { repair, damaged } = state
    if (repair.kind !== 'done' || !repair.result.download?.full) return []
    const { download, report } = repair.result
    return [
      { name, extension: report?.extension ?? damaged?.extension ?? 'jpg', url: download.videoDownloadUrl },
    ]
  })
  const save = async () => {
    if (saving) return
    setSaving(true)
    try {
      const { saveBlob, zipOf } = await import('../features/repair/photo/save-all.ts')
      saveBlob(await zipOf(photos), 'repaired-photos.zip')
    } catch (cause) {
      console.error('the archive could not be made', cause)
      notify('error', TEXTS.downloadFailed)
    } finally {
      setSaving(false)
    }
  }
  return { savable: photos.length, saving, save: () => void save() }
}
