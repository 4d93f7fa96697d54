import { copyFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { type Damaged, DamageRecorder } from '../bench/damage.ts'
import { payloadOf } from '../bench/damages.ts'
import { concealCase } from '../bench-conceal/clips.ts'
import { makeClip } from '../media/make-clip.ts'

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
/** Bytes missing of files that are named. */
const FILE_BYTES = 512
const NAME = 12

/** The case with a number, of a short recording drawn by lot: the same number gives the same one everywhere. */
export function damagedFramesCase(number: number): DamagedFramesCase {
  const drawn = concealCase(number)
  const common = {
    ...drawn,
    extension: drawn.clip.container,
    make: (path: string) => makeClip(drawn.clip, path),
  }
  if (number % DELETED !== 0) return common
  return { ...common, damage: 'deleted', damaged: (bytes) => deleted(bytes, number, LEAST_BYTES, MORE_BYTES) }
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
