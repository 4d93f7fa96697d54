import { useSyncExternalStore } from 'react'
import { signedInSource } from './session-signal.ts'

const SOURCES = { video: signedInSource('video'), photo: signedInSource('photo') }

/** Whether somebody is signed in to a flavour; `false` while the page is prerendered and at its first paint. */
export function useSignedIn(product: 'video' | 'photo'): boolean {
  const source = SOURCES[product]
  return useSyncExternalStore(source.subscribe, source.current, source.onServer)
}
