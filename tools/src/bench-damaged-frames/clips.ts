import { copyFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { type Damaged, DamageRecorder } from '../bench/damage.ts'
import { payloadOf } from '../bench/damages.ts'
import { concealCase } from '../bench-conceal/clips.ts'
import { drawFrom } from '../media/draw.ts'
import { makeClip } from '../media/make-clip.ts'
import { AAC } from '../media/recipe.ts'
import type { ClipSpec, VideoSpec } from '../media/spec.ts'

/** A recording with a damage of its payload; its tables stay whole. */
export interface DamagedFramesCase {
  readonly number: number
  readonly codec: string
  readonly damage: string
  readonly extension: string
  /** Writes the healthy recording. */
  make(path: string): Promise<void>
  damaged(bytes: Buffer): Damaged
}

/** Every third case is one with bytes missing: what follows lies elsewhere than its index says. */
const DELETED = 3
const LEAST_BYTES = 64
const MORE_BYTES = 448
/** Bytes missing of files that are named, and of long groups of pictures. */
const FILE_BYTES = 512
const NAME = 12

/** Cases from this number on have one group of pictures to their end: a damaged picture can disturb very many. */
const LONG_FROM = 51
const LONG_CODECS = ['h264', 'hevc', 'mpeg4'] as const

/** The case with a number, of a short recording drawn by lot: the same number gives the same one everywhere. */
export function damagedFramesCase(number: number): DamagedFramesCase {
  if (number >= LONG_FROM) return longGroupCase(number)
  const drawn = concealCase(number)
  const common = {
    ...drawn,
    extension: drawn.clip.container,
    make: (path: string) => makeClip(drawn.clip, path),
  }
  if (number % DELETED !== 0) return common
  return { ...common, damage: 'deleted', damaged: (bytes) => deleted(bytes, number, LEAST_BYTES, MORE_BYTES) }
}

/** 512 bytes missing of a recording whose pictures all go back to the first one. */
function longGroupCase(number: number): DamagedFramesCase {
  const draw = drawFrom(number + 0.5)
  const codec = LONG_CODECS[number % LONG_CODECS.length] ?? 'h264'
  const [width, height] = draw.one([
    [176, 144],
    [320, 180],
  ] as const)
  const clip: ClipSpec = {
    container: draw.one(['mp4', 'mov']),
    seconds: 4 + draw.below(3),
    ...{ width, height, seed: number },
    rate: draw.one(['25', '30000/1001']),
    video: {
      ...LONG_VIDEO[codec],
      bFrames: draw.one([0, 0, 2]),
      content: draw.one(['scenes', 'busy', 'fractal']),
    },
    audio: [{ ...AAC, content: 'noise' }],
  }
  return {
    ...{ number, codec, damage: 'long group', extension: clip.container },
    make: (path) => makeClip(clip, path),
    damaged: (bytes) => deleted(bytes, number, FILE_BYTES, 1),
  }
}

const LONG_VIDEO: Readonly<Record<(typeof LONG_CODECS)[number], Omit<VideoSpec, 'content' | 'bFrames'>>> = {
  h264: { codec: 'libx264', gop: 250, options: { preset: 'veryfast', crf: 24 } },
  hevc: {
    codec: 'libx265',
    gop: 250,
    options: { preset: 'ultrafast', crf: 24, 'x265-params': 'log-level=none:pools=1:frame-threads=1' },
  },
  mpeg4: { codec: 'mpeg4', gop: 250, options: { b: 600_000 } },
}

/** The case with a number of a file. */
export function fileCase(number: number, file: string): DamagedFramesCase {
  return {
    number,
    codec: 'file',
    damage: basename(file).slice(-NAME),
    extension: extname(file).slice(1),
    make: (path) => copyFile(file, path),
    damaged: (bytes) => deleted(bytes, number, FILE_BYTES, 1),
  }
}

function deleted(bytes: Buffer, seed: number, least: number, more: number): Damaged {
  const recorder = new DamageRecorder(bytes, seed)
  const { start, end } = payloadOf(bytes)
  const length = least + recorder.pick(more)
  const at = start + recorder.pick(Math.max(end - start - length, 1))
  return recorder.remove(at, at + length).finish()
}
