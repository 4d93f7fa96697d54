import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { EXTENSIONS } from './extensions.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** High Efficiency Image File Format, ISO/IEC 23008-12:2022, with HEVC or AV1 pictures (AVIF). */
export const heif: Format = {
  name: 'heif',
  kind: 'photo',
  extensions: [...EXTENSIONS],
  probe,
  diagnose,
  repair,
}
