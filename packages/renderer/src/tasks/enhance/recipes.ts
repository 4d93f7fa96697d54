import {
  FF_ENCODER_DVVIDEO,
  FF_ENCODER_H263,
  FF_ENCODER_LIBX264,
  FF_ENCODER_MJPEG,
  FF_ENCODER_PRORES_KS,
  type FFEncoderCodec,
} from 'node-av/constants'
import { RendererError } from '../../errors.ts'
import type { InputStream } from '../../media/input.ts'
import { avcSplicer } from './avc.ts'

/** How the encoder's packets become samples of the track. */
export interface Splicer {
  /** A sample of the track from a packet. */
  sample(packet: Buffer, configuration: Buffer): Buffer
  /** The track's configuration with the encoder's added, when it has to change. */
  extend?(configuration: Buffer): Buffer
  /** The box of the sample entry that holds it. */
  readonly box?: string
}

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
          crf: 16,
          ...(profile ? { profile } : {}),
          ...level,
          'forced-idr': 1,
          'x264-params': `sps-id=${splicer.id}:stitchable=1:keyint=infinite:scenecut=0:bframes=0`,
        },
        global: true,
        splicer,
      }
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
