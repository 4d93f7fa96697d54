import type { ByteReader } from '../../../../bytes/reader.ts'
import { mergeRegions, type Region, subtractRegions } from '../../../../bytes/regions.ts'
import { isZero } from '../../../../bytes/zeros.ts'
import { parseAvcC } from '../../../../codecs/h264/avcc.ts'
import { looseSlices } from '../../../../codecs/h264/loose-slices.ts'
import { readsAs } from '../../../../codecs/h264/prove-sets.ts'
import { parseHvcC } from '../../../../codecs/hevc/hvcc.ts'
import { readsAs as readsAsHevc } from '../../../../codecs/hevc/prove-size.ts'
import { SAMPLE_KEY, SAMPLE_OTHER_SIZE, SampleTable } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import type { Candidate, DeducedFact, Rate } from '../../../../recording/deduce/candidates.ts'
import { agree, tally } from '../../../../recording/deduce/clock.ts'
import { SOUND_ALIKE } from '../../../../recording/deduce/draft-clocks.ts'
import { inBandPictures } from '../../../../recording/deduce/pictures.ts'
import { firstPayload } from '../../../../recording/deduce/places-to-look.ts'
import { aacTrack, hearCoded } from '../../../../recording/deduce/sounds.ts'
import { sweep } from '../../../../recording/deduce/sweep.ts'
import type { Ground } from '../../../../recording/deduce/trial.ts'
import { type DraftTrack, describeDraft } from '../../../../recording/draft.ts'
import { type Carved, type CarvedTrack, type CarveInput, carve } from '../../../../recovery/carve.ts'
import type { RecordedTrack } from '../../../../recovery/carving/lane.ts'
import type { Interleave } from '../../../../recovery/learning/learn.ts'
import { learnWithTwins } from '../../../../recovery/learning/learn-shared.ts'
import { plainInterleave } from '../../../../recovery/learning/plain-interleave.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { draftMovie } from '../../write/draft-movie.ts'

/** A track that the recording has beside those known of it. */
export interface FurtherTrack {
  readonly template: MovieTrack
  /** Ticks of one unit. */
  readonly unit: number
  readonly fact: DeducedFact
  /** Where its units are, where the units of a known track look like them. */
  readonly places?: readonly Region[]
}

/** Bytes of holes that are looked into, and largest of those in which sound is listened for. */
const SEARCH_BYTES = 16 << 20
const LISTEN_BYTES = 3 << 20
const MOST_GAPS = 48
/** Pictures of one set that are no accident where none of them is read to its end. */
const FEWEST_PICTURES = 3
/** Units of sound that join: damaged pictures hold single ones of every codec. */
const FEWEST_SOUNDS = 8
/** Slices in which a key picture is looked for. */
const MOST_SLICES = 16
const LACKING = 'is in the payload and not among the tracks known'

/**
 * Looks into what known tracks leave over of the payload for tracks that tell of themselves what they are: pictures whose
 * parameter sets stand with them, and coded sound where no known track of sound was found. `carved` are the tracks known, `holes`
 * lie between their units. Pictures of another size that passed for a known track's are looked at, too. Time in proportion to the
 * holes' bytes, up to some megabytes of them.
 */
export async function findFurtherTracks(
  ground: Ground,
  holes: readonly Region[],
  carved: readonly CarvedTrack[],
): Promise<FurtherTrack[]> {
  const filled = holes.filter(({ offset, length }) => !isZero(ground.reader, offset, offset + length))
  const searched = firstPayload(ground.reader, filled, SEARCH_BYTES)
  const pictures = await furtherPictures(
    ground,
    mergeRegions([...searched, ...strangePictures(carved)]),
    carved,
  )
  const left = pictures?.gaps ?? searched
  const sound = carved.some(({ description, table }) => description.kind === 'audio' && table.length > 0)
    ? undefined
    : await furtherSound(ground, firstPayload(ground.reader, left, LISTEN_BYTES), carved)
  let id = Math.max(0, ...carved.map(({ description }) => description.id))
  return [pictures, sound].flatMap((found) => {
    if (!found) return []
    const { fact, places } = found
    const track = { ...found.track, id: ++id }
    const template = draftMovie({ tracks: [track] })?.movie.tracks[0]
    return template ? [{ template, unit: track.unit, fact, ...(places ? { places } : {}) }] : []
  })
}

