import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Advanced Systems Format: ASF Specification, revision 01.20.05. */
export const asf: Format = {
  name: 'asf',
  kind: 'recording',
  extensions: ['wmv', 'asf'],
  probe,
  diagnose,
  copiesAhead: true,
  repair,
}
