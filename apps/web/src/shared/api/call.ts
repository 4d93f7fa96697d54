import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '@mendframe/contract'
import { hostOf } from '../config/hosts.ts'
import { readToken } from '../storage/session.ts'
import { NoAnswer, readFailure, UnreadableAnswer } from './failure.ts'
import { bearerFor } from './identity.ts'
import { endRefusedSession } from './session-end.ts'

type Given<K extends string, V> = V extends undefined
  ? { readonly [P in K]?: undefined }
  : { readonly [P in K]: V }

/** What a call sends: exactly what its route in the contract asks for. */
export type Sent<R extends Route> = Given<'body', BodyOf<R>> &
  Given<'query', QueryOf<R>> &
  Given<'params', ParamsOf<R>> & { readonly signal?: AbortSignal }

interface Loose {
  readonly body?: unknown
  readonly query?: unknown
  readonly params?: unknown
  readonly signal?: AbortSignal
}

function entries(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [key, String(item)])
}

function read<const S extends Route['reply']>(schema: S, body: unknown) {
  return schema.safeParse(body)
}

/** The address of a route with its places and its query filled in. */
export function addressOf(route: Route, sent: Loose): string {
  let path = route.path
  for (const [key, value] of entries(sent.params)) path = path.replace(`:${key}`, encodeURIComponent(value))
  const query = new URLSearchParams(entries(sent.query)).toString()
  return `${hostOf(path)}${path}${query ? `?${query}` : ''}`
}

/** A result address of a reply, absolute or relative to the address that answered. */
export function resolveAddress(address: string, answeredBy: string): string {
  return new URL(address, new URL(answeredBy, window.location.href)).href
}

/**
 * Makes one call of the contract. The HTTP layer has no timeout of its own and takes 2xx as success.
 * @throws ApiFailure the server refused; where it knows no session any more, this page forgets it too
 * @throws NoAnswer the server could not be reached
 * @throws UnreadableAnswer the answer is not what the contract says
 * @throws DOMException AbortError when `signal` fired
 */
export async function call<const R extends Route>(route: R, sent: Sent<R>): Promise<ReplyOf<R>> {
  const loose: Loose = sent
  const headers = new Headers({ accept: 'application/json' })
  const token = readToken()
  const bearer = await bearerFor(route.path)
  if (bearer) headers.set('authorization', `Bearer ${bearer}`)
  const init: RequestInit = { method: route.method, headers, credentials: 'include' }
  if (route.method === 'POST') {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(loose.body ?? {})
  }
  if (loose.signal) init.signal = loose.signal

  let response: Response
  try {
    response = await fetch(addressOf(route, loose), init)
  } catch (cause) {
    if (loose.signal?.aborted) throw cause
    throw new NoAnswer('The service cannot be reached.', { cause })
  }
  if (!response.ok) {
    const failure = await readFailure(response)
    endRefusedSession(failure, token)
    throw failure
  }
  let body: unknown
  try {
    body = await response.json()
  } catch (cause) {
    throw new UnreadableAnswer('The answer is not JSON.', { cause })
  }
  const reply = read<R['reply']>(route.reply, body)
  if (!reply.success) throw new UnreadableAnswer(`The answer of ${route.path} is not what was agreed.`)
  return reply.data
}
