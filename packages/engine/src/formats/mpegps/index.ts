import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Program streams of MPEG-2, ISO/IEC 13818-1:2022, and MPEG-1, ISO/IEC 11172-1:1993: of camcorders, DVDs and Video CDs. */
export const mpegps: Format = {
  name: 'mpegps',
  kind: 'recording',
  extensions: ['mpg', 'mpeg', 'dat', 'vob', 'mod'],
  probe,
  diagnose,
  copiesAhead: true,
  repair,
}
