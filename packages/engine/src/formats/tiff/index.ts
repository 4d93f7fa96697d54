import { behindForeign } from '../behind-foreign.ts'
import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { leadingData } from './findings.ts'
import { probe } from './probe.ts'
import { findStart } from './read/start.ts'
import { repair } from './repair.ts'

/** TIFF 6.0, BigTIFF, and the raw formats of cameras that are built as TIFF (TIFF/EP, ISO 12234-2; DNG 1.7). */
export const tiff: Format = {
  name: 'tiff',
  kind: 'photo',
  extensions: [
    ...[
      'tif',
      'tiff',
      'dng',
      'cr2',
      'nef',
      'nrw',
      'arw',
      'sr2',
      'srf',
      'orf',
      'rw2',
      'pef',
      'srw',
      'erf',
      'kdc',
      'dcr',
    ],
    ...['3fr', 'iiq', 'gpr'],
  ],
  probe,
  ...behindForeign(findStart, leadingData, { diagnose, repair }),
}
