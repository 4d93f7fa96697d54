import type { ByteSink } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Strategies } from '../../recording/ways.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess, type Structure } from './assess.ts'
import { isHitHereAndThere } from './media-check.ts'
import { type FoundConfiguration, findConfiguration } from './mend/configuration.ts'
import { mendTimes } from './mend/times.ts'
import { trackReports } from './outcome.ts'
import { pictureSize } from './picture-size.ts'
import { scan } from './read/scan.ts'
import { AUDIO, DAMAGED, DROPPED, type TagTable, VIDEO } from './read/tag-table.ts'
import { type Stream, streamsOf } from './streams.ts'
import { foretellFile, hasKind, type NewTag, type WritePlan, writeFile } from './write/write.ts'

/** Repairs a file by its tags, each of which says how long it is, of what kind and when. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const { limits, monitor } = job
  const assessment = await assess(reader, limits, monitor, (structure) => foretell(job, structure, sink))
  const { scan: found, findings, metadata, streams } = assessment
  const { table } = found
  const strategies: Strategies = []
  const sampleUsed: string[] = []
  const conclude = (
    rest: Pick<RecordingOutcome, 'verdict' | 'tracks' | 'doubts' | 'reason'>,
  ): RecordingOutcome => ({
    findings: findings.list,
    omittedFindings: findings.omitted,
    strategies,
    sampleUsed,
    ...rest,
  })
  const refuse = (reason: string): RecordingOutcome =>
    conclude({ verdict: 'unrepairable', tracks: [], reason })
  if (assessment.encrypted) return refuse('The recording is encrypted, and only its publisher has the key.')
  if (assessment.healthy) return conclude({ verdict: 'healthy', tracks: [] })
  if (streams.length === 0) return refuse('No pictures and no sound survive in the file.')

  strategies.push({ name: 'tags', outcome: `${table.length} tags, ${found.holes.length} holes` })
  const { front, doubtful, hit, missing } = await configurations(job, assessment, strategies, sampleUsed)
  const left = streams.filter((stream) => !missing.includes(stream))
  if (left.length === 0)
    return refuse(
      'How the recording is coded stood at its beginning, which is lost: a sample of the same source is needed.',
    )
  for (const { kind } of missing) drop(table, kind)
  if (job.options.damagedFrames === 'drop') drop(table, VIDEO, DAMAGED)

  if (metadata) table.flags[metadata.row] |= DROPPED
  await writeFile(planOf(job, assessment, left, front), reader, sink, monitor)
  const doubts = doubtsThat({
    unexplained: assessment.unexplained.length > 0 || assessment.missesEnds,
    missing: missing.length > 0,
    times: assessment.times.estimated > 0,
    assumed: doubtful,
    hits: hit,
    tornPictures: streams.some((stream) => isHitHereAndThere(table, stream)),
  })
  return conclude({
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    tracks: trackReports(reader, assessment).filter(({ id }) => left.includes(streams[id - 1])),
  })
}

/** Has the sink copy ahead while payload is looked at: where tags come to lie hardly ever depends on that. */
async function foretell(job: RepairJob, structure: Structure, sink: ByteSink): Promise<void> {
  const { streams, metadata, scan } = structure
  if (streams.length === 0) return
  const { flags } = scan.table
  const own = metadata && flags[metadata.row]
  if (metadata) flags[metadata.row] |= DROPPED
  await foretellFile(planOf(job, structure, streams, []), job.damaged.reader, sink, job.monitor)
  if (metadata && own !== undefined) flags[metadata.row] = own
}

/** The result with those streams that are left, and with new tags in front. */
function planOf(
  job: RepairJob,
  { scan: { table }, metadata, length }: Structure,
  left: readonly Stream[],
  front: readonly NewTag[],
): WritePlan {
  const video = left.find(({ kind }) => kind === VIDEO)
  const audio = left.find(({ kind }) => kind === AUDIO)
  return {
    table,
    kept: metadata?.properties ?? [],
    front,
    duration: length.seconds,
    facts: {
      hasVideo: hasKind(table, VIDEO),
      hasAudio: hasKind(table, AUDIO),
      ...(video ? { videoCodec: codecNumber(job, table, video), ...pictureSize(video, front) } : {}),
      ...(audio ? { audioCodec: codecNumber(job, table, audio) } : {}),
    },
  }
}

/** Leaves out the tags of a kind that have all of `flags`. */
function drop(table: TagTable, kind: number, flags = 0): void {
  for (let row = 0; row < table.length; row++)
    if (table.kind[row] === kind && (table.flags[row] & flags) === flags) table.flags[row] |= DROPPED
}

/** Configurations for streams that have none in front of their first unit, or none with which they read. */
async function configurations(
  job: RepairJob,
  { scan: found, streams }: Assessment,
  strategies: Strategies,
  sampleUsed: string[],
): Promise<{ front: NewTag[]; doubtful: boolean; hit: boolean; missing: Stream[] }> {
  const front: NewTag[] = []
  const missing: Stream[] = []
  let doubtful = false
  let hit = false
  let samples: readonly Stream[] | undefined
  for (const stream of streams) {
    if (stream.configured && !stream.unread) continue
    samples ??= await sampleStreams(job)
    const sample = samples.find(({ kind }) => kind === stream.kind)
    const configuration: FoundConfiguration | undefined =
      stream.header && !stream.unread
        ? { header: stream.header, from: 'in-band', doubtful: false }
        : await findConfiguration(job.damaged.reader, found.table, stream, sample, job.monitor)
    if (stream.unread && (!configuration || configuration.doubtful)) {
      // what the file says stays, though it is likely hit
      hit = true
      if (stream.configured) continue
    }
    strategies.push({
      name: `configuration of ${stream.codec}`,
      outcome: configuration ? `from ${configuration.from}` : 'not found',
    })
    if (!configuration) {
      missing.push(stream)
      continue
    }
    if (configuration.from === 'sample') sampleUsed.push('codec configuration')
    doubtful ||= configuration.doubtful
    if (stream.headerRow !== undefined) found.table.flags[stream.headerRow] |= DROPPED
    const time = found.table.time[stream.rows[0]]
    front.push({ kind: stream.kind, time, data: configuration.header })
  }
  return { front, doubtful, hit, missing }
}

async function sampleStreams({ sample, limits, monitor }: RepairJob): Promise<readonly Stream[]> {
  if (!sample) return []
  const { table } = await scan(sample.reader, limits, monitor)
  mendTimes(table)
  return streamsOf(sample.reader, table)
}

/** The codec's number as metadata state it: that of its tags, or its four characters as a number. */
function codecNumber({ damaged: { reader } }: RepairJob, table: TagTable, stream: Stream): number {
  const at = table.offset[stream.rows[0]] + 11
  const first = reader.u8(at)
  if (stream.kind === VIDEO) return first & 0x80 ? reader.u32(at + 1) : first & 15
  return first >> 4 === 9 ? reader.u32(at + 1) : first >> 4
}
