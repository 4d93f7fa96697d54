import { authenticate, type Context, checkProgress, ownUpload, ServiceFailure } from '@mendframe/backend'
import { PROGRESS_EVENTS_PATH, type ProgressReply, timestampQuerySchema } from '@mendframe/contract'
import { z } from 'zod'
import type { App } from '../app.ts'
import { caller } from '../caller.ts'

/** How often the row is read even without news, and the connection kept open. */
const LOOK_MS = 2_000
/** Streams of one user at the same time. */
const STREAMS_PER_USER = 8

/** Pushed progress; see the contract for its form. */
export function addProgressEvents(app: App, context: Context): void {
  const streams = new Map<string, number>()
  const endings = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of endings) end()
  })

  app.route({
    method: 'GET',
    url: PROGRESS_EVENTS_PATH,
    config: { access: 'session' },
    schema: {
      summary: 'Progress as server-sent events: `event: progress`, data as checkprogress answers',
      querystring: z.object({ time: timestampQuerySchema }),
      produces: ['text/event-stream'],
      security: [{ session: [] }],
    },
    handler: async (request, reply) => {
      const session = caller(request)
      const { time } = request.query
      const upload = await ownUpload(context, session, time)
      const first = await checkProgress(context, session, undefined, time)
      const open = streams.get(session.user.id) ?? 0
      const kept = open < STREAMS_PER_USER
      if (kept) streams.set(session.user.id, open + 1)

      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        ...headersOf(reply.getHeaders()),
      })
      let last = ''
      const tell = (progress: ProgressReply): void => {
        const data = JSON.stringify(progress)
        raw.write(data === last ? ':\n\n' : `event: progress\ndata: ${data}\n\n`)
        last = data
        // Above the bound of streams the page gets one event and falls back to asking.
        if (progress.status !== 'Running' || !kept) end()
      }
      /** Whoever has logged out hears no more. */
      const follow = async (): Promise<ProgressReply> => {
        const current = await authenticate(context, request.headers.authorization)
        return checkProgress(context, current, undefined, time)
      }
      const look = (): void => {
        follow().then(tell, (error: unknown) => {
          if (!(error instanceof ServiceFailure)) request.log.warn({ err: error }, 'progress stream ended')
          end()
        })
      }
      const timer = setInterval(look, LOOK_MS)
      const forget = context.bus.subscribe(upload.timestamp, look)
      let ended = false
      const end = (): void => {
        if (ended) return
        ended = true
        clearInterval(timer)
        forget()
        endings.delete(end)
        if (kept) release(streams, session.user.id)
        raw.end()
      }
      endings.add(end)
      raw.once('close', end)
      tell(first)
    },
  })
}

function release(streams: Map<string, number>, userId: string): void {
  const open = (streams.get(userId) ?? 1) - 1
  if (open > 0) streams.set(userId, open)
  else streams.delete(userId)
}

/** Headers that hooks have set so far (security, origin), for a reply that Fastify no longer sends. */
function headersOf(headers: Record<string, number | string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'content-type') kept[name] = value
  }
  return kept
}
