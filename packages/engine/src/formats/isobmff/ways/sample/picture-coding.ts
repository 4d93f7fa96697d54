import type { ByteReader } from '../../../../bytes/reader.ts'
import type { Region } from '../../../../bytes/regions.ts'
import { readsLayer } from '../../../../codecs/mpeg4/deduce-layer.ts'
import { withOwnClock } from '../../../../codecs/mpeg4/own-clock.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import type { CameraProfile } from '../../../../recording/cameras/camera-profile.ts'
import { type Candidate, clockOf, isSaneRate } from '../../../../recording/deduce/candidates.ts'
import { deducedPlanes, inBandAv1 } from '../../../../recording/deduce/planes.ts'
import { adoptedDraft } from '../../../../recording/deduce/profile-fit.ts'
import { selfDescribing } from '../../../../recording/deduce/self-describing.ts'
import { codedSequences, displayOrder } from '../../../../recovery/timing/picture-order.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { draftMovie } from '../../write/draft-movie.ts'
import { ISO_DRAFTS } from '../../write/iso-drafts.ts'
import { firstComposition } from '../../write/plan-edits.ts'
import type { Teacher } from '../carve-file.ts'
import { withHabitsOf } from '../descriptions/track-facts.ts'
import { meanUnit, retimed } from './picture-rate.ts'

/** Bytes of the sample in which its own pictures are looked at. */
const SAMPLE_BYTES = 3 << 20

/**
 * The damaged file's pictures as they describe themselves, where those of the sample's picture track say another size; undefined
 * where they agree or do not tell.
 */
export function otherPictures(
  reader: ByteReader,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
): Candidate | undefined {
  const { codec, width = 0, height = 0 } = picture.description
  if (codec === 'mpeg4') {
    const own = otherClock(reader, near, picture)
    if (own || readsLayer(reader, near, width, height)) return own
  }
  const ours = shown(reader, near, codec)
  if (!ours || ours.codec !== codec) return undefined
  const theirs = shown(sample.reader, beginning(sample.reader, picture), codec)?.track ?? { width, height }
  return ours.track.width === theirs.width && ours.track.height === theirs.height ? undefined : ours
}

/** The sample's MPEG-4 pictures with the damaged file's ticks a second, where those are others. */
function otherClock(
  reader: ByteReader,
  near: readonly Region[],
  { description }: MovieTrack,
): Candidate | undefined {
  const { config, width = 0, height = 0 } = description
  const own = withOwnClock(reader, near, config)
  if (!own) return undefined
  const rate = isSaneRate(own.rate) ? own.rate : undefined
  const coding = { codec: 'mpeg4', config: own.config }
  return {
    codec: 'mpeg4',
    origin: 'in-band',
    ...(rate ? { rate } : {}),
    ...(own.leftOut ? { leftOut: true } : {}),
    facts: [
      {
        what: 'clock of the pictures',
        by: 'the times in their headers, where seconds end',
        estimated: false,
      },
    ],
    track: { kind: 'video', ...clockOf(rate), coding, width, height, fromFirstPicture: true },
  }
}

function shown(reader: ByteReader, regions: readonly Region[], codec: string): Candidate | undefined {
  if (codec === 'av1') return inBandAv1(reader, regions)[0]
  const [sight] = selfDescribing(reader, regions, codec)
  return sight ?? (codec === 'mpeg4' ? deducedPlanes(reader, regions)[0] : undefined)
}

function beginning({ size }: ByteReader, { samples }: MovieTrack): Region[] {
  const offset = samples.offset[0]
  return [{ offset, length: Math.max(0, Math.min(SAMPLE_BYTES, size - offset)) }]
}

/** A sample with another picture track, and that. */
export interface Graft {
  readonly teacher: Teacher
  readonly picture: MovieTrack
}

/**
 * The sample with the damaged file's own pictures in place of its own: coded as `own` says, and in all else (layout, clocks, what
 * else is recorded) as the sample has it. `shown` are units of the damaged file at `reader` to learn the encoder's habits from,
 * where the sample's do not read with its configuration. Undefined when its facts make no such track.
 */
export function withOwnPictures(
  sample: Teacher,
  picture: MovieTrack,
  facts: CameraProfile,
  own: Candidate,
  reader: ByteReader,
  shown?: MovieTrack,
): Graft | undefined {
  const { rate: _, ...candidate } = own
  const drawn = draftMovie(adoptedDraft(ISO_DRAFTS, facts, candidate))?.movie.tracks.find(
    ({ description }) => description.kind === 'video',
  )
  if (!drawn) return undefined
  const { id, timescale } = picture.description
  const habit = drawn.description.codec === picture.description.codec ? picture : showingAll(picture)
  const track: MovieTrack = {
    ...(shown ? withDelayOf(habit, shown) : habit),
    description: { ...drawn.description, id, timescale },
    header: { ...withHabitsOf(drawn, picture).header, id: picture.header.id },
    sampleDescription: drawn.sampleDescription,
    entries: drawn.entries,
  }
  const swap = (other: MovieTrack): MovieTrack => (other === picture ? track : other)
  const teacher: Teacher = {
    ...sample,
    movie: { ...sample.movie, tracks: sample.movie.tracks.map(swap) },
    tracks: sample.tracks.map(swap),
    used: ['track layout', 'timing'],
    ...(shown ? { lessons: [...(sample.lessons ?? []), { id, reader, table: shown.samples }] } : {}),
  }
  return { teacher, picture: track }
}

/**
 * The sample's pictures as if its edits showed the first one, too: what they skip was cut by hand, or hidden for the sake of the
 * codec.
 */
function showingAll(picture: MovieTrack): MovieTrack {
  const first = firstComposition(picture)
  const edits = picture.edits?.map((edit) => (edit.mediaTime > first ? { ...edit, mediaTime: first } : edit))
  return { ...picture, edits }
}

/** The sample's pictures as if they waited as long for those shown before them as the damaged file's do. */
function withDelayOf(picture: MovieTrack, shown: MovieTrack): MovieTrack {
  const { samples } = picture
  const theirs = mostAhead(byTime(samples), 0)
  const ours = usualDelay(shown.samples)
  // encoders wait longer than pictures need, where any are reordered
  const waits = ours === 0 ? 0 : Math.max(ours, theirs)
  const later = Math.round((waits - theirs) * meanUnit(samples))
  if (later === 0) return picture
  const edits = picture.edits?.map((edit) =>
    edit.mediaTime < 0 ? edit : { ...edit, mediaTime: Math.max(0, edit.mediaTime + later) },
  )
  return { ...picture, edits, samples: retimed(samples, 1, later) }
}

/** Pictures by which others are decoded ahead of them, in most coded sequences: holes make it more or less in some. */
function usualDelay(table: SampleTable): number {
  const delays = codedSequences(table).map((sequence) =>
    mostAhead(displayOrder(table, sequence), sequence.first),
  )
  delays.sort((a, b) => a - b)
  return delays[delays.length >> 1] ?? 0
}

/** Rows in the order in which they are shown, which `first` is the lowest of: how far one is decoded behind its turn, at most. */
function mostAhead(rows: Uint32Array, first: number): number {
  return rows.reduce((most, row, rank) => Math.max(most, row - first - rank), 0)
}

/** Rows in the order in which they are shown. */
function byTime({ length, dts, cts }: SampleTable): Uint32Array {
  const time = (row: number): number => dts[row] + cts[row]
  return Uint32Array.from({ length }, (_, row) => row).sort((a, b) => time(a) - time(b) || a - b)
}
