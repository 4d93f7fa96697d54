import { z } from 'zod'
import { defineRoute } from './route.ts'

/** What a page asks before anybody has signed in. */
export const SERVICE = {
  config: defineRoute({
    method: 'GET',
    path: '/api/config',
    summary: 'Public settings of this server',
    access: 'open',
    reply: z.object({
      success: z.literal(true),
      mode: z.enum(['development', 'production']),
      providers: z.object({ google: z.boolean(), apple: z.boolean() }),
      /** Whether purchases can be made, and whether by the labelled demo store. */
      store: z.enum(['none', 'demo', 'live']),
    }),
    errors: [],
  }),
} as const

/**
 * Pushed progress: `GET /api/progress/events?time=…` with the usual Authorization header (read it with `fetch` and a
 * stream: `EventSource` cannot send headers). `text/event-stream`; each event is named `progress` and its data is one
 * JSON `progressReplySchema`; comment lines keep the connection open. The stream ends after the event whose status
 * is `Completed` or `Failed`. Failures before the stream are the usual JSON ones.
 */
export const PROGRESS_EVENTS_PATH = '/api/progress/events'

/** Calls that are no JSON calls of the page: the store's signed events and the providers' form posts. */
export const STORE_WEBHOOK_PATH = '/api/store/webhook'
export const DEMO_STORE_PATH = '/demo-store'
