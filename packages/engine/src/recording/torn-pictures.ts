import type { ByteReader } from '../bytes/reader.ts'
import type { PictureReader } from '../codecs/picture-reading.ts'
import type { Monitor } from '../model/monitor.ts'
import type { TornPicture } from '../model/report.ts'
import type { SampleTable } from '../model/sample-table.ts'
import type { TrackDescription } from '../model/track.ts'

/**
 * Steps that reading the pictures of a file may take, some ten seconds of work: each byte is one, and so many samples of a
 * picture, for what is not coded of it.
 */
export const MOST_STEPS = 24 * 1024 * 1024
const SAMPLES_A_STEP = 1024
/** Longest picture read: key pictures of the largest cameras. */
const LONGEST_PICTURE = 1 << 23
/**
 * A reader is believed where it reads so many pictures of a track to their ends, and so many times as many as it does not: else
 * the track has something that it does not know.
 */
const LEAST_WHOLE = 8
const WHOLE_TIMES = 2
/** The same where pictures bring along all that they are read by: there are no settings that could be wrong. */
const LEAST_SELF_CONTAINED = 2
/**
 * Slices without references, ITU-T H.264 (08/2021) Table 7-6 and H.265 (08/2021) Table 7-7: all others have what they have, and
 * more. None of them reads to its end by chance, as pictures of which nothing but skips is coded do with any settings.
 */
const INTRA = 2
/**
 * Bytes from which on a picture is hardly nothing but skips: so many of a type that read to their ends show its settings, with
 * one for so many torn ones.
 */
const LARGE = 256
const LEAST_LARGE = 2
const TORN_TO_LARGE = 4

/** What reading the pictures of one track came to. */
export interface TornPictures {
  /** Pictures that were read. */
  readonly pictures: number
  readonly steps: number
  readonly torn: readonly TornPicture[]
}

/** Pictures of one track: `timescale` ticks a second, and what reads them. */
export interface ReadTrack {
  readonly samples: SampleTable
  readonly timescale: number
  readonly pictures: PictureReader
  readonly description: Pick<TrackDescription, 'width' | 'height'>
}

/** Reads a track's pictures in decoding order, with no more steps than `most`. */
export async function tornPictures(
  reader: ByteReader,
  { samples, timescale, pictures, description }: ReadTrack,
  most: number,
  monitor: Monitor,
): Promise<TornPictures> {
  const { width = 0, height = 0 } = description
  const area = Math.ceil((width * height) / SAMPLES_A_STEP)
  const torn: TornRow[] = []
  const byType = new Map<number, Alike>()
  const alike = (slices: number): Alike => {
    const known = byType.get(slices) ?? { whole: 0, large: 0, torn: 0 }
    byType.set(slices, known)
    return known
  }
  let whole = 0
  let steps = 0
  for (let row = 0; row < samples.length; row++) {
    const offset = samples.offset[row]
    const size = samples.size[row]
    if (steps + size + area > most) break
    if (size === 0 || size > LONGEST_PICTURE || offset + size > reader.size) continue
    steps += size + area
    const reading = pictures.read(reader.bytes(offset, size).slice())
    if (reading === 'whole') {
      whole++
      alike(pictures.sliceType).whole++
      if (size >= LARGE) alike(pictures.sliceType).large++
    } else if (reading === 'torn') {
      torn.push({ row, slices: pictures.sliceType })
      alike(pictures.sliceType).torn++
    } else if (reading === 'broken') torn.push({ row })
    else if (reading === 'spoiled') torn.push({ row, isSpoiled: true })
    await monitor.pause()
  }
  const { isSelfContained = false } = pictures
  const least = isSelfContained ? LEAST_SELF_CONTAINED : LEAST_WHOLE
  const isBelieved = whole >= least && whole >= torn.length * WHOLE_TIMES
  const isInside = ({ slices, isSpoiled }: TornRow): boolean => {
    if (isSpoiled) return true
    if (slices === undefined) return false
    if (slices === INTRA) return whole >= Math.max(least, torn.length)
    return isBelieved && (isSelfContained || showsSettings(alike(slices)))
  }
  return {
    pictures: whole + torn.length,
    steps,
    torn: stretches(
      samples,
      torn.filter((row) => isBelieved || isInside(row)),
      (row) =>
        isInside(row) ? { inside: true, ...(isBelieved || row.isSpoiled ? {} : { weak: true }) } : {},
      timescale,
    ),
  }
}

/** Pictures whose slices are of one type: how many are whole, how many of those are large, and how many are torn. */
interface Alike {
  whole: number
  large: number
  torn: number
}

/** Whether pictures of a type are read with the right settings. */
function showsSettings({ whole, large, torn }: Alike): boolean {
  return whole >= torn * WHOLE_TIMES || (large >= LEAST_LARGE && large * TORN_TO_LARGE >= torn)
}

/** A picture that cannot be read, and the type of its slice that its bits were hit in, where its units make a picture. */
interface TornRow {
  readonly row: number
  readonly slices?: number
  /** Its bytes alone show it. */
  readonly isSpoiled?: true
}

function stretches(
  samples: SampleTable,
  rows: readonly TornRow[],
  factsOf: (row: TornRow) => Pick<TornPicture, 'inside' | 'weak'>,
  timescale: number,
): TornPicture[] {
  const { dts, cts, duration, length } = samples
  let first = Number.POSITIVE_INFINITY
  for (let row = 0; row < length; row++) first = Math.min(first, dts[row] + cts[row])
  return rows
    .map((torn) => {
      const { row } = torn
      const start = (dts[row] + cts[row] - first) / timescale
      return {
        start,
        end: start + duration[row] / timescale,
        decoded: (dts[row] - dts[0]) / timescale,
        ...factsOf(torn),
      }
    })
    .sort((a, b) => a.start - b.start)
}
