import { type ByteSink, isSeekable } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import { explainsPayload } from '../../recording/judge/explained-share.ts'
import { CHUNK_HEADER } from '../../syntax/riff/chunk.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { assess } from './assess.ts'
import { withDoubtfulSizes } from './mend/doubtful-sizes.ts'
import { foreignBehindEnd } from './mend/foreign-behind-end.ts'
import { withUnitsInGaps } from './mend/gap-units.ts'
import { healthyStretch } from './mend/healthy-stretch.ts'
import { findHiddenCut, hidesCut } from './mend/hidden-cut.ts'
import { type HoleLoss, lossesOf, NOTHING } from './mend/losses.ts'
import { type Matched, matchIndex, withoutIndex } from './mend/match-index.ts'
import { settle } from './mend/settle.ts'
import { withStatedCounts } from './mend/stated-counts.ts'
import { withTakenBytes } from './mend/taken-bytes.ts'
import { trimStart } from './mend/trim-start.ts'
import { trackReport } from './outcome.ts'
import { DAMAGED, LOST } from './read/chunk-table.ts'
import type { AviFile } from './read/file.ts'
import type { Gap } from './read/walk.ts'
import { type ChosenHeader, chooseHeader } from './ways/choose-header.ts'
import { writeAvi } from './write/write.ts'

/** Writes all chunks that are there with a header, counts and an index that are right. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const { limits, monitor } = job
  // chunks that stay where they are are all that copying ahead serves
  if (isSeekable(sink) && sink.lead !== 0) await sink.hold()
  const { file, matched: named, findings } = await assess(reader, limits, monitor)
  const base = { findings: findings.list, omittedFindings: findings.omitted }
  const fail = (reason: string): RecordingOutcome => ({
    ...base,
    verdict: 'unrepairable',
    tracks: [],
    strategies: [],
    sampleUsed: [],
    reason,
  })
  const untouched = { ...base, tracks: [], strategies: [], sampleUsed: [] } as const
  if (findings.healthy) return { ...untouched, verdict: 'healthy' }
  const warnings = await foreignBehindEnd(reader, findings, job.decoder)
  if (warnings) return { ...untouched, findings: warnings, verdict: 'healthy' }
  if (named.chunks.length === 0) return fail('Nothing of a recording was found in the file.')
  const chosen = await chooseHeader(job, file)
  if ('reason' in chosen) return fail(chosen.reason)
  const { header } = chosen
  const walk = file.header
    ? file.walk
    : withUnitsInGaps(reader, file.walk, header.streams, limits.samplesPerTrack)
  const cut = findHiddenCut(reader, walk, header.streams)
  // behind bytes that are gone others' chunks lie where an index names some
  const matched = cut
    ? withoutIndex(walk.chunks)
    : walk === file.walk
      ? named
      : await matchIndex(walk.chunks, file.index, limits.samplesPerTrack, monitor)
  const gaps =
    matched.agreed > 0
      ? walk.gaps
      : withDoubtfulSizes(reader, matched.chunks, withGap(walk.gaps, cut), header.streams)
  const hides = cut === 'hidden' || (matched.agreed === 0 && hidesCut(reader, walk, header.streams))
  const losses = unnamedLosses(job, file, matched, { ...chosen, walk }, gaps)
  const settled = await settle(
    reader,
    matched,
    gaps,
    header.streams,
    {
      losses,
      drop: job.options.damagedFrames === 'drop',
      dataFrom: walk.movi,
      dataUntil: dataEnd(walk.indexes),
    },
    limits,
    monitor,
  )
  const chunks = trimStart(settled.chunks, header.streams, limits.samplesPerTrack)
  let kept = 0
  let damaged = 0
  for (let row = 0; row < chunks.length; row++) {
    if (!(chunks.flags[row] & LOST)) kept++
    if (chunks.flags[row] & DAMAGED) damaged++
  }
  if (kept === 0) return fail('Nothing of a recording was found in the file.')
  await writeAvi(reader, header, chunks, sink, monitor)
  const doubts = doubtsThat({
    times: settled.estimated || hides,
    unexplained: !explainsPayload(settled.unexplained, [{ offset: 0, length: reader.size }]),
    assumed: chosen.assumed,
    statedRate: chosen.unconfirmed ?? false,
    missing: chosen.missing,
  })
  const lost = chunks.length - kept
  return {
    ...base,
    verdict: doubts.length > 0 ? 'partial' : 'repaired',
    tracks: header.streams.map((stream) => trackReport(reader, chunks, stream, settled.estimated)),
    strategies: [
      ...(chosen.strategy ? [chosen.strategy] : []),
      { name: 'chunks', outcome: `${kept - damaged} whole, ${damaged} damaged, ${lost} lost` },
    ],
    sampleUsed: chosen.sampleUsed,
    ...(doubts.length > 0 ? { doubts } : {}),
  }
}

/** What holes cost that no index tells of. */
function unnamedLosses(
  { damaged: { reader }, limits }: RepairJob,
  file: AviFile,
  { chunks, agreed }: Matched,
  { header, walk, sample }: ChosenHeader,
  all: readonly Gap[],
): ReadonlyMap<number, HoleLoss> {
  // where chunks begin at the place where the sample's do, headers were all that was lost
  const headers = sample && sample.walk.chunks.length > 0 ? sample.walk.chunks.offset[0] - CHUNK_HEADER : -1
  const gaps = all.filter(
    ({ offset, end, row }) => end > walk.movi && row < chunks.length && !(offset === 0 && end === headers),
  )
  if (agreed > 0 || gaps.length === 0) return new Map()
  const healthy = sample
    ? { reader: sample.reader, chunks: sample.walk.chunks, from: 0, until: sample.walk.chunks.length }
    : { reader, chunks, ...healthyStretch(chunks, gaps, header.streams) }
  const told = lossesOf(reader, chunks, lengthened(gaps, walk.taken), header.streams, healthy, limits)
  const losses = withTakenBytes(reader, told, gaps, walk.taken)
  if (!file.header) return losses
  const known = losses.size > 0 ? losses : lossless(gaps)
  const counted = withStatedCounts(known, { ...walk, chunks, gaps: all }, header.streams)
  return counted === known ? losses : counted
}

/** What holes cost that seem to have cost nothing, for counts to tell otherwise. */
function lossless(gaps: readonly Gap[]): ReadonlyMap<number, HoleLoss> {
  return new Map(gaps.map(({ offset }) => [offset, NOTHING]))
}

/** The gaps in file order, with one more where there is one. */
function withGap(gaps: readonly Gap[], gap: Gap | 'hidden' | undefined): readonly Gap[] {
  return gap && gap !== 'hidden' ? [...gaps, gap].sort((a, b) => a.row - b.row || a.offset - b.offset) : gaps
}

/** The gaps, with what was taken out of the file in the only one that is empty. */
function lengthened(gaps: readonly Gap[], taken = 0): readonly Gap[] {
  const empty = gaps.filter(({ offset, end }) => offset === end)
  return gaps.map((gap) =>
    gap === empty[0] && empty.length === 1 && taken > 0 ? { ...gap, end: gap.end + taken } : gap,
  )
}

/** Where the old index stands behind the data; the end of everything where there is none. */
function dataEnd(indexes: readonly { readonly offset: number; readonly stream: number }[]): number {
  return indexes.find(({ stream }) => stream < 0)?.offset ?? Number.POSITIVE_INFINITY
}
