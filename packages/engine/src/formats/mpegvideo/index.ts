import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { EXTENSIONS } from './extensions.ts'
import { probe } from './probe.ts'
import { repair } from './repair.ts'

/** Bare pictures of MPEG-2, ITU-T H.262 (02/2012), and MPEG-1, ISO/IEC 11172-2:1993, in no container: of encoders and editors. */
export const mpegvideo: Format = {
  name: 'mpegvideo',
  kind: 'recording',
  extensions: EXTENSIONS,
  probe,
  diagnose,
  repair,
}
