import type { UploadedFile } from '@mendframe/contract'
import { ApiFailure } from '../../../shared/api/failure.ts'
import type { FlowApi } from './flow-ports.ts'

/** Where the resume page goes: on with the upload, to the log-in dialog, or to the start page. */
export type ResumeOutcome =
  | { readonly kind: 'resume'; readonly record: UploadedFile }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'home' }

/** Looks an upload up by its id; only its owner may go on, and only while it is not repaired. */
export async function resumeOutcome(
  id: string,
  email: string,
  api: Pick<FlowApi, 'byUniqueId'>,
): Promise<ResumeOutcome> {
  if (id === '') return { kind: 'home' }
  let record: UploadedFile
  try {
    record = await api.byUniqueId(id)
  } catch (cause) {
    if (cause instanceof ApiFailure && cause.status === 401) return { kind: 'sign-in' }
    return { kind: 'home' }
  }
  const resumable = record.status === 'Corrut_File_Uploaded' || record.status === 'Sample_File_Uploaded'
  const mine = record.email.toLowerCase() === email.toLowerCase()
  return resumable && mine && record.file_status !== 'Deleted' ? { kind: 'resume', record } : { kind: 'home' }
}
