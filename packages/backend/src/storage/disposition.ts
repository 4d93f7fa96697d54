/** Everything but RFC 5987's attr-char is escaped in the extended form. */
const escapeExtended = (text: string) =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Characters that change the direction in which what follows is shown: `gpj.exe` would read as `exe.jpg`. */
const TURNS_TEXT = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/**
 * `Content-Disposition` that saves under a name people gave: a plain ASCII form and the exact one, RFC 6266 §4.3. Path
 * separators, control characters and those that turn text around become underscores; half surrogate pairs are dropped.
 */
export function attachment(name: string): string {
  const clean = [...name.toWellFormed()]
    .map((character) =>
      character < ' ' || character === '\x7f' || '/\\:'.includes(character) || TURNS_TEXT.test(character)
        ? '_'
        : character,
    )
    .join('')
  const plain = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${escapeExtended(clean)}`
}
