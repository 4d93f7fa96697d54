import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { LimitError } from '../../model/errors.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import * as finding from './findings.ts'
import { withUnitsInGaps } from './mend/gap-units.ts'
import { type Matched, matchIndex } from './mend/match-index.ts'
import { learnedChecks } from './mend/unit-check.ts'
import { DAMAGED, NO_TIME, REWRITTEN, SEEN } from './read/chunk-table.ts'
import { unitsOf } from './read/clock.ts'
import { type AviFile, readFile } from './read/file.ts'

/** What a file is, and what is wrong with it. */
export interface Assessment {
  readonly file: AviFile
  readonly matched: Matched
  readonly findings: Findings
}

/** Filling bytes behind the end that break no rule. */
const PADDING = 64 * 1024
const STEPS = 2048
/** Units by which a stream's stated length may be off: last ones that were never written, priming. */
const UNITS_OFF = 2
const SHARE_OFF = 0.02

export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const read = await readFile(reader, limits, monitor)
  const { header, index } = read
  const walk = header ? withUnitsInGaps(reader, read.walk, header.streams, limits.samplesPerTrack) : read.walk
  const file = { ...read, walk }
  if (header && header.streams.length >= limits.tracks && streamsTold(header.main) > limits.tracks)
    throw new LimitError(`more than ${limits.tracks} streams in one file`)
  const findings = new Findings(limits.findings)
  const matched = await matchIndex(walk.chunks, index, limits.samplesPerTrack, monitor)
  if (!header) findings.add(finding.headerMissing())
  if (walk.chunks.length === 0) findings.add(finding.noData())
  else checkIndex(file, matched, findings)
  if (!walk.sizes) findings.add(finding.sizeWrong())
  checkGaps(file, findings)
  if (header) checkCounts(file, findings)
  if (findings.healthy) await checkUnits(file, findings, monitor)
  return { file, matched, findings }
}

function streamsTold(main: Uint8Array): number {
  return new DataView(main.buffer).getUint32(24, true)
}

function checkIndex(
  { index }: AviFile,
  { unnamed, missing, behind, agreed, differing }: Matched,
  findings: Findings,
): void {
  if (index.length === 0 || agreed === 0) findings.add(finding.indexMissing())
  else {
    if (unnamed > 0) findings.add(finding.indexIncomplete(unnamed))
    if (missing + behind > 0) findings.add(finding.indexBeyond(missing + behind))
    // what most entries tell otherwise is the writer's habit
    if (differing > 0 && differing * 2 < agreed) findings.add(finding.indexDiffers(differing))
  }
}

function checkGaps({ reader, walk }: AviFile, findings: Findings): void {
  const { chunks, gaps, movi } = walk
  for (let row = 0; row < chunks.length; row++) {
    const flags = chunks.flags[row]
    const end = chunks.offset[row] + chunks.size[row]
    if (flags & DAMAGED && row === chunks.length - 1 && end >= reader.size) findings.add(finding.cutOff(end))
    else if (flags & REWRITTEN) findings.add(finding.chunkHeader(chunks.offset[row] - 8))
  }
  for (const { offset, end, row } of gaps) {
    if (end <= movi || (end === offset && end === reader.size)) continue
    if (row < chunks.length) findings.add(finding.hole(offset, end - offset))
    else {
      const padding = end - offset <= PADDING && isZero(reader, offset, end)
      findings.add(finding.trailing(offset, end - offset, padding ? 'info' : 'error'))
    }
  }
}

function checkCounts({ header, walk }: AviFile, findings: Findings): void {
  const { chunks } = walk
  const streams = header?.streams ?? []
  const units = streams.map(() => 0)
  for (let row = 0; row < chunks.length; row++) {
    const number = chunks.stream[row]
    if (number < units.length && !(chunks.flags[row] & NO_TIME))
      units[number] += unitsOf(streams[number], chunks.size[row])
  }
  for (const [number, stream] of streams.entries()) {
    const told = stream.header.length
    const there = units[number]
    if (there === 0 || Math.abs(told - there) <= UNITS_OFF) continue
    const far = told === 0 || Math.abs(told - there) > there * SHARE_OFF
    // players take the length from the pictures; that of sound is often that of another count
    const matters = told === 0 || stream.description.kind === 'video'
    findings.add(finding.countWrong(number, told, there, far && matters ? 'error' : 'info'))
  }
}

/** Zeroed stretches in pictures, and checksums of sound that do not hold, where all else is well. */
async function checkUnits(
  { reader, header, walk }: AviFile,
  findings: Findings,
  monitor: Monitor,
): Promise<void> {
  const { chunks } = walk
  const checks = learnedChecks(reader, chunks, header?.streams ?? [])
  for (let row = 0; row < chunks.length; row++) {
    if (row % STEPS === 0) await monitor.pause()
    const offset = chunks.offset[row]
    const size = chunks.size[row]
    const check = checks[chunks.stream[row]]
    if (!(chunks.flags[row] & SEEN) && check?.hasHole(offset, size)) findings.add(finding.zeros(offset, size))
    else if (check?.isMisread(offset, size)) findings.add(finding.unitHit(offset, size))
  }
}
