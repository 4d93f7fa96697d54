import { readFileSync, writeFileSync } from 'node:fs'
import { decodeHashes } from '@mendframe/renderer'
import { makeClip } from '../../tools/src/media/make-clip.ts'

/** A recording of one camera, another for each seed; long enough that its preview of a tenth visibly plays. */
export function record(path: string, seed: number, seconds: number): Promise<void> {
  return makeClip(
    {
      container: 'mp4',
      width: 320,
      height: 240,
      rate: '30',
      seed,
      seconds,
      video: { codec: 'libx264', content: 'busy', bFrames: 2, options: { preset: 'ultrafast' } },
      audio: [{ codec: 'aac', content: 'bursts' }],
    },
    path,
  )
}

/** A copy without its index, as a camera leaves it whose battery is pulled. */
export function loseIndex(from: string, to: string): void {
  const bytes = readFileSync(from)
  const index = bytes.lastIndexOf('moov') - 4
  if (index < 0) throw new Error('the film has no index to lose')
  writeFileSync(to, bytes.subarray(0, index))
}

/** Fingerprints of a film's decoded pictures, in the order they are shown. */
export async function pictures(path: string): Promise<string[]> {
  const streams = await decodeHashes(path)
  return streams.filter(({ kind }) => kind === 'video').flatMap(({ frames }) => frames.map(({ md5 }) => md5))
}
