import { TIFF_RAWS } from '../../photo/raw/extensions.ts'
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
  extensions: ['tif', 'tiff', ...TIFF_RAWS],
  probe,
  ...behindForeign(findStart, leadingData, { diagnose, repair }),
}
