import type { PhotoFormat } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** GIF89a and GIF87a, animations with them. */
export const gif: PhotoFormat = {
  name: 'gif',
  kind: 'photo',
  extensions: ['gif'],
  probe,
  diagnose,
  repair,
}
