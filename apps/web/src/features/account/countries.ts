import { COUNTRIES } from '@mendframe/contract'

/** The list of countries; the account's own comes first when it is not in it. */
export function countriesFor(own: string): readonly string[] {
  const known: readonly string[] = COUNTRIES
  return own === '' || known.includes(own) ? known : [own, ...known]
}
