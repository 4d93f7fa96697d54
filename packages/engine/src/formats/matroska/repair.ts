import type { ByteSink } from '../../bytes/sink.ts'
import { type Doubt, doubtsThat } from '../../model/doubt.ts'
import type { TrackReport } from '../../model/report.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { type Described, describeTracks } from './deduce/deduce.ts'
import { headOf } from './head.ts'
import { BESIDE } from './ids.ts'
import { onlySumsAltered } from './mend/altered-sums.ts'
import { startAtFirst } from './mend/start.ts'
import { type BlockTable, HIT, LEFT_OUT } from './read/block-table.ts'
import { isWebmCodec } from './read/codec-names.ts'
import type { Survey } from './read/survey.ts'
import type { MatroskaTrack } from './read/track.ts'
import { readSample, type SampleHead } from './sample.ts'
import { reportTracks } from './track-reports.ts'
import { planClusters, planCues } from './write/plan.ts'
import { foretellFile, writeFile } from './write/write.ts'

/** Repairs a file: every block that survives, in Clusters that say their time, with a new head and index. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const sample = job.sample && (await readSample(job.sample.reader, job.limits, job.monitor))
  const { assessment, described } = await understand(job, sample, (survey, scale) =>
    foretell(job, sample, survey, scale, sink),
  )
  const { survey, findings } = assessment
  const conclude = (
    rest: Pick<RecordingOutcome, 'verdict' | 'tracks' | 'strategies'> & Partial<RecordingOutcome>,
  ): RecordingOutcome => ({
    findings: findings.list,
    omittedFindings: findings.omitted,
    sampleUsed: [],
    ...rest,
  })
  if (assessment.healthy) return conclude({ verdict: 'healthy', tracks: [], strategies: [] })
  const altered = await onlySumsAltered(findings, job.decoder)
  if (altered) return conclude({ verdict: 'healthy', tracks: [], strategies: [], findings: altered })
  const refuse = (reason: string): RecordingOutcome =>
    conclude({ verdict: 'unrepairable', tracks: [], strategies: [], reason })
  const head = headOf(survey, sample, described)
  if (head.tracks.some(({ encoding }) => encoding === 'encrypted'))
    return refuse('The recording is encrypted: it cannot be repaired without its key.')
  leaveOut(
    survey.blocks,
    job.options.damagedFrames === 'drop',
    new Map(head.tracks.map((track) => [track.number, track])),
  )
  const shift = startAtFirst(survey, assessment.scale)
  job.monitor.progress('timeline', 1)
  const clusters = planClusters(reader, survey)
  if (clusters.length === 0)
    return refuse(
      survey.blocks.length > 0
        ? 'What kinds of pictures and sound the file holds is lost: a sample of the same camera or program would tell.'
        : 'No pictures or sound survive in the file.',
    )
  const cues = planCues(reader, survey, clusters, picturesOf(head.tracks), assessment.scale)
  const reports = reportTracks(reader, assessment, head.tracks, clusters)
  const doubts = doubtsOf(assessment, described)
  await writeFile(
    { ...head.write(assessment, shift), clusters, cues },
    reader,
    survey.blocks,
    sink,
    job.monitor,
  )
  return conclude({
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    tracks: reports,
    strategies: [{ name: 'blocks', outcome: summary(reports) }],
    sampleUsed: described.sampled.length > 0 ? ['track layout', 'codec configuration'] : [],
    extension: head.tracks.every(({ description }) => isWebmCodec(description.codec)) ? 'webm' : 'mkv',
  })
}

/** Reads the file; where it does not describe its tracks, finds out what they are and reads it again with that knowledge. */
async function understand(
  { damaged: { reader }, limits, monitor }: RepairJob,
  sample: SampleHead | undefined,
  walked: (survey: Survey, scale: number) => Promise<void>,
): Promise<{ readonly assessment: Assessment; readonly described: Described }> {
  const quiet = { progress: () => {}, pause: () => monitor.pause() }
  let first = await assess(reader, limits, monitor, sample, [], walked)
  if (sample && !first.survey.tracksWhole && isUnread(first.survey)) {
    // a sample of another program has tracks of other numbers, and blocks of the file's are none by them
    const free = await assess(reader, limits, quiet, { ...sample, tracks: [] })
    if (bytesOfBlocks(free.survey) > bytesOfBlocks(first.survey)) first = free
  }
  if (first.survey.tracksWhole || first.survey.blocks.length === 0)
    return { assessment: first, described: NOTHING }
  const described = await describeTracks(reader, first, sample?.tracks ?? [], monitor)
  if (described.deduced.length === 0) return { assessment: first, described }
  const { scale = first.scale, clusterDistance = 0 } = sample ?? {}
  const tracks = [...described.sampled, ...described.deduced]
  const fallback = { tracks, scale, clusterDistance }
  return { assessment: await assess(reader, limits, quiet, fallback, described.untold), described }
}

