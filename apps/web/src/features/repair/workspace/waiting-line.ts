import { inWords } from '../../../shared/lib/in-words.ts'

/** What somebody reads whose repair waits for its turn behind so many others. */
export function waitingLine(ahead: number): string {
  if (ahead === 0) return 'Your repair is the next one.'
  return ahead === 1 ? 'One repair is before yours.' : `${inWords(ahead)} repairs are before yours.`
}
