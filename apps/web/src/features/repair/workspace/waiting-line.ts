import { inWords } from '../../../shared/lib/in-words.ts'

/** The heading of what waits for the connection to the service. */
export const NO_CONNECTION = 'Waiting for your connection'

/** What becomes of a repair that the page hears nothing of. */
export const GOES_ON_UNSEEN =
  'No connection to our service. The repair goes on there without you; this page shows it again by itself when the connection is back.'

/** What somebody reads whose repair waits for its turn behind so many others. */
export function waitingLine(ahead: number): string {
  if (ahead === 0) return 'Your repair is the next one.'
  return ahead === 1 ? 'One repair is before yours.' : `${inWords(ahead)} repairs are before yours.`
}
