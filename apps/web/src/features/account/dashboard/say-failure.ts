import { TEXTS } from '@mendframe/contract'
import { ApiFailure } from '../../../shared/api/failure.ts'
import { notify } from '../../../shared/notify/notify.ts'

/** Shows why a call failed, in the service's words where it gave some. */
export function sayFailure(cause: unknown): void {
  notify('error', (cause instanceof ApiFailure && cause.message) || TEXTS.signInFailed)
}
