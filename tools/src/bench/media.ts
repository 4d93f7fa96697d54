import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  decodeHashes,
  extractPayload,
  type HashOptions,
  type RunTask,
  type StreamHashes,
} from '@mendframe/renderer'
import type { SeekableFile } from './seek.ts'

/** What the bench asks the media library for. */
export interface Media {
  /** See `decodeHashes` of the renderer. */
  hashes(path: string, options?: HashOptions): Promise<StreamHashes[]>
  /** Writes the packets of a stream, end to end, to `output`. */
  payload(path: string, stream: number, output: string): Promise<unknown>
  /** Seeks to times of a stream, in seconds; undefined where no demuxer opens the file. */
  seek(path: string, stream: number, times: readonly number[]): Promise<SeekableFile | undefined>
}

const SEEK_CHILD = fileURLToPath(new URL('./seek-child.ts', import.meta.url))
const TIMEOUT_MS = 60_000

/** Each answer by a process of its own, which a hostile file may take down or hold up. */
export const inChildren: Media = {
  hashes: decodeHashes,
  payload: extractPayload,
  seek: (path, stream, times) => {
    const args = [SEEK_CHILD, path, String(stream), ...times.map(String)]
    return new Promise((resolve) => {
      execFile(process.execPath, args, { timeout: TIMEOUT_MS }, (error, stdout) => {
        // what no demuxer opens, or what takes it down, tells nothing
        resolve(error ? undefined : JSON.parse(stdout))
      })
    })
  },
}

/** All of it in this process: a sixth of the processor time where a case is small. */
export async function inThisProcess(): Promise<Media> {
  const [{ runHere }, { seekHere }]: [{ runHere: RunTask }, typeof import('./seek.ts')] = await Promise.all([
    import('@mendframe/renderer/in-process'),
    import('./seek.ts'),
  ])
  return {
    hashes: (path, options) => decodeHashes(path, { ...options, run: runHere }),
    payload: (path, stream, output) => extractPayload(path, stream, output, { run: runHere }),
    seek: async (path, stream, times) => seekHere(path, stream, times),
  }
}
