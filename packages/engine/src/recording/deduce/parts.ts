import { mergeRegions, type Region } from '../../bytes/regions.ts'
import { isZero } from '../../bytes/zeros.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { Candidate } from './candidates.ts'
import { gapsOfSound, hearCoded } from './sounds.ts'
import { sweep } from './sweep.ts'
import { TELEMETRIES, VAGUE_TELEMETRIES } from './telemetry.ts'
import type { Ground } from './trial.ts'

/** Pictures, and share of the bytes, that make a candidate believable. */
const FEWEST_PICTURES = 3
const LEAST_SHARE = 0.02
/** Units of telemetry that are no accident. */
const FEWEST_UNITS = 2
/** A candidate that explains this share is not compared with more of its kind. */
const PLENTY = 0.5

/** A track with the units found of it so far. */
export interface Part {
  readonly candidate: Candidate
  readonly table: SampleTable
  readonly gaps: readonly Region[]
}

/** The picture track that explains most. */
export async function choosePictures(
  ground: Ground,
  near: readonly Region[],
  candidates: readonly Candidate[],
): Promise<Part | undefined> {
  const total = near.reduce((sum, region) => sum + region.length, 0)
  let best: (Part & { bytes: number }) | undefined
  for (const candidate of candidates) {
    const found = await sweep(ground, near, candidate.track)
    if (!found || found.table.length < FEWEST_PICTURES || found.bytes < total * LEAST_SHARE) continue
    if (!best || found.bytes > best.bytes) best = { candidate, ...found }
    if (found.bytes > total * PLENTY) break
  }
  return best
}

/** Adds the tracks that explain what lies between the pictures: telemetry that shows itself, coded sound. */
export async function addOthers(
  ground: Ground,
  between: readonly Region[],
  parts: Part[],
  rates: readonly number[],
  sounds: readonly Candidate[],
): Promise<void> {
  let gaps = between.filter(({ offset, length }) => !isZero(ground.reader, offset, offset + length))
  const addTelemetry = async (telemetries: typeof TELEMETRIES): Promise<void> => {
    for (const { candidate, share } of telemetries) {
      const total = gaps.reduce((sum, gap) => sum + gap.length, 0)
      const found = total > 0 ? await sweep(ground, gaps, candidate.track) : undefined
      if (!found || found.table.length < FEWEST_UNITS || found.bytes < total * share) continue
      parts.push({ candidate, ...found })
      gaps = [...found.gaps]
    }
  }
  await addTelemetry(TELEMETRIES)
  const sounding = gapsOfSound(gaps)
  const sound =
    (await describedSound(ground, sounding, sounds)) ?? (await unknownSound(ground, sounding, rates))
  if (sound) {
    parts.push(sound)
    gaps = mergeRegions([...sound.gaps, ...gaps.filter((gap) => !sounding.includes(gap))])
  }
  await addTelemetry(VAGUE_TELEMETRIES)
}

/** The first of the sound tracks described that half the bytes are. */
async function describedSound(
  ground: Ground,
  gaps: readonly Region[],
  sounds: readonly Candidate[],
): Promise<Part | undefined> {
  const total = gaps.reduce((sum, gap) => sum + gap.length, 0)
  for (const candidate of sounds) {
    const found = await sweep(ground, gaps, candidate.track)
    if (found && found.table.length >= FEWEST_UNITS && found.bytes >= total * PLENTY)
      return { candidate, ...found }
  }
  return undefined
}

async function unknownSound(
  ground: Ground,
  gaps: readonly Region[],
  rates: readonly number[],
): Promise<Part | undefined> {
  const heard = hearCoded(ground.reader, gaps, rates)
  const found = heard && (await sweep(ground, gaps, heard.candidate.track))
  return heard && found ? { candidate: heard.candidate, ...found } : undefined
}
