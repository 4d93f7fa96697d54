import type { ReplyOf, Route } from '@mendframe/contract'
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query/react'
import { call, type Sent } from './call.ts'
import { ApiFailure, NoAnswer } from './failure.ts'

/** A failed call as it is kept in the store. `status` is 0 when no answer came. */
export interface CallError {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** A caught failure as plain data. */
export function toCallError(cause: unknown): CallError {
  if (cause instanceof ApiFailure) return { status: cause.status, code: cause.code, message: cause.message }
  return { status: 0, code: 'no-answer', message: cause instanceof Error ? cause.message : String(cause) }
}

/** Whether something caught is a kept failure. */
export function isCallError(cause: unknown): cause is CallError {
  return (
    typeof cause === 'object' && cause !== null && 'status' in cause && 'code' in cause && 'message' in cause
  )
}

/** A kept failure as it was thrown. */
export function fromCallError({ status, code, message }: CallError): ApiFailure | NoAnswer {
  return status === 0 ? new NoAnswer(message) : new ApiFailure(status, code, message)
}

/** The one RTK Query api; each feature injects its own calls. */
export const baseApi = createApi({
  reducerPath: 'api',
  baseQuery: fakeBaseQuery<CallError>(),
  tagTypes: ['user', 'purchases', 'result'],
  endpoints: () => ({}),
})

/** What a call of the contract answers. */
export type CallReply<R extends Route> = ReplyOf<R>

/** Turns a call of the contract into an RTK Query result. */
export async function queryCall<const R extends Route>(
  route: R,
  sent: Sent<R>,
): Promise<{ data: ReplyOf<R> } | { error: CallError }> {
  try {
    return { data: await call(route, sent) }
  } catch (cause) {
    return { error: toCallError(cause) }
  }
}
