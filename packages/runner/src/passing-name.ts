/**
 * A part of a name for a file that is there for a while only: another one each time. It is no secret, since such files are opened
 * only where there is none; the runtime's secure numbers would take as long to load as half of our own code.
 */
export function passingName(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0')
}
