import { type Region, subtractRegions } from '../../../../bytes/regions.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { DOUBT, doubtsThat } from '../../../../model/doubt.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../../model/sample-table.ts'
import type { SampleChecker } from '../../../../recording/align/sample-checker.ts'
import { isShown } from '../../../../recording/judge/found-tracks.ts'
import { liesWithin } from '../../../../recording/judge/same-places.ts'
import { explainsAll } from '../../../../recording/judge/unexplained.ts'
import { bytesIn, type Strategies } from '../../../../recording/ways.ts'
import type { RepairJob } from '../../../format.ts'
import type { Assessment, HeldIndex } from '../../assess.ts'
import type { Movie, MovieTrack } from '../../read/movie.ts'
import type { FileReading } from '../../read/read.ts'
import { boxRegions, findSwallowed } from '../../read/survey.ts'
import type { PlannedTrack } from '../../write/plan.ts'
import { carveFile, type Teacher } from '../carve-file.ts'
import { deduceTeacher } from '../deduce-file.ts'
import { isIndexHit, ownDescription } from '../descriptions/mend-descriptions.ts'
import { carvesExactly } from '../hidden-boxes.ts'
import { type Recovery, summary } from '../result.ts'
import { restsOnBitstream } from '../stated-rate.ts'
import {
  adoptTimes,
  anyDoubtfulTimes,
  hasDoubtfulOrder,
  markDoubtfulTimes,
  tellsOrder,
} from './carved-times.ts'
import { fillRows } from './fill-rows.ts'
import { mayHaveMore, NamedElsewhere } from './named-elsewhere.ts'
import { withOwnTimes } from './own-times.ts'
import type { RecoveredTrack } from './surviving-index.ts'
import { isShownOtherwise } from './told-order.ts'
import { asIndexed } from './undescribed-tracks.ts'

/**
 * Where the index lacks tracks or many of its entries do not fit, carves the bytes as well: tracks that the index lacks are
 * added, and where carving finds more than the index, it replaces it. Undefined when the index stands.
 */
export async function rivalByCarving(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex,
  teacher: Teacher | undefined,
  recovery: Recovery,
  strategies: Strategies,
): Promise<Recovery | undefined> {
  const settled = new Set<number>()
  const found = await compare(job, assessment, index, teacher, recovery, strategies, settled)
  const { tracks } = found ?? recovery
  // bytes that lie elsewhere than they are said to may be those of other entries, and a table that nothing names may be that of
  // their order
  const isMoved = index.alignment.pieces.some(({ shift }) => shift !== 0)
  const contradicts = (plan: PlannedTrack): boolean =>
    (isMoved || !plan.template.tables.compositions) && isShownOtherwise(job.damaged.reader, plan)
  const marked = isIndexHit(assessment, index) ? markDoubtfulTimes(tracks, settled, contradicts) : tracks
  const isDoubtful = marked.some(
    ({ timesDoubtful, plan }) => timesDoubtful && isShown(plan.template.description.kind),
  )
  if (!isDoubtful) return found
  const { doubts } = found ?? recovery
  return { ...(found ?? recovery), tracks: marked, doubts: [...doubts, DOUBT.times] }
}

