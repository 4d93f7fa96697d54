import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/**
 * Fujifilm's raw photos: a directory of a JPEG picture, facts and the sensor's data. ExifTool's tag documentation, `FujiFilm
 * RAF`.
 */
export const raf: Format = { name: 'raf', kind: 'photo', extensions: ['raf'], probe, diagnose, repair }
