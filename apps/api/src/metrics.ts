import { timingSafeEqual } from 'node:crypto'
import type { Context } from '@mendframe/backend'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { App } from './app.ts'
import { isFromThisMachine } from './loopback.ts'

/** Prometheus metrics at /metrics: with METRICS_TOKEN to whoever has it, without to this machine. */
export function addMetrics(app: App, context: Context): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'mendframe_' })
  const requests = new Histogram({
    name: 'mendframe_http_request_seconds',
    help: 'Seconds from request to reply, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'mendframe_jobs',
    help: 'Jobs by kind and state',
    labelNames: ['job', 'state'] as const,
    registers: [registry],
    async collect() {
      for (const [job, counts] of Object.entries(await context.queue.counts())) {
        this.set({ job, state: 'queued' }, counts.queued)
        this.set({ job, state: 'active' }, counts.active)
        this.set({ job, state: 'failed' }, counts.failed)
      }
    },
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  const settings = {
    schema: { hide: true },
    logLevel: 'warn',
    config: { rateLimit: false as const },
  } as const
  app.get('/metrics', settings, async (request, reply) => {
    const token = context.config.metricsToken
    const allowed =
      token === undefined
        ? isFromThisMachine(request)
        : equal(request.headers.authorization ?? '', `Bearer ${token}`)
    if (!allowed) return reply.callNotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
