import { useSyncExternalStore } from 'react'
import { desktopUrl } from './platform.ts'

const never = () => () => {}
const here = () => desktopUrl(navigator.userAgent)
const prerendered = () => desktopUrl('')

/** Address of the desktop software for the visitor's system; the Windows page while the page is prerendered. */
export function useDesktopUrl(): string {
  return useSyncExternalStore(never, here, prerendered)
}
