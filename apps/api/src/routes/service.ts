import { type Context, hasSpace } from '@mendframe/backend'
import { SERVICE } from '@mendframe/contract'
import type { App } from '../app.ts'
import { dependenciesAnswer } from '../dependencies-answer.ts'
import { describe } from '../describe.ts'

/** Public settings, and whether the server lives and can work. */
export function addService(app: App, context: Context): void {
  app.route({
    ...describe(SERVICE.config),
    handler: async () => ({
      success: true as const,
      mode: context.config.mode,
      providers: {
        google: context.providers.isConfigured('google'),
        apple: context.providers.isConfigured('apple'),
      },
      store: context.config.store.kind,
    }),
  })
  const quiet = { schema: { hide: true }, logLevel: 'warn', config: { rateLimit: false as const } } as const
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.get('/healthz', quiet, async () => ({ status: 'ok' }))
  app.get('/readyz', quiet, async (_request, reply) => {
    const reason = closing
      ? 'closing'
      : !(await dependenciesAnswer(context))
        ? 'database or store does not answer'
        : !(await hasSpace(context))
          ? 'no space left'
          : undefined
    return reply
      .code(reason === undefined ? 200 : 503)
      .send(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason })
  })
}
