import { type Damaged, DamageRecorder } from '../bench/damage.ts'
import { payloadOf } from '../bench/damages.ts'
import { concealCase } from '../bench-conceal/clips.ts'
import type { ClipSpec } from '../media/spec.ts'

/** A short recording with a damage of its payload, both drawn by lot; its tables stay whole. */
export interface DamagedFramesCase {
  readonly number: number
  readonly codec: string
  readonly damage: string
  readonly clip: ClipSpec
  damaged(bytes: Buffer): Damaged
}

/** Every third case is one with bytes missing: what follows lies elsewhere than its index says. */
const DELETED = 3
const LEAST_BYTES = 64
const MORE_BYTES = 448

/** The case with a number: the same number gives the same one everywhere. */
export function damagedFramesCase(number: number): DamagedFramesCase {
  const drawn = concealCase(number)
  if (number % DELETED !== 0) return drawn
  return { ...drawn, damage: 'deleted', damaged: (bytes) => deleted(bytes, number) }
}

function deleted(bytes: Buffer, seed: number): Damaged {
  const recorder = new DamageRecorder(bytes, seed)
  const { start, end } = payloadOf(bytes)
  const length = LEAST_BYTES + recorder.pick(MORE_BYTES)
  const at = start + recorder.pick(Math.max(end - start - length, 1))
  return recorder.remove(at, at + length).finish()
}
