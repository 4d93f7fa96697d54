import { readFileSync, writeFileSync } from 'node:fs'
import { makeClip } from '../../../tools/src/media/make-clip.ts'
import type { ClipSpec } from '../../../tools/src/media/spec.ts'

const CAMERA: Omit<ClipSpec, 'seed' | 'seconds'> = {
  container: 'mp4',
  width: 320,
  height: 240,
  rate: '30',
  video: { codec: 'libx264', content: 'busy', bFrames: 2, options: { preset: 'ultrafast' } },
  audio: [{ codec: 'aac', content: 'noise' }],
}

/** A recording of our camera, another for each seed. Its index is at the end, as cameras write it. */
export function record(path: string, seed: number, seconds = 2): Promise<void> {
  return makeClip({ ...CAMERA, seed, seconds }, path)
}

/** A recording of a camera with another codec. */
export function recordElsewhere(path: string): Promise<void> {
  return makeClip(
    { ...CAMERA, video: { codec: 'mpeg4', content: 'busy' }, audio: [], seed: 9, seconds: 1 },
    path,
  )
}

/** A recording without sound whose pictures do not tell how many come a second. */
export function recordSilently(path: string): Promise<void> {
  const video = { codec: 'mjpeg', pixelFormat: 'yuvj420p', content: 'calm' } as const
  return makeClip({ ...CAMERA, container: 'mov', video, audio: [], seed: 5, seconds: 1 }, path)
}

/** A copy without its index, as a camera leaves it whose battery is pulled. */
export function loseIndex(from: string, to: string): void {
  const bytes = readFileSync(from)
  const index = bytes.lastIndexOf('moov') - 4
  if (index < 0) throw new Error('the film has no index to lose')
  writeFileSync(to, bytes.subarray(0, index))
}
