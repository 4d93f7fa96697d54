import {
  FF_ENCODER_DNXHD,
  FF_ENCODER_DVVIDEO,
  FF_ENCODER_H263,
  FF_ENCODER_LIBSVTAV1,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  FF_ENCODER_MJPEG,
  FF_ENCODER_MPEG1VIDEO,
  FF_ENCODER_MPEG2VIDEO,
  FF_ENCODER_MPEG4,
  FF_ENCODER_PRORES_KS,
  type FFEncoderCodec,
} from 'node-av/constants'
import { RendererError } from '../../errors.ts'
import type { InputStream } from '../../media/input.ts'
import { avcSplicer } from './avc.ts'
import { hevcSplicer } from './hevc.ts'
import type { Splicer } from './splicer.ts'

/** How stretches of a codec are encoded so that they fit between the untouched samples. */
export interface Recipe {
  readonly encoder: FFEncoderCodec
  readonly options: Readonly<Record<string, string | number>>
  /** Parameter sets apart from the packets. */
  readonly global: boolean
  readonly splicer: Splicer
}

/** Packets of codecs that carry all a decoder needs in every key picture. */
const PLAIN: Splicer = { sample: (packet) => packet }

/** The library's quality scale counts in steps of 118. */
const FINE = { flags: '+qscale', global_quality: 2 * 118 } as const

/** Nothing that `hevc-headers.ts` does not read. */
const HEVC_TOOLS =
  'bframes=0:keyint=-1:scenecut=0:open-gop=0:weightp=0:weightb=0:wpp=0:slices=1:info=0:frame-threads=1:pools=2:log-level=none'

/** One packet a picture: nothing is held back, nothing hidden. */
const VP9_TOOLS = {
  crf: 16,
  b: 0,
  deadline: 'good',
  'cpu-used': 4,
  'auto-alt-ref': 0,
  'lag-in-frames': 0,
} as const
const AV1_TOOLS = {
  preset: 8,
  crf: 20,
  g: -1,
  'svtav1-params': 'pred-struct=1:lookahead=0:enable-tf=0',
} as const

const H264_PROFILES: Readonly<Record<number, string>> = {
  66: 'baseline',
  77: 'main',
  88: 'main',
  100: 'high',
  110: 'high10',
  122: 'high422',
  244: 'high444',
}
/** Bits of a profile number that only name constraints. */
const PROFILE_MASK = 0xff

/** @throws RendererError `unsupported` for codecs that cannot be encoded to fit */
export function recipeFor(input: InputStream): Recipe {
  const parameters = input.stream.codecpar
  switch (input.codec) {
    case 'h264': {
      const splicer = avcSplicer(parameters.extradata ?? Buffer.alloc(0))
      const profile = H264_PROFILES[parameters.profile & PROFILE_MASK]
      const level = parameters.level > 0 ? { level: parameters.level / 10 } : {}
      return {
        encoder: FF_ENCODER_LIBX264,
        options: {
          preset: 'faster',
          crf: 12,
          ...(profile ? { profile } : {}),
          ...level,
          'forced-idr': 1,
          'x264-params': `sps-id=${splicer.id}:stitchable=1:keyint=infinite:scenecut=0:bframes=0`,
        },
        global: true,
        splicer,
      }
    }
    case 'hevc':
      return {
        encoder: FF_ENCODER_LIBX265,
        options: { preset: 'veryfast', crf: 12, 'forced-idr': 1, 'x265-params': HEVC_TOOLS },
        global: true,
        splicer: hevcSplicer(parameters.extradata ?? Buffer.alloc(0)),
      }
    case 'mjpeg':
      return { encoder: FF_ENCODER_MJPEG, options: FINE, global: false, splicer: PLAIN }
    case 'prores':
      return {
        encoder: FF_ENCODER_PRORES_KS,
        options: { profile: Math.max(parameters.profile, 0), vendor: 'apl0' },
        global: false,
        splicer: PLAIN,
      }
    case 'dnxhd':
      return {
        encoder: FF_ENCODER_DNXHD,
        options: {
          profile: Math.max(parameters.profile, 0),
          ...(parameters.bitRate > 0n ? { b: String(parameters.bitRate) } : {}),
        },
        global: false,
        splicer: PLAIN,
      }
    case 'mpeg4':
      // The headers of the track serve the stretches too; where they do not fit, the proof tells.
      return { encoder: FF_ENCODER_MPEG4, options: FINE, global: true, splicer: PLAIN }
    case 'mpeg2video':
      return { encoder: FF_ENCODER_MPEG2VIDEO, options: FINE, global: false, splicer: PLAIN }
    case 'mpeg1video':
      return { encoder: FF_ENCODER_MPEG1VIDEO, options: FINE, global: false, splicer: PLAIN }
    case 'vp9':
      return { encoder: FF_ENCODER_LIBVPX_VP9, options: VP9_TOOLS, global: false, splicer: PLAIN }
    case 'av1':
      return { encoder: FF_ENCODER_LIBSVTAV1, options: AV1_TOOLS, global: false, splicer: PLAIN }
    case 'h263':
      return { encoder: FF_ENCODER_H263, options: FINE, global: false, splicer: PLAIN }
    case 'dvvideo':
      return { encoder: FF_ENCODER_DVVIDEO, options: {}, global: false, splicer: PLAIN }
    default:
      throw new RendererError(
        'unsupported',
        `pictures of ${input.codec} cannot be encoded to fit between the others`,
      )
  }
}
