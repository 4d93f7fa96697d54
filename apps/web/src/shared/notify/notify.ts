import { useSyncExternalStore } from 'react'

export type NoticeKind = 'success' | 'info' | 'error'

export interface Notice {
  readonly kind: NoticeKind
  readonly text: string
  readonly title?: string
}

const waiting: Notice[] = []
let wanted = false
let show: ((notice: Notice) => void) | undefined
const listeners = new Set<() => void>()

/** Shows a toast. The toasts' own script is fetched with the first of them. */
export function notify(kind: NoticeKind, text: string, title?: string): void {
  const notice: Notice = title === undefined ? { kind, text } : { kind, text, title }
  if (show) {
    show(notice)
    return
  }
  waiting.push(notice)
  wanted = true
  for (const listener of listeners) listener()
}

/** The toast container calls this once it is on the page; what waited is shown at once. */
export function connectToasts(shower: (notice: Notice) => void): () => void {
  show = shower
  for (const notice of waiting.splice(0)) shower(notice)
  return () => {
    show = undefined
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether anything was ever said, so that the container is needed. */
export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => wanted,
    () => false,
  )
}