/** As `rivalByCarving`; ids of tracks whose times carving confirmed or gave are added to `settled`. */
async function compare(
  job: RepairJob,
  assessment: Assessment,
  index: HeldIndex,
  sample: Teacher | undefined,
  recovery: Recovery,
  strategies: Strategies,
  settled: Set<number>,
): Promise<Recovery | undefined> {
  const lacking = recovery.doubts.length > 0
  const timesDoubtful = anyDoubtfulTimes(index)
  // where the index was hit, samples that do not fit may only be misnamed
  const misnamed =
    isIndexHit(assessment, index) &&
    (index.alignment.pieces.length > 0 ||
      recovery.tracks.some(({ outcome }) => outcome.lost + outcome.damaged > 0))
  const doubtful = lacking || timesDoubtful || isDoubtful(index)
  if (!doubtful && !misnamed) return undefined
  let teacher = sample
  let unnamed = false
  if (lacking && !teacher && announcedTracks(index.movie) > recovery.tracks.length) {
    unnamed = announcedTracks(index.movie) > index.movie.tracks.filter(isDescribed).length
    // Units of a track that is neither described here nor by a sample would be taken for those of the index's of its kind.
    if (unnamed && KINDS.every((kind) => recovery.tracks.some(isOf(kind)))) return undefined
    teacher = await deduceTeacher(job, assessment, strategies)
    if (!teacher) return undefined
  }
  const own = index.movie
  const source: Teacher = teacher ?? {
    reader: job.damaged.reader,
    movie: own,
    tracks: recovery.tracks.map(lessons),
    origin: 'index',
  }
  if (source.tracks.every(({ protection }) => protection)) return undefined
  const payload = carvesExactly(source)
    ? ownPayload(assessment.reading, index)
    : await withoutBoxes(job, ownPayload(assessment.reading, index))
  const carved = await carveFile(job, payload, source, ownDescription(index))
  if (!carved || carved.tracks.length === 0) return undefined
  const tracks = [...recovery.tracks]
  let added = 0
  let indexed = 0
  let completed = 0
  let better = 0
  let worse = 0
  const gains = new Map<number, RecoveredTrack>()
  const elsewhere = new NamedElsewhere(recovery.tracks)
  for (const track of carved.tracks) {
    const rival = tracks.findIndex((other) => isSame(other, track))
    if (unnamed && isSettled(track, tracks[rival], recovery.tracks)) continue
    const checker = rival < 0 ? undefined : checkerOf(index, tracks[rival])
    const filled = checker && fillRows(tracks[rival], track, checker)
    if (filled) {
      tracks[rival] = filled
      completed++
    }
    if (!doubtful) continue
    const others = elsewhere.bytes(track, rival)
    if (rival < 0) {
      // what another track's entries name is no track of its own
      if (others > allBytes(track) * MOST) continue
      const named = await asIndexed(job, assessment.reading, own, track)
      tracks.push(named ?? freeId(track, tracks))
      added++
      if (named) indexed++
    } else if (
      isDelimited(track) ||
      (tracks[rival].outcome.lost > 0 && tellsOrder(track.plan.template.description))
    ) {
      // units that tell nowhere how long they are were cut where others begin: an index knows better
      const gain = (wholeBytes(track) - others) / Math.max(1, allBytes(tracks[rival]))
      if (gain > (filled ? FAR_MORE : CLEARLY_MORE) && mayHaveMore(tracks[rival], track)) {
        better++
        gains.set(rival, track)
      } else if (gain < NO_LESS) worse++
    }
  }
  const explained =
    teacher !== undefined &&
    explainsAll(carved.unexplained, payload) &&
    (!unnamed || tracks.length >= announcedTracks(index.movie)) &&
    tracks
      .slice(0, recovery.tracks.length)
      .every(
        (track, i) =>
          gains.has(i) ||
          carved.tracks.some(
            (other) =>
              isSame(track, other) &&
              liesWithin(track.plan.table, other.plan.table) &&
              (!unnamed || wholeBytes(other) <= allBytes(track) * CLEARLY_MORE),
          ),
      )
  // bytes that are explained say nothing of what was assumed, of what lies elsewhere, or of what tracks that they alone show are
  const doubts = [
    ...recovery.doubts.filter((doubt) => !explained || doubt === DOUBT.assumed || doubt === DOUBT.moved),
    ...doubtsThat({
      further: added > indexed && carved.further.length > 0,
      assumed: !sample && teacher !== undefined && tracks.slice(tracks.length - added).some(isHeard(teacher)),
      statedRate: teacher !== undefined && restsOnBitstream(teacher, tracks, own),
    }),
  ]
  const sampleUsed =
    lacking && teacher?.origin === 'sample'
      ? ['codec configuration', 'track layout', 'timing']
      : recovery.sampleUsed
  // One clock for all tracks: the index's where it has all that there is, else the one that carving found.
  if (better > 0 && worse === 0 && carved.tracks.length >= recovery.tracks.length) {
    strategies.push({ name: 'carve', outcome: summary(carved.tracks) })
    // tracks that carving does not know, such as a time code, stay
    const all = [...withOwnTimes(carved.tracks, own)]
    for (const track of recovery.tracks)
      if (!all.some((other) => isSame(track, other))) all.push(freeId(track, all))
    return { ...recovery, tracks: all, sampleUsed, doubts }
  }
  for (const track of timesDoubtful ? carved.tracks : []) {
    const rival = tracks.find((other) => isSame(other, track))
    const times = rival && adoptTimes(rival, track)
    if (!times || !isScaleKnown(rival.plan.template, teacher)) continue
    const { id } = rival.plan.template.header
    settled.add(id)
    if (times === 'adopted') strategies.push({ name: 'carve', outcome: `times of track ${id}` })
  }
  const timed = withOwnTimes(carved.tracks, own)
  for (const [rival, track] of gains) tracks[rival] = timed[carved.tracks.indexOf(track)]
  if (completed > 0)
    strategies.push({ name: 'carve', outcome: `samples that the index had wrong: ${summary(tracks)}` })
  if (added === 0 && gains.size === 0 && completed > 0) return { ...recovery, tracks, sampleUsed, doubts }
  if (added === 0 && gains.size === 0) {
    strategies.push({ name: 'carve', outcome: 'found no more than the index has' })
    return undefined
  }
  const taken = [...gains.values(), ...tracks.slice(tracks.length - added)]
  strategies.push({ name: 'carve', outcome: `tracks that the index lacks: ${summary(taken)}` })
  tracks.sort((a, b) => a.plan.template.header.id - b.plan.template.header.id)
  return { ...recovery, tracks, sampleUsed, doubts }
}

