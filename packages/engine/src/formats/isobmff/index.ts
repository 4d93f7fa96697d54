import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { profile } from './profile.ts'
import { readPictures } from './read-pictures.ts'
import { repair } from './repair.ts'

/** ISO base media file format and QuickTime: ISO/IEC 14496-12:2022, 3GPP TS 26.244, QuickTime File Format. */
export const isobmff: Format = {
  name: 'isobmff',
  kind: 'recording',
  extensions: ['mp4', 'mov', 'm4v', '3gp', '3g2', 'f4v'],
  copiesAhead: true,
  probe,
  diagnose,
  repair,
  profile,
  readPictures,
}
