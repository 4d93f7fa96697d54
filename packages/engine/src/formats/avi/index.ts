import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Audio Video Interleave (AVI RIFF File Reference) with the extensions of OpenDML AVI 1.02. */
export const avi: Format = {
  name: 'avi',
  kind: 'recording',
  extensions: ['avi', 'divx'],
  probe,
  diagnose,
  copiesAhead: true,
  repair,
}
