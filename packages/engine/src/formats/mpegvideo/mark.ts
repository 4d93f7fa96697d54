import { USER_DATA } from '../../codecs/mpeg12/unit-walker.ts'

/**
 * User data in the header of a picture of which not all is there, ITU-T H.262 (02/2012) §6.3.4.1: decoders pass over it, and what
 * was repaired is not taken for damaged again.
 */
export const MARK: Uint8Array = Uint8Array.of(
  ...[0, 0, 1, USER_DATA],
  ...Array.from('mendframe: incomplete picture', (letter) => letter.charCodeAt(0)),
)

/** Whether user data with its start code is the mark. */
export function isMark(bytes: Uint8Array): boolean {
  return bytes.length >= MARK.length && MARK.every((byte, at) => bytes[at] === byte)
}
