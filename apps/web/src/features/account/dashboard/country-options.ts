import { COUNTRIES } from '@mendframe/contract'

/** The countries to choose from; the user's own comes first if the list lacks it. */
export function countryOptions(own: string): readonly string[] {
  const country = own.trim()
  return country === '' || COUNTRIES.some((each) => each === country) ? COUNTRIES : [country, ...COUNTRIES]
}
