import type { IfdEntry } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG, TYPE } from '../../../syntax/tiff-ifd/tags.ts'
import type { Patches } from '../write/patches.ts'

const CHANNELS = 3
const MOST_COLOURS = 1 << 16
const WHITE = 0xffff

/** Whether a field is a palette, TIFF 6.0 §5. */
export function isPalette({ tag, type, count }: IfdEntry): boolean {
  const colours = count / CHANNELS
  return (
    tag === TAG.colorMap &&
    type === TYPE.short &&
    colours >= 2 &&
    colours <= MOST_COLOURS &&
    colours % 2 === 0
  )
}

/**
 * Puts shades from black to white in place of a palette's colours that are behind the end of the file. `patches` must reach as
 * far.
 */
export function fillPalette(
  { reader, little }: TiffNumbers,
  { valueAt, count }: IfdEntry,
  patches: Patches,
): void {
  const colours = count / CHANNELS
  const first = Math.max(0, Math.floor((reader.size - valueAt) / 2))
  const shades = new DataView(new ArrayBuffer((count - first) * 2))
  for (let i = first; i < count; i++)
    shades.setUint16((i - first) * 2, Math.round((WHITE * (i % colours)) / (colours - 1)), little)
  patches.put(valueAt + first * 2, new Uint8Array(shades.buffer))
}
