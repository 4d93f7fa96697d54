import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

export type Method = 'GET' | 'POST'

/** One call: what is sent, what comes back with status 200, and what can go wrong. */
export interface Route {
  readonly method: Method
  /** Path with `:name` places. */
  readonly path: string
  /** One line for the documentation. */
  readonly summary: string
  /** `session`: a session token is needed; `open`: anybody may call. */
  readonly access: 'open' | 'session'
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly reply: z.ZodType
  /** Failures beyond those that every call can answer (`COMMON_ERRORS`, and `SESSION_ERRORS` where a session is needed). */
  readonly errors: readonly ErrorCode[]
}

export const COMMON_ERRORS: readonly ErrorCode[] = [
  'request.invalid',
  'request.too-many',
  'request.too-large',
  'server.error',
  'server.unavailable',
]
export const SESSION_ERRORS: readonly ErrorCode[] = ['auth.required', 'auth.invalid-session']

/** Keeps the exact types of a route. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

/** What a client sends as body, query or path places. */
export type BodyOf<R extends Route> = R['body'] extends z.ZodType ? z.input<R['body']> : undefined
export type QueryOf<R extends Route> = R['query'] extends z.ZodType ? z.input<R['query']> : undefined
export type ParamsOf<R extends Route> = R['params'] extends z.ZodType ? z.input<R['params']> : undefined
/** What a client reads. */
export type ReplyOf<R extends Route> = z.output<R['reply']>

/** Key of a job as clients send it: text or number, always decimal digits. */
export const timestampSchema = z
  .union([z.string().regex(/^\d{1,20}$/), z.number().int().nonnegative()])
  .transform((value) => String(value))
export const timestampQuerySchema = z.string().regex(/^\d{1,20}$/)

/** A size in bytes that can be true. */
export const bytesSchema = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/** Acknowledgement without content. */
export const doneSchema = z.object({ success: z.literal(true) })

/** Sealed email (`info`, `details`); may be empty or left out. */
export const sealedSchema = z.string().max(2048).optional()
