import {
  FLOW,
  PROGRESS_EVENTS_PATH,
  type Product,
  type ProgressReply,
  progressReplySchema,
} from '@mendframe/contract'
import { call } from '../../../shared/api/call.ts'
import { readFailure } from '../../../shared/api/failure.ts'
import { bearerFor } from '../../../shared/api/identity.ts'
import { hostOf } from '../../../shared/config/hosts.ts'
import { pause } from '../upload/browser-ports.ts'
import { readEvents } from './event-stream.ts'
import type { ProgressPorts } from './progress-feed.ts'

/**
 * A stream that says nothing for so long is dead; the service sends a comment line well before. One without a connection is dead
 * at once.
 */
const SILENCE_MS = 45_000

async function* events(timestamp: string, signal: AbortSignal): AsyncGenerator<ProgressReply> {
  const silence = new AbortController()
  const address = `${hostOf(PROGRESS_EVENTS_PATH)}${PROGRESS_EVENTS_PATH}?${new URLSearchParams({ time: timestamp })}`
  const bearer = await bearerFor(PROGRESS_EVENTS_PATH)
  const response = await fetch(address, {
    headers: { accept: 'text/event-stream', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    credentials: 'include',
    signal: AbortSignal.any([signal, silence.signal]),
  })
  if (!response.ok || !response.body) throw await readFailure(response)
  const stop = () => silence.abort()
  window.addEventListener('offline', stop)
  let timer = setTimeout(stop, SILENCE_MS)
  const alive = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      clearTimeout(timer)
      timer = setTimeout(stop, SILENCE_MS)
      controller.enqueue(chunk)
    },
  })
  try {
    for await (const event of readEvents(response.body.pipeThrough(alive))) {
      if (event.name !== 'progress') continue
      const reply = progressReplySchema.safeParse(JSON.parse(event.data))
      if (reply.success) yield reply.data
    }
  } finally {
    clearTimeout(timer)
    window.removeEventListener('offline', stop)
  }
}

/** Progress as this browser hears of it. */
export function browserProgress(product: Product): ProgressPorts {
  return {
    events,
    poll: (time, signal) => call(FLOW[product].checkProgress, { query: { time }, signal }),
    pause,
  }
}
