import { formatLongDate, RESUME_HOURS, type UploadedFile } from '@mendframe/contract'
import { textFor } from '../../shared/lib/text-for.ts'
import { headlineOf } from '../../shared/recovery/report-words.ts'

/** What a dashboard file says and what can be done with it. */
export interface FileLine {
  readonly text: string
  readonly action: 'download' | 'resume' | undefined
}

type LineFacts = Pick<UploadedFile, 'product' | 'status' | 'file_status' | 'created_date' | 'repair'>

const HOUR_MS = 3_600_000

/** The status line of a file on the dashboard, at a time. */
export function fileLine(file: LineFacts, now: Date): FileLine {
  const line = videoLine(file, now)
  return { ...line, text: textFor(file.product, line.text) }
}

function videoLine(file: LineFacts, now: Date): FileLine {
  const created = new Date(file.created_date)
  const date = formatLongDate(created)
  const deleted = file.file_status === 'Deleted'
  if (file.status === 'Repair_Completed') {
    return { text: `Repaired by you, on ${date}`, action: deleted ? undefined : 'download' }
  }
  // Nothing has to be started any more: resuming it only shows how far it is.
  if (file.repair?.status === 'Running' && !deleted)
    return { text: 'The repair is running.', action: 'resume' }
  // It was looked at, so it was started, and there is nothing to repair.
  if (file.repair?.verdict === 'healthy') {
    return { text: file.repair.message ?? headlineOf('healthy'), action: undefined }
  }
  const old = deleted || now.getTime() - created.getTime() > RESUME_HOURS * HOUR_MS
  if (file.status === 'Sample_File_Uploaded') {
    return old
      ? { text: `Failed. Repair not started by you, on ${date}`, action: undefined }
      : {
          text: 'You uploaded a Sample video. Click on the Resume button and start repair.',
          action: 'resume',
        }
  }
  return old
    ? { text: `Failed. Only corrupted file uploaded by you, on ${date}`, action: undefined }
    : {
        text: 'You uploaded a corrupted video. Click on the Resume button to start the repair.',
        action: 'resume',
      }
}

/** Whether a person may be asked to look at a file: its repair failed or is partial. A cancelled one did neither. */
export function isManualOffered({
  repair,
  file_status,
}: Pick<UploadedFile, 'repair' | 'file_status'>): boolean {
  if (!repair || repair.cancelled || file_status === 'Deleted') return false
  return repair.status === 'Failed' || repair.verdict === 'partial'
}

/** Where an upload is taken up again. */
export function resumePath({ product, unique_id }: Pick<UploadedFile, 'product' | 'unique_id'>): string {
  return `${product === 'video' ? '/resume' : '/photo/app'}?u=${encodeURIComponent(unique_id)}`
}
