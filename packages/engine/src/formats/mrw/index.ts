import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Minolta's raw photos: blocks, then the sensor's data. ExifTool's tag documentation, `MinoltaRaw`. */
export const mrw: Format = { name: 'mrw', kind: 'photo', extensions: ['mrw'], probe, diagnose, repair }
