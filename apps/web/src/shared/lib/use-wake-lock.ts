import { useEffect } from 'react'

/** Keeps the screen awake while `active`. Where the browser cannot, nothing happens. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let over = false
    const take = async () => {
      if (document.visibilityState !== 'visible') return
      try {
        const taken = await navigator.wakeLock.request('screen')
        if (over) await taken.release()
        else lock = taken
      } catch {
        // A low battery or a setting forbids it; the upload goes on without.
      }
    }
    // The browser lets go of the lock when the page is hidden.
    document.addEventListener('visibilitychange', take)
    void take()
    return () => {
      over = true
      document.removeEventListener('visibilitychange', take)
      void lock?.release()
    }
  }, [active])
}
