import type { ByteReader } from '../../bytes/reader.ts'
import type { Findings } from '../../model/finding.ts'
import { ElementHeader, readChildren, readUnsigned } from '../../syntax/ebml/element.ts'
import { seekWrong } from './findings.ts'
import { CUES, SEEK, SEEK_HEAD, SEEK_ID, SEEK_POSITION, VOID } from './ids.ts'
import { readCues } from './read/cues.ts'
import type { Run, Survey } from './read/survey.ts'

const MOST_SEEKS = 4096
/** Blocks of a Cluster looked through for one that an entry without a place in it means. */
const MOST_LOOKED = 4096

/** How many entries of the Cues name no Cluster, or a time that none of its blocks has. */
export function checkCues(reader: ByteReader, survey: Survey): number {
  const { segment } = survey
  const elements = survey.elements.filter(({ id }) => id === CUES)
  if (!segment || elements.length === 0) return 0
  const clusters = new Map<number, Run>()
  for (const run of survey.runs) if (run.headed) clusters.set(run.offset - segment.body, run)
  let wrong = 0
  for (const cues of elements)
    for (const { time, track, cluster } of readCues(reader, cues)) {
      const run = clusters.get(cluster)
      if (!run || !names(survey, run, track, time)) wrong++
    }
  return wrong
}

function names({ blocks }: Survey, run: Run, track: number, time: number): boolean {
  const end = Math.min(run.endRow, run.firstRow + MOST_LOOKED)
  for (let row = run.firstRow; row < end; row++)
    if (blocks.track[row] === track && Math.abs((run.time ?? 0) + blocks.relative[row] - time) <= 1)
      return true
  return end < run.endRow
}

/** Notes entries of SeekHeads that point to something else than they name. */
export function checkSeekHeads(reader: ByteReader, survey: Survey, findings: Findings): void {
  const { segment } = survey
  if (!segment) return
  const header = new ElementHeader()
  for (const head of survey.elements) {
    if (head.id !== SEEK_HEAD || !head.whole) continue
    let wrong = 0
    for (const seek of readChildren(reader, head.body, head.end, MOST_SEEKS).children) {
      if (seek.id !== SEEK) continue
      const { children } = readChildren(reader, seek.body, seek.end, MOST_SEEKS)
      const id = children.find((child) => child.id === SEEK_ID)
      const position = children.find((child) => child.id === SEEK_POSITION)
      if (!id || !position) continue
      const at = segment.body + (readUnsigned(reader, position) ?? 0)
      if (!header.read(reader, at, reader.size) || header.id !== readUnsigned(reader, id)) wrong++
    }
    if (wrong > 0) findings.add(seekWrong(wrong, head.offset, head.end - head.offset))
  }
}

/** Elements in front of the first Cluster looked through for one that keeps room. */
const MOST_IN_HEAD = 256

/**
 * Whether a file was never finished: the size of its Segment is not known, or its head keeps room for an index or a length that
 * nobody filled: a SeekHead, a Void, a Duration that says nothing. A file that was finished without Cues and Duration, which
 * RFC 9559 §5.1 asks of none, is complete.
 */
export function awaitsIndex(reader: ByteReader, { segment, runs, info, elements }: Survey): boolean {
  if (!segment || segment.end === undefined) return true
  if (!info || info.awaitsDuration || elements.some(({ id }) => id === SEEK_HEAD)) return true
  const end = runs[0]?.offset ?? segment.body
  return readChildren(reader, segment.body, end, MOST_IN_HEAD).children.some(({ id }) => id === VOID)
}
