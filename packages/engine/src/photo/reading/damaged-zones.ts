import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import { type ConstantRun, constantRuns } from './constant-runs.ts'

/** Foreign markers no farther apart than this are part of one damage, bytes: as long as a sector. */
const SECTOR = 512
const MARKER = 2
/** Equal bytes in a row that are surely none of the picture's. */
const LEAST_OVERWRITTEN = 128

/** A stretch of data bytes that were overwritten. */
export interface DamagedZone extends ConstantRun {
  /** A marker that no scan holds is in it; equal bytes may be the picture's. */
  readonly foreign: boolean
}

/**
 * Stretches of a scan's data that show by themselves that they are none of its own, in order: equal bytes, and markers other than
 * restarts, which noise has once in 265 bytes and entropy-coded data never, ITU-T T.81 §B.1.1.5.
 */
export function damagedZones(data: EntropyData): DamagedZone[] {
  const zones: DamagedZone[] = constantRuns(data.bytes, data.length).map((run) => ({
    ...run,
    foreign: false,
  }))
  const { foreign } = data
  for (let i = 0; i < foreign.count; i++) {
    const from = foreign.at(i)
    let to = from + MARKER
    // hostile data has millions
    while (i + 1 < foreign.count && foreign.at(i + 1) - to < SECTOR) to = foreign.at(++i) + MARKER
    zones.push({ from, to, foreign: true })
  }
  zones.sort((a, b) => a.from - b.from)
  const joined: DamagedZone[] = []
  for (const zone of zones) {
    const last = joined.at(-1)
    const near = last && zone.from - last.to < (last.foreign && zone.foreign ? SECTOR : 1)
    if (near) joined[joined.length - 1] = joinOf(last, zone)
    else joined.push(zone)
  }
  return joined
}

/** Whether more than a bit or two of a stretch were changed: a single one may have made the marker in it. */
export function isOverwritten({ from, to, foreign }: DamagedZone): boolean {
  return to - from >= (foreign ? MARKER + 1 : LEAST_OVERWRITTEN)
}

function joinOf(a: DamagedZone, b: DamagedZone): DamagedZone {
  return { from: a.from, to: Math.max(a.to, b.to), foreign: a.foreign || b.foreign }
}