/**
 * Carves with further tracks: what was a hole takes no time from the others. Tracks that keep to their places are carved there,
 * and there alone. The tracks come in the order known, then further.
 */
export async function carveWithFurther(
  input: CarveInput,
  hasSyntax: readonly boolean[],
  further: readonly FurtherTrack[],
): Promise<Carved> {
  const { reader, sample } = input
  const recorded = ({ template }: FurtherTrack): RecordedTrack => ({
    description: template.description,
    table: new SampleTable(1),
  })
  const among = further.filter(({ places }) => !places)
  const interleave = withFurther(learnWithTwins(sample.reader, sample.tracks, hasSyntax), among)
  const taken = mergeRegions(further.flatMap(({ places = [] }) => places))
  const carved = await carve({
    ...input,
    regions: subtractRegions(input.regions, taken),
    sample: { ...sample, tracks: [...sample.tracks, ...among.map(recorded)], interleave },
  })
  const known = sample.tracks.length
  const tracks = carved.tracks.slice(0, known)
  let next = known
  for (const track of further) {
    const { template, unit, places } = track
    if (!places) {
      tracks.push(carved.tracks[next++])
      continue
    }
    const alone = plainInterleave([{ description: template.description, unit }])
    const own = { reader, tracks: [recorded(track)], interleave: alone }
    tracks.push(...(await carve({ ...input, regions: mergeRegions(places), sample: own })).tracks)
  }
  return { ...carved, tracks }
}

/** The habits known of a recording's tracks, with tracks behind them of which nothing is known but how long their units last. */
function withFurther(known: Interleave, further: readonly FurtherTrack[]): Interleave {
  const plain = plainInterleave(
    further.map(({ template, unit }) => ({ description: template.description, unit })),
  )
  const more = {
    ...known,
    lanes: [...known.lanes, ...plain.lanes],
    lead: [...known.lead, ...plain.lead],
    spread: [...known.spread, ...plain.spread],
  }
  if (plain.sound < 0) return more
  // how known sound and pictures take turns says nothing of this one
  const { turns: _, ...rest } = more
  return { ...rest, sound: known.lanes.length + plain.sound, lag: undefined }
}

/** Most pictures of another size that are looked at. */
const MOST_STRANGE = 4096

/** Pictures among the known tracks' that tell another size. */
export function strangePictures(carved: readonly CarvedTrack[]): Region[] {
  const strange: Region[] = []
  for (const { table } of carved)
    for (let row = 0; row < table.length && strange.length < MOST_STRANGE; row++)
      if ((table.flags[row] & SAMPLE_OTHER_SIZE) !== 0)
        strange.push({ offset: table.offset[row], length: table.size[row] })
  return strange
}

interface Found {
  readonly track: DraftTrack
  readonly fact: DeducedFact
  readonly gaps: readonly Region[]
  readonly places?: readonly Region[]
}

async function furtherPictures(
  ground: Ground,
  holes: readonly Region[],
  carved: readonly CarvedTrack[],
): Promise<Found | undefined> {
  const { reader } = ground
  for (const candidate of inBandPictures(reader, holes)) {
    const description = describeDraft(ground.family, candidate.track)
    if (!description || carved.some((track) => hasSetsOf(track.description, description))) continue
    const found = await sweep(ground, holes, candidate.track)
    if (!found || found.table.length === 0) continue
    if (found.table.length < FEWEST_PICTURES && !readsExactly(reader, found.table, description)) continue
    const { codec, width, height } = description
    const fact = {
      what: `${codec} ${width}x${height}`,
      by: `its parameter sets: it ${LACKING}`,
      estimated: true,
    }
    return { track: candidate.track, fact, gaps: found.gaps, places: placesOf(found.table) }
  }
  return undefined
}