/** Share of the file behind its first block that belongs to no block, from which a sample's tracks may be the reason. */
const UNREAD = 0.1

/** Whether much of the file is no block of a track that is known. */
function isUnread({ size, gaps, blocks }: Survey): boolean {
  const start = blocks.length > 0 ? blocks.offset[0] : 0
  const unread = gaps.reduce((sum, { offset, length }) => sum + (offset >= start ? length : 0), 0)
  return unread > (size - start) * UNREAD
}

function bytesOfBlocks({ blocks }: Survey): number {
  let bytes = 0
  for (let row = 0; row < blocks.length; row++) bytes += blocks.size[row]
  return bytes
}

/**
 * Has the sink copy ahead while payload is looked at: what a file that describes its tracks becomes hardly ever depends on that.
 */
async function foretell(
  { damaged: { reader }, monitor }: RepairJob,
  sample: SampleHead | undefined,
  survey: Survey,
  scale: number,
  sink: ByteSink,
): Promise<void> {
  if (!survey.tracksWhole) return
  const head = headOf(survey, sample, NOTHING)
  const clusters = planClusters(reader, survey)
  const cues = planCues(reader, survey, clusters, picturesOf(head.tracks), scale)
  const plan = { ...head.write({ survey, end: 0, scale }, 0), clusters, cues }
  await foretellFile(plan, reader, survey.blocks, sink, monitor)
}

function picturesOf(tracks: readonly MatroskaTrack[]): ReadonlySet<number> {
  return new Set(tracks.filter(({ description }) => description.kind === 'video').map(({ number }) => number))
}

const NOTHING: Described = { sampled: [], deduced: [], untold: [], assumed: false }

/** Leaves out blocks of tracks that nothing describes, and hit ones of sound, or all that are hit. */
function leaveOut(blocks: BlockTable, all: boolean, tracks: ReadonlyMap<number, MatroskaTrack>): void {
  for (let row = 0; row < blocks.length; row++) {
    const track = tracks.get(blocks.track[row])
    if (!track) blocks.flags[row] |= LEFT_OUT
    else if (blocks.is(row, HIT) && (all || !conceals(track))) blocks.flags[row] |= LEFT_OUT
  }
}

/**
 * Whether a decoder makes the best of a hit block: pictures conceal, plain samples are what they are; coded sound crackles, and
 * at a compressed frame that cannot be unpacked players stop.
 */
function conceals({ description, encoding }: MatroskaTrack): boolean {
  if (encoding === 'zlib') return false
  return description.kind === 'video' || description.codec === 'pcm'
}

function doubtsOf(
  { survey, times, contradicted, untoldLaces, explained }: Assessment,
  described: Described,
): Doubt[] {
  return doubtsThat({
    unexplained: untoldLaces > 0 || survey.gaps.some((_, index) => !explained(index)),
    times: times.estimated > 0 || contradicted,
    assumed: described.assumed,
    missing: described.untold.length > 0,
    beside: survey.elements.some(({ id, whole }) => !whole && BESIDE.includes(id)),
    others: survey.further !== undefined,
  })
}

function summary(reports: readonly TrackReport[]): string {
  const count = (part: 'recovered' | 'damaged' | 'lost'): number =>
    reports.reduce((sum, report) => sum + report[part], 0)
  return `${count('recovered')} units whole, ${count('damaged')} damaged, ${count('lost')} known to be lost`
}
