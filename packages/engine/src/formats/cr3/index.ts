import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Canon's raw photos of ISO boxes, as described by L. Clévy, "Describing the Canon Raw v3 (CR3) file format". */
export const cr3: Format = { name: 'cr3', kind: 'photo', extensions: ['cr3'], probe, diagnose, repair }
