import { TEXTS } from '@mendframe/contract'
import { ApiFailure, NoAnswer } from '../../../shared/api/failure.ts'
import type { PutOutcome } from './put.ts'

/** An upload ended without the file being there; the message is for the visitor. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed'
}

/** The specified text for a `PUT` that did not succeed. */
export function textOfPut(outcome: Exclude<PutOutcome, { kind: 'done' }>, online: boolean): string {
  if (outcome.kind === 'aborted') return TEXTS.uploadAborted
  if (outcome.kind === 'broken') return online ? TEXTS.uploadFailed : TEXTS.uploadOffline
  return outcome.status === 500 ? TEXTS.uploadServerError : TEXTS.uploadFailed
}

/** The specified text for a failed call around an upload. */
export function textOfUploadError(cause: unknown, online: boolean): string {
  if (cause instanceof UploadFailed) return cause.message
  if (cause instanceof NoAnswer) return online ? TEXTS.uploadFailed : TEXTS.uploadOffline
  if (cause instanceof ApiFailure)
    return cause.message || (cause.status === 500 ? TEXTS.uploadServerError : TEXTS.uploadFailed)
  return TEXTS.uploadFailed
}

/** What is wrong with a file itself, not with the way it was sent: its size, its format, what is in it. */
const ABOUT_THE_FILE: ReadonlySet<number> = new Set([413, 415, 422])

/** Whether the service looked at a file and does not take it: sent again it would be refused again. */
export function isRefusedFile(cause: unknown): boolean {
  return cause instanceof ApiFailure && ABOUT_THE_FILE.has(cause.status)
}
