import { type FileStatus, formatLongDate, RESUME_HOURS, type UploadedFile } from '@mendframe/contract'

export type FileAction = 'download' | 'resume' | 'none'

/** What the dashboard says of a file and offers for it. */
export interface FileLine {
  readonly text: string
  readonly action: FileAction
}

const HOUR_MS = 3_600_000

/** What became of an upload that nobody went on with for a day, and what to do with a younger one. */
const UNFINISHED: Readonly<
  Record<Exclude<FileStatus, 'Repair_Completed'>, { readonly late: string; readonly fresh: string }>
> = {
  Sample_File_Uploaded: {
    late: 'Failed. Repair not started by you, on {date}',
    fresh: 'You uploaded a Sample video. Click on the Resume button and start repair.',
  },
  Corrut_File_Uploaded: {
    late: 'Failed. Only corrupted file uploaded by you, on {date}',
    fresh: 'You uploaded a corrupted video. Click on the Resume button to start the repair.',
  },
}

/** The specified line of a file. `now` in milliseconds since 1970; the file's age counts from its upload. */
export function fileLine(
  file: Pick<UploadedFile, 'status' | 'created_date' | 'file_status' | 'product'>,
  now: number,
): FileLine {
  const created = new Date(file.created_date)
  const date = formatLongDate(created)
  const deleted = file.file_status === 'Deleted'
  if (file.status === 'Repair_Completed')
    return { text: `Repaired by you, on ${date}`, action: deleted ? 'none' : 'download' }
  const { late, fresh } = UNFINISHED[file.status]
  if (now - created.getTime() > RESUME_HOURS * HOUR_MS)
    return { text: late.replace('{date}', date), action: 'none' }
  const text = file.product === 'photo' ? fresh.replace('video', 'photo') : fresh
  return { text, action: deleted ? 'none' : 'resume' }
}

/** Where an upload is resumed. */
export function resumePath(file: Pick<UploadedFile, 'unique_id'>): string {
  return `/resume?u=${encodeURIComponent(file.unique_id)}`
}
