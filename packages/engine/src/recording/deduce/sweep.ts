import type { Region } from '../../bytes/regions.ts'
import { codecNamed } from '../../codecs/index.ts'
import { looksOf, Unit } from '../../codecs/recogniser.ts'
import { Allowance } from '../../model/allowance.ts'
import { SAMPLE_KEY, SampleTable } from '../../model/sample-table.ts'
import { type DraftTrack, describeDraft } from '../draft.ts'
import type { Ground } from './trial.ts'

/** What one track alone finds in some payload. */
export interface Sweep {
  /** Units by rising offset; times are not set. */
  readonly table: SampleTable
  readonly bytes: number
  /** What lies between the units. */
  readonly gaps: readonly Region[]
}

/** Evidence of a unit, in bits, where the one before ends or payload begins, and elsewhere: chance offers a few in a megabyte. */
const JOINED = 14
const FOUND = 20
/** Bytes between two pauses. */
const PAUSE_BYTES = 1 << 20

/** Looks in vain: noise offers one in twenty bytes for speech, and fewer for anything else. */
const VAIN_LOOKS = 1 << 18
const VAIN_LOOKS_A_BYTE = 1 / 4

/**
 * Collects the units of a single track, believing each by itself: pictures that stand alone between packets of sound of unknown
 * kind give no chains to go by. A few may be chance; what they teach is outvoted. Undefined when there is no such track, when
 * more places than `looks` allows look like units, or when bytes begin units everywhere that are none.
 */
export async function sweep(
  ground: Ground,
  regions: readonly Region[],
  track: DraftTrack,
  looks?: Allowance,
): Promise<Sweep | undefined> {
  const description = describeDraft(ground.family, track)
  const recogniser = description && codecNamed(description.codec)?.recogniser(description)
  if (!recogniser) return undefined
  const { reader } = ground
  const table = new SampleTable(ground.limits.samplesPerTrack, reader.size)
  const gaps: Region[] = []
  const unit = new Unit()
  const vain = new Allowance(
    VAIN_LOOKS + VAIN_LOOKS_A_BYTE * regions.reduce((sum, { length }) => sum + length, 0),
  )
  let bytes = 0
  for (const { offset, length } of regions) {
    const end = offset + length
    let at = offset
    let gapStart = offset
    let pauseAt = at + PAUSE_BYTES
    while (at < end) {
      if (at >= pauseAt) {
        pauseAt = at + PAUSE_BYTES
        await ground.monitor.pause()
      }
      if (looks && !looks.take()) return undefined
      const need = at === gapStart ? JOINED : FOUND
      const isUnit = recogniser.recognise(reader, at, end, unit)
      if (isUnit && unit.evidence >= need && unit.lengthKnown) {
        if (at > gapStart) {
          gaps.push({ offset: gapStart, length: at - gapStart })
          recogniser.discontinuity()
        }
        recogniser.accept(reader, at, unit)
        table.push(at, unit.length, 1, track.unit, unit.order, unit.key ? SAMPLE_KEY : 0)
        bytes += unit.length
        at += unit.length
        gapStart = at
      } else {
        if (!vain.take(looksOf(isUnit, unit))) return undefined
        at = recogniser.search(reader, at + 1, end)
      }
    }
    if (gapStart < end) gaps.push({ offset: gapStart, length: end - gapStart })
  }
  return { table, bytes, gaps }
}
