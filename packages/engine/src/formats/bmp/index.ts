import type { PhotoFormat } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Bitmaps of Windows and OS/2, with every header from BITMAPCOREHEADER to BITMAPV5HEADER. */
export const bmp: PhotoFormat = {
  name: 'bmp',
  kind: 'photo',
  extensions: ['bmp', 'dib'],
  probe,
  diagnose,
  repair,
}
