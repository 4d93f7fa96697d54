import { type ReactNode, useSyncExternalStore } from 'react'
import { desktopUrl } from '../lib/platform.ts'

const never = () => () => undefined

/** Address of the desktop software for this visitor: Mac or Windows by user agent. */
export function useDesktopUrl(): string {
  return useSyncExternalStore(
    never,
    () => desktopUrl(navigator.userAgent),
    () => desktopUrl(''),
  )
}

/** A link to the desktop software inside running text. */
export function DesktopLink({
  children,
  className = 'inline-link',
}: {
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <a className={className} href={useDesktopUrl()}>
      {children}
    </a>
  )
}
