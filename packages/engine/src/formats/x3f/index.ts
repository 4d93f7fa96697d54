import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Sigma's raw photos: sections and their directory at the end. ExifTool's tag documentation, `SigmaRaw`. */
export const x3f: Format = { name: 'x3f', kind: 'photo', extensions: ['x3f'], probe, diagnose, repair }
