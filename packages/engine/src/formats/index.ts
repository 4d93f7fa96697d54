import { asf } from './asf/index.ts'
import { avi } from './avi/index.ts'
import { flv } from './flv/index.ts'
import type { Format } from './format.ts'
import { heif } from './heif/index.ts'
import { isobmff } from './isobmff/index.ts'
import { jpeg } from './jpeg/index.ts'
import { matroska } from './matroska/index.ts'
import { mpegps } from './mpegps/index.ts'
import { mpegts } from './mpegts/index.ts'
import { png } from './png/index.ts'
import { tiff } from './tiff/index.ts'

/** Every format the engine knows: one line each. */
export const FORMATS: readonly Format[] = [
  asf,
  avi,
  flv,
  heif,
  isobmff,
  jpeg,
  matroska,
  mpegps,
  mpegts,
  png,
  tiff,
]