/** The payload of the recording that an index speaks of, where others with an index of their own are in the file. */
function ownPayload({ survey, others }: FileReading, index: HeldIndex): readonly Region[] {
  if (others.length === 0) return survey.payload
  let first = Number.POSITIVE_INFINITY
  for (const [lane, { samples }] of index.tracks.entries()) {
    const { shift } = index.alignment.tracks[lane]
    for (let row = 0; row < samples.length; row++) first = Math.min(first, samples.offset[row] + shift[row])
  }
  const heads = survey.boxes.filter(({ type }) => type === 'ftyp').map(({ offset }) => offset)
  const start = heads.findLast((offset) => offset <= first) ?? 0
  const end = heads.find((offset) => offset > first) ?? Number.POSITIVE_INFINITY
  return survey.payload.flatMap(({ offset, length }) => {
    const from = Math.max(offset, start)
    const to = Math.min(offset + length, end)
    return to > from ? [{ offset: from, length: to - from }] : []
  })
}

/** Payload without the movie boxes and fragments that a recorder left between samples: bytes of any kind pass for plain sound. */
async function withoutBoxes(job: RepairJob, payload: readonly Region[]): Promise<readonly Region[]> {
  const { reader } = job.damaged
  return subtractRegions(payload, boxRegions(reader, await findSwallowed(reader, payload, job.monitor)))
}

/** A track to learn from: entries that were found right where they were found, or the whole index where few were. */
function lessons({ plan }: RecoveredTrack): MovieTrack {
  const { template, table } = plan
  const samples = table.length < template.samples.length / 2 ? template.samples : table
  return { ...template, samples: hasDoubtfulOrder(template) ? asDecoded(samples) : samples }
}

/** Samples shown as they are decoded. */
function asDecoded(samples: SampleTable): SampleTable {
  const table = new SampleTable(Math.max(1, samples.length))
  for (let row = 0; row < samples.length; row++) {
    const { offset, size, count, duration, order, flags } = samples
    table.push(offset[row], size[row], count[row], duration[row], order[row], flags[row])
    table.dts[row] = samples.dts[row]
  }
  return table
}

/** Carving must find this many times the bytes to replace the index: it estimates times that an index knows. */
const CLEARLY_MORE = 1.02
/** The same for an index that carving has completed already: what it still lacks carving has often found elsewhere. */
const FAR_MORE = 1.1
/** Share of the index's bytes that carving may miss of a track. */
const NO_LESS = 0.99
/** Share of a carved track's bytes that others may be named to have. */
const MOST = 0.5
/** Broken entries that are taken for damaged payload; more of them speak against the index. */
const FEW_BROKEN = 4

/** True when entries that lie in the file are no units of their codec, more than a few damaged blocks explain. */
function isDoubtful(index: HeldIndex): boolean {
  return index.alignment.tracks.some(
    ({ broken, state }) => broken > FEW_BROKEN && broken > state.length * 0.005,
  )
}

