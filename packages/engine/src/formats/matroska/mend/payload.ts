import { crc32Of } from '../../../bytes/crc32.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { UNKNOWN_SIZE } from '../../../syntax/ebml/element.ts'
import { framesOf } from '../read/block.ts'
import { HIT } from '../read/block-table.ts'
import { FrameChecker } from '../read/frame-checker.ts'
import type { Run, Survey } from '../read/survey.ts'
import type { MatroskaTrack } from '../read/track.ts'

/** Blocks of a run that checkers get to know a track by. */
const LEARNED = 32

/** What reading all blocks showed. */
export interface PayloadState {
  /** Clusters whose sum says that bytes of theirs are altered, where nothing shows which. */
  readonly alteredRuns: Run[]
  readonly hitBlocks: number
  /** Clusters whose sum holds. */
  readonly proven: ReadonlySet<Run>
  /** What judges frames of each track that is known, by its number. */
  readonly checkers: ReadonlyMap<number, FrameChecker>
}

/**
 * Reads all blocks: Clusters whose sum holds are whole, the blocks of others are judged by their codec. Flags those that are hit.
 */
export async function checkPayload(
  reader: ByteReader,
  survey: Survey,
  tracks: readonly MatroskaTrack[],
  monitor: Monitor,
): Promise<PayloadState> {
  const checkers = new Map(tracks.map((track) => [track.number, new FrameChecker(reader, track)]))
  const { blocks } = survey
  const proven = new Set<Run>()
  const unproven: { run: Run; summed: boolean }[] = []
  for (const [index, run] of survey.runs.entries()) {
    monitor.progress('diagnose', index / survey.runs.length / 2)
    await monitor.pause()
    const holds = sumHolds(reader, run)
    if (holds === true) proven.add(run)
    else unproven.push({ run, summed: holds === false })
    if (holds === false) run.altered = true
    if (run.altered) continue
    for (let row = run.firstRow; row < Math.min(run.endRow, run.firstRow + LEARNED); row++)
      checkers.get(blocks.track[row])?.seeAll(placesOf(reader, survey, row))
  }
  const alteredRuns: Run[] = []
  let hitBlocks = 0
  for (const [index, { run, summed }] of unproven.entries()) {
    monitor.progress('diagnose', (1 + index / unproven.length) / 2)
    await monitor.pause()
    let hits = 0
    for (let row = run.firstRow; row < run.endRow; row++) {
      if (!blocks.is(row, HIT)) {
        const checker = checkers.get(blocks.track[row])
        if (!checker) continue
        const frames = placesOf(reader, survey, row)
        for (let i = 1; i < frames.length; i++)
          if (checker.isHit(frames[i - 1], frames[i] - frames[i - 1])) blocks.flags[row] |= HIT
      }
      if (blocks.is(row, HIT)) hits++
    }
    hitBlocks += hits
    if (summed && hits === 0) alteredRuns.push(run)
  }
  return { alteredRuns, hitBlocks, proven, checkers }
}

/** Offsets of a block's frames and the end of the last; none where its lace does not fit. */
function placesOf(reader: ByteReader, { blocks }: Survey, row: number): readonly number[] {
  return framesOf(reader, blocks.head[row], blocks.payload[row], blocks.end[row]) ?? []
}

/** Whether the sum of a Cluster holds; undefined where it has none, or where its bytes are not all in their places. */
function sumHolds(reader: ByteReader, run: Run): boolean | undefined {
  const end = run.body + run.size
  if (!run.headed || run.sumFrom < 0 || run.size === UNKNOWN_SIZE || end > reader.size) return undefined
  if (run.altered || run.end !== end) return undefined
  return crc32Of(reader, run.sumFrom, end) === run.sum
}
