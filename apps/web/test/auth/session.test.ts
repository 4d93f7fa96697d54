import type { User } from '@mendframe/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromCallError, toCallError } from '../../src/shared/api/base-api.ts'
import { ApiFailure, NoAnswer } from '../../src/shared/api/failure.ts'
import { endRefusedSession } from '../../src/shared/api/session-end.ts'
import { setWayBack } from '../../src/shared/api/way-back.ts'
import { closeOverlay, currentOverlay, openOverlay, overlayClosed } from '../../src/shared/overlay/overlay.ts'
import { clearSession, readToken, readUser, storeSession } from '../../src/shared/storage/session.ts'

const user = (email: string): User => ({
  name: '',
  email,
  current_plan: 'Free',
  country: '',
  created_at: '2026-11-20T00:00:00Z',
  email_verified: false,
})

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('window', { location: { pathname: '/admin/dashboard', search: '' } })
  storeSession('video', user('mira@example.com'), 'token')
  storeSession('photo', user('mira@example.com'), 'token')
})
afterEach(() => {
  setWayBack(undefined)
  closeOverlay()
  overlayClosed()
  vi.unstubAllGlobals()
})

const remembered = () => [readToken(), readUser('video')?.email, readUser('photo')?.email]
const NOBODY = [null, undefined, undefined]

describe('the one session of both flavours', () => {
  it('ends in both at once', () => {
    clearSession()
    expect(remembered()).toEqual(NOBODY)
  })

  it('ends when the service does not know it, for either reason', () => {
    endRefusedSession(new ApiFailure(401, 'auth.required', ''), 'token')
    expect(remembered()).toEqual(NOBODY)
    storeSession('video', user('mira@example.com'), 'token')
    endRefusedSession(new ApiFailure(401, 'auth.invalid-session', ''), 'token')
    expect(remembered()).toEqual(NOBODY)
  })

  it('ends too where the token is gone and only the user was left behind', () => {
    localStorage.removeItem('token')
    endRefusedSession(new ApiFailure(401, 'auth.required', ''), null)
    expect(remembered()).toEqual(NOBODY)
  })

  it('goes on when a call fails for another reason, or was made with an older token', () => {
    const before = remembered()
    endRefusedSession(new ApiFailure(403, 'auth.password-wrong', ''), 'token')
    endRefusedSession(new NoAnswer('down'), 'token')
    endRefusedSession(new ApiFailure(401, 'auth.invalid-session', ''), 'an older one')
    expect(remembered()).toEqual(before)
  })

  it('leads back to the page, or to its work, however often the log-in is asked for meanwhile', () => {
    endRefusedSession(new ApiFailure(401, 'auth.required', ''), 'token')
    expect(currentOverlay()?.overlay).toMatchObject({
      kind: 'sign-in',
      goTo: '/admin/dashboard',
      ended: true,
    })
    closeOverlay()
    storeSession('video', user('mira@example.com'), 'token')
    setWayBack('/resume?u=one')
    endRefusedSession(new ApiFailure(401, 'auth.required', ''), 'token')
    openOverlay({ kind: 'sign-in', product: 'video' })
    expect(currentOverlay()?.overlay).toMatchObject({ kind: 'sign-in', goTo: '/resume?u=one' })
  })

  it('is one person`s: somebody else who signs in to one flavour is not mixed with the other', () => {
    storeSession('photo', user('noor@example.com'), 'another')
    expect(remembered()).toEqual(['another', undefined, 'noor@example.com'])
  })
})

describe('a failure kept in the store', () => {
  it('is the same failure when it is thrown again', () => {
    const refused = new ApiFailure(500, 'server.error', 'broken')
    expect(fromCallError(toCallError(refused))).toEqual(refused)
    expect(fromCallError(toCallError(new NoAnswer('down')))).toEqual(new NoAnswer('down'))
  })
})
