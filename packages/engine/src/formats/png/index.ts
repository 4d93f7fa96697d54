import type { PhotoFormat } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** PNG (Third Edition), its animations with it. */
export const png: PhotoFormat = {
  name: 'png',
  kind: 'photo',
  extensions: ['png', 'apng'],
  probe,
  diagnose,
  repair,
}
