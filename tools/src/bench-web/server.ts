import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
}
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json'])
/** A built site is compressed once, so as well as gzip can. */
const GZIP_LEVEL = 9

export interface SiteServer {
  readonly origin: string
  close(): Promise<void>
}

/** Serves a built site on loopback as the service does: text with gzip, a folder by its index. */
export async function serveSite(folder: string): Promise<SiteServer> {
  const files = new Map<string, Buffer>()
  const server: Server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname))
    let file = join(folder, path)
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html')
    if (!existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const type = extname(file)
    const packed = COMPRESSED.has(type)
    const body =
      files.get(file) ?? (packed ? gzipSync(readFileSync(file), { level: GZIP_LEVEL }) : readFileSync(file))
    files.set(file, body)
    response.writeHead(200, {
      'Content-Type': TYPES[type] ?? 'application/octet-stream',
      'Content-Length': body.length,
      ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
