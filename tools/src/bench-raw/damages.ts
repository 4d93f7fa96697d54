import { randomFrom } from '@mendframe/engine/testing'

type ByteRange = readonly [number, number]

/** A damaged photo, and the bytes of the original that are no longer in it. */
export interface LostBytes {
  readonly bytes: Uint8Array
  readonly lost: readonly ByteRange[]
}

/** Damages a photo whose structures lie at `structures`. */
export type StructureDamage = (photo: Uint8Array, structures: readonly ByteRange[], seed: number) => LostBytes

const HEAD = 64 * 1024

function head(fill: (bytes: Uint8Array, seed: number) => Uint8Array): StructureDamage {
  return (photo, _, seed) => ({ bytes: fill(Uint8Array.from(photo), seed), lost: [[0, HEAD]] })
}

/** Zeros within the longest structure, half of which stays at least. */
function hole(most: number): StructureDamage {
  return (photo, structures, seed) => {
    const random = randomFrom(Math.imul(seed, photo.length))
    const bytes = Uint8Array.from(photo)
    const [from, to] = structures.toSorted(([a, b], [c, d]) => d - c - (b - a))[0] ?? [0, 0]
    const length = Math.min(most, (to - from) >> 1)
    const start = from + Math.floor(random() * (to - from - length))
    bytes.fill(0, start, start + length)
    return { bytes, lost: [[start, start + length]] }
  }
}

/** Losses of what says how a photo is stored. */
export const DAMAGES: Readonly<Record<string, StructureDamage>> = {
  'head-zero': head((bytes) => bytes.fill(0, 0, HEAD)),
  'head-noise': head((bytes, seed) => {
    const random = randomFrom(seed)
    return bytes.map((byte, at) => (at < HEAD ? Math.floor(random() * 256) : byte))
  }),
  'head-cut': head((bytes) => bytes.slice(HEAD)),
  'structure-zero': (photo, structures) => {
    const bytes = Uint8Array.from(photo)
    for (const [from, to] of structures) bytes.fill(0, from, to)
    return { bytes, lost: structures }
  },
  'structure-hole': hole(2_048),
  'structure-spot': hole(256),
  'header-zero': (photo) => ({ bytes: Uint8Array.from(photo).fill(0, 0, 8), lost: [[0, 8]] }),
  'truncate-70': (photo) => {
    const at = Math.floor(photo.length * 0.7)
    return { bytes: photo.slice(0, at), lost: [[at, photo.length]] }
  },
}

/** The original with its structures as they were, and of its pixels what a damage left. */
export function pixelsHit(
  photo: Uint8Array,
  lost: readonly ByteRange[],
  units: readonly ByteRange[],
): Uint8Array {
  const bytes = Uint8Array.from(photo)
  for (const [from, to] of lost)
    for (const [start, end] of units)
      if (from < end && to > start) bytes.fill(0, Math.max(from, start), Math.min(to, end))
  return bytes
}
