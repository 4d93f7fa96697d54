import { SESSION_KEYS } from './session-keys.ts'

const listeners = new Set<() => void>()

/** Tells this page that the remembered user changed; other tabs hear it from the browser. */
export function sessionChanged(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/**
 * Source for `useSyncExternalStore`: whether a user of the flavour is remembered. It only looks for an email, so that
 * the landing pages need nothing else to know whom they greet.
 */
export function signedInSource(product: 'video' | 'photo') {
  return {
    subscribe,
    current(): boolean {
      try {
        return /"email":"[^"]/.test(localStorage.getItem(SESSION_KEYS[product]) ?? '')
      } catch {
        return false
      }
    },
    onServer: () => false,
  }
}