function placesOf({ length, offset, size }: SampleTable): Region[] {
  return Array.from({ length }, (_, row) => ({ offset: offset[row], length: size[row] }))
}

/** Whether a track's configuration has the sequence parameter set of another's. */
function hasSetsOf(known: TrackDescription, other: TrackDescription): boolean {
  if (known.codec !== other.codec) return false
  const parse = known.codec === 'h264' ? parseAvcC : parseHvcC
  const ours = parse(known.config)?.sps ?? []
  const theirs = parse(other.config)?.sps ?? []
  return theirs.some(({ bytes }) => ours.some((set) => set.bytes.join() === bytes.join()))
}

/** Whether some key picture of the table is read to its last bit. */
function readsExactly(reader: ByteReader, table: SampleTable, { codec, config }: TrackDescription): boolean {
  const keys: Region[] = []
  for (let row = 0; row < table.length; row++)
    if ((table.flags[row] & SAMPLE_KEY) !== 0)
      keys.push({ offset: table.offset[row], length: table.size[row] })
  if (codec === 'hevc') {
    const sets = parseHvcC(config)
    return sets !== undefined && readsAsHevc(reader, keys, sets)
  }
  const sets = parseAvcC(config)
  const slices = keys.flatMap(({ offset, length }) =>
    looseSlices(reader, offset, offset + length, MOST_SLICES),
  )
  return sets !== undefined && readsAs(reader, slices, sets) === true
}

async function furtherSound(
  ground: Ground,
  holes: readonly Region[],
  carved: readonly CarvedTrack[],
): Promise<Found | undefined> {
  const gaps = mergeRegions(holes).slice(0, MOST_GAPS)
  const [usual] = SOUND_ALIKE
  const heard = hearCoded(ground.reader, gaps, usual)
  const found = heard && (await sweep(ground, gaps, heard.candidate.track))
  if (!heard || !found || joinedUnits(found.table, gaps) < FEWEST_SOUNDS) return undefined
  const track = atOwnRate(heard.candidate, found.table, found.gaps, carved)
  const fact = {
    what: `sound, ${heard.candidate.codec}`,
    by: `how its packets read: it ${LACKING}`,
    estimated: true,
  }
  return { track, fact, gaps: found.gaps }
}

/** Units that start where a gap does, or where another ended. */
function joinedUnits(table: SampleTable, gaps: readonly Region[]): number {
  let units = 0
  let row = 0
  for (const { offset, length } of gaps) {
    let at = offset
    for (; row < table.length && table.offset[row] < offset + length; row++) {
      if (table.offset[row] === at) units++
      at = table.offset[row] + table.size[row]
    }
  }
  return units
}

/** Syntax leaves open at which of some rates AAC was sampled: the one that agrees with the pictures beside it. */
function atOwnRate(
  candidate: Candidate,
  sounds: SampleTable,
  gaps: readonly Region[],
  carved: readonly CarvedTrack[],
): DraftTrack {
  const { codec, track } = candidate
  const pictures = carved.find(({ description, table }) => description.kind === 'video' && table.length > 1)
  const alike = SOUND_ALIKE.find((rates) => rates.includes(track.timescale))
  if (codec !== 'aac' || !pictures || !alike) return track
  const { sound } = agree(tally(pictures.table, sounds, gaps), rateOf(pictures), alike, track.unit)
  return aacTrack(sound, track.coding?.channels ?? 2)?.track ?? track
}

/** Units a second of a track, as the recording it was learned from had them. */
function rateOf({ prior, description }: CarvedTrack): Rate | undefined {
  return prior.unitDuration > 0 ? { num: description.timescale, den: prior.unitDuration } : undefined
}
