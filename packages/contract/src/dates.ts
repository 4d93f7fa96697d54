const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`
}

/** `createdOn` of a purchase: `1st January 2026`, in UTC. */
export function formatOrdinalDate(date: Date): string {
  return `${ordinal(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** The UTC day that `formatOrdinalDate` wrote; `undefined` for any other text. */
export function parseOrdinalDate(text: string): Date | undefined {
  const match = /^(\d{1,2})(?:st|nd|rd|th) ([A-Z][a-z]+) (\d{4})$/.exec(text.trim())
  if (!match) return undefined
  const day = Number(match[1])
  const month = MONTHS.indexOf(match[2] ?? '')
  if (month < 0) return undefined
  const date = new Date(Date.UTC(Number(match[3]), month, day))
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date : undefined
}

/** A long US date in UTC, `January 1, 2026`, as the dashboard shows `created_at`. */
export function formatLongDate(date: Date): string {
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}
