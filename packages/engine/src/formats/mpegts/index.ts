import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** MPEG-2 transport streams, ISO/IEC 13818-1:2022: of camcorders (AVCHD), of Blu-ray discs, of broadcasts. */
export const mpegts: Format = {
  name: 'mpegts',
  kind: 'recording',
  extensions: ['mts', 'm2ts', 'ts', 'm2t'],
  probe,
  diagnose,
  copiesAhead: true,
  repair,
}
