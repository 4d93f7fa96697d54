import { canFollow, isDisposable, startsDecoding } from './entry.ts'
import type { Film } from './film.ts'

/** What `originsOf` tells of sound pictures. */
export const SOUND = -1

/**
 * For each sample the damaged one whose errors its picture may show, the last one in decoding order, itself where it is damaged;
 * `SOUND` where there is none. Errors of pictures that others refer to reach to the next sound key picture; pictures shown before
 * that and decoded after it may refer to both.
 */
export function originsOf(film: Film, damaged: Uint8Array): Int32Array {
  const { count } = film.samples
  const origins = new Int32Array(count)
  let origin = SOUND
  let before = SOUND
  let keyRank = 0
  for (let sample = 0; sample < count; sample++) {
    const rank = film.rank[sample] ?? 0
    if (damaged[sample]) {
      origins[sample] = sample
      if (isDisposable(film, sample)) continue
      if (rank < keyRank) before = sample
      else origin = sample
      continue
    }
    if (film.isSync(sample) && (startsDecoding(film, sample) || canFollow(film, sample))) {
      before = origin
      origin = SOUND
      keyRank = rank
    }
    origins[sample] = rank < keyRank ? before : origin
  }
  return origins
}

/** Places in display order, end exclusive, whose pictures may show errors, one after the other. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** The stretches within a part of the film, by places in display order. */
export function stretchesIn(film: Film, origins: Int32Array, from: number, to: number): Stretch[] {
  const found: Stretch[] = []
  for (let rank = from; rank < to; rank++) {
    if (origins[film.sampleAt[rank] ?? 0] === SOUND) continue
    const last = found.at(-1)
    if (last?.end === rank) found[found.length - 1] = { start: last.start, end: rank + 1 }
    else found.push({ start: rank, end: rank + 1 })
  }
  return found
}
