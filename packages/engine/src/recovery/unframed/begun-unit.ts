import type { Path } from './path.ts'

/** A unit that has begun, with the readings that lead to it. */
export interface Open {
  readonly at: number
  readonly paths: readonly Path[]
  /** Bits for its start, by path. */
  readonly bits: readonly number[]
  /** Bits of the best reading so far. */
  readonly best: number
  /** Bytes that it has at least. */
  readonly least: number
  /** What follows in the same unit is still to come. */
  readonly continues: boolean
  /** It holds several frames. */
  readonly several: boolean
}

/** A unit that begins, with its best reading known. */
export function open(begun: Omit<Open, 'best'>): Open {
  const { paths, bits } = begun
  let best = Number.NEGATIVE_INFINITY
  for (let i = 0; i < paths.length; i++) best = Math.max(best, paths[i].score + bits[i])
  return { ...begun, best }
}

/** The unit with those of its readings that `keep` wants; none when none is. */
export function filtered(begun: Open, keep: (path: Path) => boolean): Open[] {
  const paths: Path[] = []
  const bits: number[] = []
  for (const [i, path] of begun.paths.entries()) {
    if (!keep(path)) continue
    paths.push(path)
    bits.push(begun.bits[i])
  }
  return paths.length > 0 ? [open({ ...begun, paths, bits })] : []
}
