import { asf } from './asf/index.ts'
import { avi } from './avi/index.ts'
import { bmp } from './bmp/index.ts'
import { cr3 } from './cr3/index.ts'
import { crw } from './crw/index.ts'
import { flv } from './flv/index.ts'
import type { Format } from './format.ts'
import { gif } from './gif/index.ts'
import { heif } from './heif/index.ts'
import { isobmff } from './isobmff/index.ts'
import { jpeg } from './jpeg/index.ts'
import { matroska } from './matroska/index.ts'
import { mpegps } from './mpegps/index.ts'
import { mpegts } from './mpegts/index.ts'
import { mpegvideo } from './mpegvideo/index.ts'
import { mrw } from './mrw/index.ts'
import { png } from './png/index.ts'
import { raf } from './raf/index.ts'
import { tiff } from './tiff/index.ts'
import { webp } from './webp/index.ts'
import { x3f } from './x3f/index.ts'

/** Every format the engine knows: one line each. */
export const FORMATS: readonly Format[] = [
  ...[asf, avi, flv, isobmff, matroska, mpegps, mpegts, mpegvideo],
  ...[bmp, cr3, crw, gif, heif, jpeg, mrw, png, raf, tiff, webp, x3f],
]
