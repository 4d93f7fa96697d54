import { webcrypto } from 'node:crypto'
import { GUEST_IDENTITIES, unseal } from '@mendframe/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { bearerFor } from '../../src/shared/api/identity.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('a guest`s identity goes with every call, from browsers without the newest encodings too', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const encodes = Object.getOwnPropertyDescriptor(Uint8Array.prototype, 'toBase64')
  Reflect.deleteProperty(Uint8Array.prototype, 'toBase64')
  try {
    const bearer = await bearerFor('/api/photoupload')
    expect(await unseal(bearer ?? '', webcrypto)).toBe(JSON.stringify(GUEST_IDENTITIES.photo))
  } finally {
    if (encodes) Object.defineProperty(Uint8Array.prototype, 'toBase64', encodes)
  }
})