/**
 * Tracks that a movie lets expect: ids are given from 1 on, next_track_ID is the next free one. Packagers split recordings and
 * keep both: but a movie with fragments has one `trex` for each of its tracks (ISO/IEC 14496-12:2022 §8.8.3), so that those alone
 * are to be expected where they are the tracks that it has.
 */
export function announcedTracks(movie: Movie): number {
  const ids = movie.tracks.map(({ description }) => description.id)
  const extended = new Set(movie.extended)
  const isEvery = extended.size === ids.length && ids.every((id) => extended.has(id))
  if (isEvery && ids.length > 0) return ids.length
  const { tail } = movie.header
  const next = new DataView(tail.buffer, tail.byteOffset).getUint32(76)
  return next > 0 && next < 256 ? next - 1 : movie.tracks.length
}

/**
 * Whether nothing speaks against the time scale of a track's media, or a sample has the same: carving counts by the index's own.
 */
function isScaleKnown({ tables, description }: MovieTrack, teacher: Teacher | undefined): boolean {
  if (!tables.scaleGuessed) return true
  return (
    teacher?.origin === 'sample' &&
    teacher.tracks.some(
      ({ description: { codec, timescale } }) =>
        codec === description.codec && timescale === description.timescale,
    )
  )
}

/** What checks the samples of one of an index's tracks. */
function checkerOf(index: HeldIndex, { plan }: RecoveredTrack): SampleChecker | undefined {
  return index.checkers[index.tracks.indexOf(plan.template)]
}

/** Whether a track rests on what was assumed, or on how it sounds. */
function isHeard({ assumed }: Teacher): (track: RecoveredTrack) => boolean {
  return ({ plan }) => (assumed ?? false) || plan.template.description.codec === 'pcm'
}

/**
 * Whether what was carved beside a track that nothing names adds nothing: units beyond those of a whole index may be that
 * track's. Pictures or sound where no known track has any, and what the tables of an index break off before, are the recording's.
 */
function isSettled(
  track: RecoveredTrack,
  rival: RecoveredTrack | undefined,
  known: readonly RecoveredTrack[],
): boolean {
  if (rival) return rival.plan.template.whole && rival.outcome.lost === 0
  const { kind } = track.plan.template.description
  return !KINDS.some((one) => one === kind) || known.some(isOf(kind))
}

/** Kinds of tracks that the bytes alone tell from others. */
const KINDS = ['video', 'audio'] as const

function isOf(wanted: string): (track: RecoveredTrack) => boolean {
  return ({ plan }) => plan.template.description.kind === wanted
}

/** Whether an index says what a track is, if not where it lies. */
function isDescribed({ sampleDescription, external }: MovieTrack): boolean {
  return sampleDescription.length > 0 && !external
}

/** Whether two findings are of one track. */
function isSame({ plan: a }: RecoveredTrack, { plan: b }: RecoveredTrack): boolean {
  return (
    a.template.header.id === b.template.header.id &&
    a.template.description.codec === b.template.description.codec
  )
}

/** Whether the units of a track, or its sample frames, are told apart by their bytes. */
function isDelimited({ plan }: RecoveredTrack): boolean {
  const { description } = plan.template
  if (description.blockAlign !== undefined) return true
  return codecNamed(description.codec)?.recogniser(description)?.selfDelimiting ?? false
}

/** Bytes of a track's undamaged rows. */
function wholeBytes(track: RecoveredTrack): number {
  const { table } = track.plan
  let bytes = 0
  for (let row = 0; row < table.length; row++)
    if ((table.flags[row] & SAMPLE_DAMAGED) === 0) bytes += table.size[row]
  return bytes
}

/** Bytes of all rows of a track, damaged ones too: carving may not see that they are. */
function allBytes(track: RecoveredTrack): number {
  return bytesIn([track.plan.table])
}

/** The track under an id that no other track has. */
function freeId(track: RecoveredTrack, others: readonly RecoveredTrack[]): RecoveredTrack {
  const taken = new Set(others.map(({ plan }) => plan.template.header.id))
  const { template } = track.plan
  if (!taken.has(template.header.id)) return track
  const id = Math.max(...taken) + 1
  return { ...track, plan: { ...track.plan, template: { ...template, header: { ...template.header, id } } } }
}
