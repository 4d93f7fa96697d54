/** One or two letters for a user: of the name's words, otherwise the email's first letter. */
export function initialsOf(name: string, email: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const first = words[0]
  if (first === undefined) return [...email][0]?.toUpperCase() ?? '?'
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return `${[...first][0] ?? ''}${last ? ([...last][0] ?? '') : ''}`.toUpperCase()
}
