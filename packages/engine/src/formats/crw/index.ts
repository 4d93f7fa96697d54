import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Canon's raw photos of heaps: CIFF (Camera Image File Format) 1.0 r4. */
export const crw: Format = { name: 'crw', kind: 'photo', extensions: ['crw'], probe, diagnose, repair }
