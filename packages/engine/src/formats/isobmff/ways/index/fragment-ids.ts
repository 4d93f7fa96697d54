import type { ByteReader } from '../../../../bytes/reader.ts'
import { Findings } from '../../../../model/finding.ts'
import { SampleTable } from '../../../../model/sample-table.ts'
import { sampleChecker } from '../../../../recording/align/sample-checker.ts'
import type { Box } from '../../../../syntax/iso-boxes/box.ts'
import type { TrackExtends } from '../../boxes/mvex.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { readFragments } from '../../read/read-fragments.ts'
import { usualDuration } from '../../read/usual-duration.ts'

/** Fragments and samples of each looked at. */
const MOST_FRAGMENTS = 16
const LOOKED_AT = 32
/** Share of the samples that must be units of a track for them to be its own. */
const MOST = 0.5

/**
 * The id under which fragments speak of each of another movie's tracks: the one whose samples are units of it, its own where
 * several or none are, and, where fragments know none of the ids, the one in its place.
 */
export function idsByContent(
  reader: ByteReader,
  fragments: readonly Box[],
  tracks: readonly MovieTrack[],
  samplesPerTrack: number,
): readonly number[] {
  const some = fragments.slice(0, MOST_FRAGMENTS)
  const named = [...readFragments(reader, some, [], new Findings(0)).unknownTracks]
  const own = tracks.map(({ description }) => description.id)
  const fits = tracks.map((track) =>
    named.map((id) => {
      const samples = new SampleTable(samplesPerTrack)
      readFragments(reader, some, [{ ...track, id, samples }], new Findings(0))
      return shareOf(reader, track, samples) >= MOST
    }),
  )
  const ids: (number | undefined)[] = tracks.map((_, i) => {
    const at = named.indexOf(own[i])
    return fits[i][at] ? own[i] : undefined
  })
  const isFree = (id: number): boolean => !ids.includes(id)
  for (const i of ids.keys()) ids[i] ??= named.find((id, at) => fits[i][at] && isFree(id))
  // what holds nothing that can be told is known by its number, or by its place
  const strange = own.every((id) => !named.includes(id))
  for (const i of ids.keys()) ids[i] ??= (strange ? named : [own[i]]).find(isFree)
  return ids.map((id) => id ?? -1)
}

/** Share of some samples that are units of a track; 0 where nothing tells. */
function shareOf(reader: ByteReader, { description }: MovieTrack, samples: SampleTable): number {
  const checker = sampleChecker(reader, description, samples, [])
  const looked = Math.min(LOOKED_AT, samples.length)
  if (checker.bits === 0 || looked === 0) return 0
  let count = 0
  for (let row = 0; row < looked; row++) {
    const [offset, size] = [samples.offset[row], samples.size[row]]
    if (size > 0 && offset + size <= reader.size && checker.fits(offset, size)) count++
  }
  return count / looked
}

/**
 * What fragments leave unsaid of a track: as its movie says, else as long as most of its samples there last (a recording without
 * fragments says it sample by sample).
 */
export function defaultsOf({ description, extends: told, samples }: MovieTrack): TrackExtends {
  const given = told ?? { track: description.id, description: 1, duration: 0, size: 0, flags: 0 }
  return given.duration > 0 ? given : { ...given, duration: usualDuration(samples) }
}
