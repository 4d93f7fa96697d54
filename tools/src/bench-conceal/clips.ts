import type { ByteRange } from '@mendframe/renderer'
import { type Damaged, DamageRecorder } from '../bench/damage.ts'
import { payloadOf } from '../bench/damages.ts'
import { type Draw, drawFrom } from '../media/draw.ts'
import { AAC } from '../media/recipe.ts'
import type { ClipSpec, VideoSpec } from '../media/spec.ts'

/**
 * A short recording with a damage of its payload, both drawn by lot; its tables stay whole, as a bad card or cable leaves them.
 */
export interface ConcealCase {
  readonly number: number
  readonly codec: string
  readonly damage: string
  readonly clip: ClipSpec
  damaged(bytes: Buffer): Damaged
}

const SIZES = [
  [176, 144],
  [320, 180],
  [352, 288],
] as const
const CODECS = ['h264', 'hevc', 'mpeg4', 'mpeg2'] as const
const DAMAGES = ['noise', 'zeros', 'flips'] as const
/** Bytes of a burst of noise, and most places of each damage. */
const NOISE_BYTES = 40
const MOST_PLACES = 12

/** The case with a number: codecs and damages take turns, the rest is drawn; the same number gives the same one everywhere. */
export function concealCase(number: number): ConcealCase {
  const draw = drawFrom(number + 0.75)
  const codec = CODECS[number % CODECS.length] ?? 'h264'
  const kind = DAMAGES[Math.floor(number / CODECS.length) % DAMAGES.length] ?? 'noise'
  const [width, height] = draw.one(SIZES)
  const places = 1 + draw.below(MOST_PLACES)
  const container = draw.one(['mp4', 'mov'])
  return {
    number,
    codec,
    damage: `${kind} in ${places}`,
    clip: {
      container,
      seconds: 2 + draw.below(2),
      width,
      height,
      rate: draw.one(['24', '25', '30000/1001', '30']),
      seed: number,
      video: { ...videoOf(codec, draw), content: draw.one(['scenes', 'busy', 'fractal']) },
      audio: [{ ...AAC, content: 'noise' }],
    },
    damaged: (bytes) => strike(bytes, kind, places, number),
  }
}

function videoOf(codec: (typeof CODECS)[number], draw: Draw): Omit<VideoSpec, 'content'> {
  const gop = draw.one([12, 15, 24, 30, 48])
  const bFrames = draw.one([0, 0, 2, 3])
  if (codec === 'h264') {
    const params = [`slices=${draw.one([1, 1, 2, 4])}`, `cabac=${draw.happens(0.75) ? 1 : 0}`].join(':')
    const options = {
      preset: draw.one(['ultrafast', 'veryfast']),
      crf: 20 + draw.below(8),
      'x264-params': params,
    }
    return { codec: 'libx264', gop, bFrames, options }
  }
  if (codec === 'hevc') {
    const params = [
      'log-level=none',
      'pools=1',
      'frame-threads=1',
      `open-gop=${draw.happens(0.5) ? 1 : 0}`,
    ].join(':')
    return {
      codec: 'libx265',
      gop,
      bFrames,
      options: { preset: 'ultrafast', crf: 24, 'x265-params': params },
    }
  }
  const options = { b: draw.one([400_000, 1_500_000]) }
  return { codec: codec === 'mpeg4' ? 'mpeg4' : 'mpeg2video', gop, bFrames: Math.min(bFrames, 2), options }
}

function strike(bytes: Buffer, kind: (typeof DAMAGES)[number], places: number, seed: number): Damaged {
  const recorder = new DamageRecorder(bytes, seed)
  const { start, end }: ByteRange = payloadOf(bytes)
  if (kind === 'flips') return recorder.flip(places, start, end).finish()
  for (let done = 0; done < places; done++) {
    const length = kind === 'noise' ? NOISE_BYTES : 64 + recorder.pick(448)
    const at = start + recorder.pick(Math.max(end - start - length, 1))
    if (kind === 'noise') recorder.scramble(at, at + length)
    else recorder.zero(at, at + length)
  }
  return recorder.finish()
}
