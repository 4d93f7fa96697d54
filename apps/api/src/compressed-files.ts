import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Kinds of files that compress well, with their media types. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml',
}
/** Good and still quick: each file is compressed once in the life of the server. */
const BROTLI_QUALITY = 9

export interface CompressedFile {
  readonly bytes: Buffer
  readonly type: string
  readonly encoding: 'br' | 'gzip'
  readonly tag: string
}

/** The text files of the web app, compressed when they are first asked for and kept. */
export class CompressedFiles {
  readonly #folder: string
  readonly #files = new Map<string, Promise<CompressedFile>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A file in the best form that the client takes; `undefined` when it is to be sent as it is. */
  find(name: string, accepted: string | string[] | undefined): Promise<CompressedFile> | undefined {
    const type = TYPES[extname(name)]
    const encoding = choose(String(accepted ?? ''))
    if (type === undefined || encoding === undefined) return undefined
    const key = `${encoding} ${name}`
    const known = this.#files.get(key)
    if (known) return known
    const made = compress(join(this.#folder, name), type, encoding)
    this.#files.set(key, made)
    made.catch(() => this.#files.delete(key))
    return made
  }
}

function choose(accepted: string): 'br' | 'gzip' | undefined {
  const takes = (encoding: string) =>
    accepted.split(',').some((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : undefined
}

async function compress(path: string, type: string, encoding: 'br' | 'gzip'): Promise<CompressedFile> {
  const content = await readFile(path)
  const bytes =
    encoding === 'br'
      ? await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : await deflate(content)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  return { bytes, type, encoding, tag: `"${hash}-${encoding}"` }
}
