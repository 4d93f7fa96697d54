/**
 * A path, or text out of a file, as it may be shown on a terminal or in a log: control characters, line ends and
 * marks that turn the writing direction are escaped, so that a hostile name stays one line and one name. Joiners
 * stay: scripts and emoji need them.
 */
export function printable(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}
