import { bitsApart } from '../../../bytes/bits-apart.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { emptyPicture, readPicture } from '../../../codecs/mpeg12/headers.ts'
import { EXTENSION, GROUP, PICTURE } from '../../../codecs/mpeg12/unit-walker.ts'

/**
 * Bytes of a group's header; of a picture's, which the vectors' ranges of its type make longer, ITU-T H.262 (02/2012) §6.2.2.6,
 * §6.2.3.
 */
export const GROUP_BYTES = 8
const PICTURE_BYTES = { least: 8, most: 10 } as const
const FIRST_SLICE = 1

/** The start code as it was of a header one bit of whose start code was turned. */
export interface HitHead {
  readonly value: typeof PICTURE | typeof GROUP
  readonly code: Uint8Array
}

/**
 * What fills [at, next) where that is the header of a picture or of a group with one bit of its start code turned. `follows`: the
 * value of the start code at `next`, which has to be one that stands behind such a header.
 */
export function hitHeadAt(
  reader: ByteReader,
  at: number,
  next: number,
  follows: number,
  mpeg1: boolean,
): HitHead | undefined {
  const length = next - at
  if (length === GROUP_BYTES && follows === PICTURE) return oneBitOff(reader, at, GROUP)
  if (length < PICTURE_BYTES.least || length > PICTURE_BYTES.most) return undefined
  const isFollowed = follows === (mpeg1 ? FIRST_SLICE : EXTENSION)
  if (!isFollowed || !readPicture(reader.bytes(at + 4, length - 4), emptyPicture())) return undefined
  return oneBitOff(reader, at, PICTURE)
}

/**
 * Where the header of a group whose start code was hit stands at the end of [at, next), behind a sequence's; -1 where none does.
 */
export function hiddenGroup(reader: ByteReader, at: number, next: number, follows: number): number {
  const group = next - GROUP_BYTES
  return follows === PICTURE && group > at && oneBitOff(reader, group, GROUP) ? group : -1
}

function oneBitOff(reader: ByteReader, at: number, value: HitHead['value']): HitHead | undefined {
  const code = Uint8Array.of(0, 0, 1, value)
  return bitsApart(code, reader.bytes(at, code.length)) === 1 ? { value, code } : undefined
}
