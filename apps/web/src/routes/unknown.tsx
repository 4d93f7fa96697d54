import { ErrorScreen } from '../features/chrome/error-screen.tsx'
import { UnknownPage } from '../shared/lib/unknown-page.ts'

/** The screen brings its title. */
export function meta() {
  return []
}

/** Any address that has no page: the fallback of the router. */
export default function UnknownRoute() {
  return <ErrorScreen error={new UnknownPage()} />
}
