import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { LEAVES_NOTHING } from '../shared/lib/leaves-nothing.ts'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { isLeavingAllowed, LEAVE_PROMPT } from './leave-prompt.ts'

/** Asks before the page is left: by the page's own dialog inside the site, by the browser's outside it. */
export function useLeaveGuard(active: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active && currentLocation.pathname !== nextLocation.pathname && nextLocation.state !== LEAVES_NOTHING,
  )

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    openOverlay({ ...LEAVE_PROMPT, onConfirm: () => blocker.proceed(), onCancel: () => blocker.reset() })
  }, [blocker])

  useEffect(() => {
    if (!active) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeavingAllowed()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [active])
}
