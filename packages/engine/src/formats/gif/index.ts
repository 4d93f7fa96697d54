import { behindForeign } from '../behind-foreign.ts'
import type { PhotoFormat } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { finding } from './findings.ts'
import { probe } from './probe.ts'
import { findStart } from './read/start.ts'
import { repair } from './repair.ts'

/** GIF89a and GIF87a, animations with them. */
export const gif: PhotoFormat = {
  name: 'gif',
  kind: 'photo',
  extensions: ['gif'],
  probe,
  ...behindForeign(findStart, (bytes) => finding('leading', `${bytes} bytes in front of the picture`, 0), {
    diagnose,
    repair,
  }),
}
