import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Config, Context } from '@mendframe/backend'
import { ServiceFailure } from '@mendframe/backend'
import type { App } from './app.ts'
import { CompressedFiles } from './compressed-files.ts'

/** Names under which the build keeps the page that every unknown address is answered with, best first. */
const FALLBACKS = ['__spa-fallback.html', 'index.html'] as const
const HASHED = 'assets/'

/** The built web app as it lies in its folder: read once, so that an address can only name a file that was there. */
class WebFolder {
  readonly #files: ReadonlySet<string>
  readonly #policies = new Map<string, string>()
  readonly fallback: string | undefined

  constructor(folder: string, config: Config) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    this.#files = new Set(files)
    this.fallback = FALLBACKS.find((name) => this.#files.has(name))
    for (const name of files.filter((file) => file.endsWith('.html'))) {
      this.#policies.set(name, pagePolicy(readFileSync(join(folder, name), 'utf8'), config))
    }
  }

  /** The file of an address: itself, or the prerendered page below it. */
  find(path: string): string | undefined {
    const name = path.replace(/^\/+/, '')
    const page = name === '' || name.endsWith('/') ? `${name}index.html` : `${name}/index.html`
    return [name, page].find((file) => this.#files.has(file))
  }

  policyOf(file: string): string | undefined {
    return this.#policies.get(file)
  }
}

/** Serves the web app: its files, its prerendered pages, and for every other address its start page. */
export async function addWeb(app: App, context: Context, folder: string): Promise<void> {
  const web = new WebFolder(folder, context.config)
  const compressed = new CompressedFiles(folder)
  await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false })
  const hidden = { schema: { hide: true }, config: { rateLimit: false as const } }
  app.get('/photo', hidden, (request, reply) => {
    const query = request.url.indexOf('?')
    return reply.redirect(`/photo/${query < 0 ? '' : request.url.slice(query)}`, 308)
  })
  app.get('/*', hidden, async (request, reply) => {
    const path = decodePath(request.url.split('?')[0] ?? '')
    if (path === undefined || path.startsWith('/api/')) throw new ServiceFailure('request.not-found')
    const file = web.find(path) ?? (looksLikeFile(path) ? undefined : web.fallback)
    if (file === undefined) throw new ServiceFailure('request.not-found')
    const policy = web.policyOf(file)
    if (policy !== undefined) reply.header('content-security-policy', policy)
    else reply.removeHeader('content-security-policy')
    const lasting = file.startsWith(HASHED)
    reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
    const packed = await compressed.find(file, request.headers['accept-encoding'])
    if (packed === undefined) return reply.sendFile(file)
    reply.header('vary', 'Accept-Encoding').header('etag', packed.tag)
    if (request.headers['if-none-match'] === packed.tag) return reply.code(304).send()
    return reply.type(packed.type).header('content-encoding', packed.encoding).send(packed.bytes)
  })
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Pages (`.html`) are the router's matter, whether it knows them or not. */
function looksLikeFile(path: string): boolean {
  return /\.(?!html?$)[a-z0-9]{1,8}$/i.test(path)
}

/**
 * Scripts run from here, or when they are the ones written into the page by the build: their hashes are listed. Media and
 * uploads may also go to the store's address, where one is set.
 */
function pagePolicy(html: string, config: Config): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => code,
  )
  const hashes = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  const stores = [config.s3?.publicEndpoint ?? config.s3?.endpoint, config.filesUrl]
    .filter((address) => address !== undefined && address !== '')
    .map((address) => new URL(address ?? '').origin)
  const providers = [config.apple?.scriptUrl]
    .filter((address) => address !== undefined)
    .map((address) => new URL(address).origin)
  const from = (...sources: string[]) => [...new Set([...sources, ...stores])].join(' ')
  return [
    "default-src 'self'",
    `script-src ${[...new Set(["'self'", ...hashes, ...providers])].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src ${from("'self'", 'data:', 'blob:')}`,
    `media-src ${from("'self'", 'blob:')}`,
    `connect-src ${from("'self'")}`,
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
