import type { PhotoFormat } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** WebP: lossy and lossless, with transparency, metadata and animations. */
export const webp: PhotoFormat = {
  name: 'webp',
  kind: 'photo',
  extensions: ['webp'],
  probe,
  diagnose,
  repair,
}
