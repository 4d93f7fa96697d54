import { behindForeign } from '../behind-foreign.ts'
import type { PhotoFormat } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { finding } from './findings.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'
import { findStart } from './start.ts'

/** Bitmaps of Windows and OS/2, with every header from BITMAPCOREHEADER to BITMAPV5HEADER. */
export const bmp: PhotoFormat = {
  name: 'bmp',
  kind: 'photo',
  extensions: ['bmp', 'dib'],
  probe,
  ...behindForeign(
    findStart,
    (bytes) => finding('leading', `${bytes} bytes in front of the bitmap`, { offset: 0, length: bytes }),
    { diagnose, repair },
  ),
}
