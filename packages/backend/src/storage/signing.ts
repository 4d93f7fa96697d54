import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signed addresses of the folder driver: `/files/<key>?…&signature=…`. The signature covers method, key and every
 * other part of the query, so none can be changed, added or left out.
 */
export const FILES_PATH = '/files/'

export interface SignedAccess {
  readonly method: 'PUT' | 'GET'
  readonly key: string
  /** Seconds since 1970. */
  readonly expires: number
  readonly contentType?: string
  readonly size?: number
  readonly maxBytes?: number
  readonly saveAs?: string
  /** A part of an upload in parts. */
  readonly part?: { readonly driverId: string; readonly number: number; readonly offset: number }
}

/** The address without an origin. */
export function signAccess(access: SignedAccess, secret: Buffer): string {
  const query = new URLSearchParams({ method: access.method, expires: String(access.expires) })
  if (access.contentType !== undefined) query.set('type', access.contentType)
  if (access.size !== undefined) query.set('size', String(access.size))
  if (access.maxBytes !== undefined) query.set('most', String(access.maxBytes))
  if (access.saveAs !== undefined) query.set('name', access.saveAs)
  if (access.part) {
    query.set('upload', access.part.driverId)
    query.set('part', String(access.part.number))
    query.set('at', String(access.part.offset))
  }
  query.set('signature', signatureOf(access.key, query, secret))
  return `${FILES_PATH}${access.key}?${query}`
}

/** Reads a signed address back; `undefined` when anything about it is wrong or it has expired. */
export function verifyAccess(
  method: string,
  key: string,
  query: URLSearchParams,
  secret: Buffer,
  now: Date,
): SignedAccess | undefined {
  const given = query.get('signature')
  const names = [...query.keys()]
  if (given === null || new Set(names).size !== names.length) return undefined
  const signed = new URLSearchParams(query)
  signed.delete('signature')
  const expected = Buffer.from(signatureOf(key, signed, secret))
  const actual = Buffer.from(given)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const signedMethod = signed.get('method')
  if (signedMethod !== 'PUT' && signedMethod !== 'GET') return undefined
  if (signedMethod !== (method === 'HEAD' ? 'GET' : method)) return undefined
  const expires = Number(signed.get('expires'))
  if (!(expires * 1000 > now.getTime())) return undefined
  const text = (name: string) => signed.get(name) ?? undefined
  const number = (name: string) => (signed.has(name) ? Number(signed.get(name)) : undefined)
  const contentType = text('type')
  const size = number('size')
  const maxBytes = number('most')
  const saveAs = text('name')
  const driverId = text('upload')
  return {
    method: signedMethod,
    key,
    expires,
    ...(contentType === undefined ? {} : { contentType }),
    ...(size === undefined ? {} : { size }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(saveAs === undefined ? {} : { saveAs }),
    ...(driverId === undefined
      ? {}
      : { part: { driverId, number: number('part') ?? 0, offset: number('at') ?? 0 } }),
  }
}

function signatureOf(key: string, query: URLSearchParams, secret: Buffer): string {
  const entries = [...query.entries()]
    .filter(([name]) => name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify(['mendframe-file-1', key, entries])
  return createHmac('sha256', secret).update(text).digest('base64url')
}
