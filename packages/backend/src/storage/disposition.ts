/** Everything but RFC 5987's attr-char is escaped in the extended form. */
const escapeExtended = (text: string) =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * `Content-Disposition` that saves under a name people gave: a plain ASCII form and the exact one, RFC 6266 §4.3. Path
 * separators and control characters become underscores; half surrogate pairs are dropped.
 */
export function attachment(name: string): string {
  const clean = [...name.toWellFormed()]
    .map((character) =>
      character < ' ' || character === '\x7f' || '/\\:'.includes(character) ? '_' : character,
    )
    .join('')
  const plain = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${escapeExtended(clean)}`
}
