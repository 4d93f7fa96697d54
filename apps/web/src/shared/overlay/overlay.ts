import { useSyncExternalStore } from 'react'

/** A dialog that any part of the page may ask for. Only one is open at a time. */
export type Overlay =
  | {
      readonly kind: 'sign-in'
      readonly product: 'video' | 'photo'
      readonly mode?: 'login' | 'signup'
      /** A reason to sign in: the dialog then says 'start downloading' instead of 'start repair'. */
      readonly logintext?: boolean
      /** Somebody was signed in until the service ended the session: the dialog says so. */
      readonly ended?: boolean
      /** Stay on this page after signing in; otherwise go to the start page. */
      readonly page?: 'same'
      /** A path of this site to go to after signing in, instead of either. */
      readonly goTo?: string
    }
  | {
      readonly kind: 'pricing'
      readonly product: 'video' | 'photo'
      readonly variant: 'upgrade' | 'limit' | 'exhausted' | 'exceeded'
      /** Id of the pack that was chosen already; the preselected one otherwise. */
      readonly pack?: string | undefined
      /** The file at hand: its preview or repaired copy. */
      readonly downloadUrl?: string
      readonly downloadLabel?: string
    }
  | { readonly kind: 'exceed-size'; readonly product: 'video' | 'photo' }
  | {
      readonly kind: 'manual-repair'
      readonly timestamp: string
      readonly fileName: string
    }
  | {
      readonly kind: 'confirm'
      readonly title: string
      readonly text: string
      readonly confirm: string
      readonly cancel: string
      readonly danger?: boolean
      readonly onConfirm: () => void
      /** Closed without confirming. */
      readonly onCancel?: () => void
    }

/** The dialog asked for, and whether it is open or on its way out. */
export interface OverlayState {
  readonly overlay: Overlay
  readonly open: boolean
}

let current: OverlayState | null = null
const listeners = new Set<() => void>()

function set(next: OverlayState | null): void {
  current = next
  for (const listener of listeners) listener()
}

/** Opens a dialog in the place of any other. Who is asked to log in already is not asked anew: the first knows where to go on. */
export function openOverlay(overlay: Overlay): void {
  if (overlay.kind === 'sign-in' && current?.open && current.overlay.kind === 'sign-in') return
  set({ overlay, open: true })
}

/** Begins to close the open dialog. */
export function closeOverlay(): void {
  if (current) set({ ...current, open: false })
}

/** The closing motion of a dialog is over. A dialog that was asked for meanwhile stays. */
export function overlayClosed(): void {
  if (current && !current.open) set(null)
}

/** The dialog that is asked for, if any. */
export function currentOverlay(): OverlayState | null {
  return current
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const nothing = () => null

/** The same, drawn anew whenever it changes. */
export function useOverlay(): OverlayState | null {
  return useSyncExternalStore(subscribe, currentOverlay, nothing)
}
