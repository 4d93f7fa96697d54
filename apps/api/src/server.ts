import { randomUUID } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { Context } from '@mendframe/backend'
import { ServiceFailure } from '@mendframe/backend'
import { PRODUCTS } from '@mendframe/contract'
import fastify, { type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { App } from './app.ts'
import { BODY_BOUNDS, type BodyBounds, boundBodies } from './bodies.ts'
import { requireSessions } from './caller.ts'
import { addDocs } from './docs.ts'
import { answerError, refusal } from './failure-reply.ts'
import { FailureWindow } from './failure-window.ts'
import { addMetrics } from './metrics.ts'
import { addAccount } from './routes/account.ts'
import { addFiles } from './routes/files.ts'
import { addOwnedFiles, addParts } from './routes/owned-files.ts'
import { addProgressEvents } from './routes/progress-events.ts'
import { addProviderCallbacks } from './routes/provider-callback.ts'
import { addRepairFlow } from './routes/repair-flow.ts'
import { addService } from './routes/service.ts'
import { addSessions, addSignIn } from './routes/sign-in.ts'
import { addStore } from './routes/store.ts'
import { addSecurity } from './security.ts'
import { addWeb } from './web.ts'

/** Bytes of a JSON request; the largest holds a note and a list of part numbers. */
const LONGEST_BODY = 65_536
/** A connection on which nothing moves for so long is closed. Progress streams speak every two seconds. */
const IDLE_MS = 120_000
/** A request's headers are there at once, or nobody waits for them. */
const HEADERS_MS = 10_000
/** How often that is looked at. */
const LOOK_MS = 2_000

export interface ServerOptions {
  /** Folder of the built web app; without it only the API answers. */
  readonly webFolder?: string
  /** Other bounds of slow bodies than the usual ones. */
  readonly bodies?: BodyBounds
}

/** Builds the HTTP server on an open context; the caller listens and closes. */
export async function createServer(context: Context, options: ServerOptions = {}): Promise<App> {
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustOf(context.config.trustProxy),
    bodyLimit: LONGEST_BODY,
    connectionTimeout: IDLE_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS },
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: true,
  }).withTypeProvider<ZodTypeProvider>()
  boundBodies(app.server, options.bodies ?? BODY_BOUNDS)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => {
    const { status, body } = refusal('request.not-found')
    reply.code(status).send(body)
  })
  acceptEmptyJson(app)
  logRequests(app)
  await addSecurity(app, context)
  await app.register(rateLimit, {
    max: context.config.rates.calls,
    timeWindow: context.config.rates.windowSeconds * 1000,
    errorResponseBuilder: () => new ServiceFailure('request.too-many'),
  })
  requireSessions(app, context)
  addMetrics(app, context)
  await addDocs(app)

  const { rates } = context.config
  const failures = new FailureWindow(rates.logInFailures, rates.windowSeconds * 1000, () =>
    context.clock.now().getTime(),
  )
  addService(app, context)
  addSessions(app, context, failures)
  addAccount(app, context)
  for (const product of PRODUCTS) {
    addSignIn(app, context, product, failures)
    addRepairFlow(app, context, product)
  }
  addOwnedFiles(app, context)
  addParts(app, context)
  addProgressEvents(app, context)
  addProviderCallbacks(app, context)
  addStore(app, context)
  addFiles(app, context)
  if (options.webFolder !== undefined) await addWeb(app, context, options.webFolder)
  return app
}

/** The specified calls without content come with the content type of JSON and nothing in it. */
function acceptEmptyJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, String(body), done)
  })
}

/** A number means so many proxies in front. */
function trustOf(
  setting: boolean | string | number,
): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting
}

/** One line a request: the route's pattern, never the address, which holds emails and signatures. */
function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    const about = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.session ? { user: request.session.user.id } : {}),
      ...jobKey(request),
    }
    request.log.info(about, 'request')
  })
}

/** The timestamp of the upload that a request is about. */
function jobKey(request: FastifyRequest): { job?: string } {
  for (const part of [request.query, request.body]) {
    if (typeof part !== 'object' || part === null) continue
    for (const name of ['time', 'timestamp', 'videocreatedTime']) {
      const value: unknown = Reflect.get(part, name)
      if ((typeof value === 'string' || typeof value === 'number') && /^\d{1,16}$/.test(String(value))) {
        return { job: String(value) }
      }
    }
  }
  return {}
}
