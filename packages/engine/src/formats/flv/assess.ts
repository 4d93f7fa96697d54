import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { countBelow } from '../../model/bisect.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { type Length, lengthOf } from './length.ts'
import { checkMedia } from './media-check.ts'
import { mendDelays } from './mend/delays.ts'
import { withProvenConfiguration } from './mend/own-configuration.ts'
import { type MendedTimes, mendTimes } from './mend/times.ts'
import { brokenScripts, type Metadata, readMetadata } from './metadata/read.ts'
import { PLAIN } from './read/hole.ts'
import { type Hole, type Scan, scan } from './read/scan.ts'
import { AUDIO, CONFIG, DROPPED, EMPTY, KEY, type TagTable, TORN, VIDEO } from './read/tag-table.ts'
import { type Stream, streamsOf } from './streams.ts'

const SPECIFICATION = 'Adobe Flash Video File Format Specification 10.1'
/** Seconds by which a stated duration may be off: muxers round, and count the last unit or not. */
const DURATION_SLACK = 0.75
/** Share of the sound from which the ends of hit packets, whose samples would stand for themselves, are missed. */
const MISSED = 0.02

/** All that is known of a file. */
export interface Assessment {
  readonly findings: Findings
  readonly scan: Scan
  readonly times: MendedTimes
  readonly metadata: Metadata | undefined
  readonly streams: readonly Stream[]
  /** Units that were hit, by kind. */
  readonly damaged: ReadonlyMap<number, number>
  readonly length: Length
  /** Holes that hold bytes which nothing accounts for. */
  readonly unexplained: readonly Hole[]
  /** Of plain sound ends of packets were left out that may be whole. */
  readonly missesEnds: boolean
  /** More than a hundredth of the tags are encrypted. */
  readonly encrypted: boolean
  /** Nothing is wrong. */
  readonly healthy: boolean
}

/** What is known of a file before any of its payload is looked at. */
export type Structure = Pick<Assessment, 'scan' | 'metadata' | 'streams' | 'length'>

/** Reads a file and says what is wrong with it. `read` is called before its payload is looked at. Never throws for damage. */
export async function assess(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  read: (structure: Structure) => Promise<void> = async () => {},
): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const found = await scan(reader, limits, monitor)
  const { table } = found
  const clocks = mendTimes(table)
  const metadata = readMetadata(reader, table)
  const broken = brokenScripts(reader, table)
  for (const row of broken) table.flags[row] |= DROPPED
  const streams = streamsOf(reader, table).map((stream) => withProvenConfiguration(reader, table, stream))
  dropStrangers(table, streams)
  const times = mendDelays(table, streams, clocks)
  await read({ scan: found, metadata, streams, length: lengthOf(table, streams, times) })
  const damaged = await checkMedia(reader, table, streams, monitor)
  const length = lengthOf(table, streams, times)
  const encrypted = found.encrypted * 100 > table.length
  const unexplained = found.holes.filter(
    (hole) =>
      hole.unexplained > 0 && hole.offset !== metadata?.fileSize && !goesOn(table, streams, times, hole),
  )
  tellStructure(reader, found, findings)
  tellTimes(times, findings)
  if (broken.length > 0)
    findings.add({
      code: 'flv.script-broken',
      severity: 'error',
      message: `${broken.length} tags of script data hold none`,
      offset: table.offset[broken[0]],
      length: table.size[broken[0]],
      clause: `${SPECIFICATION} Annex E.4.4`,
    })
  tellMetadata(found, metadata, length, findings)
  if (encrypted)
    findings.add({
      code: 'flv.encrypted',
      severity: 'error',
      message: `${found.encrypted} tags are encrypted`,
    })
  for (const { kind, codec, configured, unread, headerRow, rows } of streams) {
    // pictures may have tools that are not read here: alone they prove nothing
    const hit = unread && kind === AUDIO
    if (configured && !hit) continue
    if (hit || (headerRow !== undefined && headerRow < rows[0])) {
      const message = `the configuration is not that of the ${codec} that follows`
      findings.add({ code: 'flv.configuration-damaged', severity: 'error', message })
      continue
    }
    const message = `no configuration of ${codec} in front of ${kind === VIDEO ? 'the pictures' : 'the sound'}`
    findings.add({ code: 'flv.configuration-missing', severity: 'error', message })
  }
  for (const [kind, count] of damaged) {
    if (count === 0) continue
    const message = `${count} ${kind === AUDIO ? 'packets of sound' : 'pictures'} hold bytes that cannot be theirs`
    findings.add({ code: 'flv.media-damaged', severity: 'error', message })
  }
  if (streams.length === 0)
    findings.add({ code: 'flv.no-media', severity: 'error', message: 'no pictures and no sound were found' })
  return {
    findings,
    scan: found,
    times,
    metadata,
    streams,
    damaged,
    length,
    unexplained,
    missesEnds: missesEnds(table, streams, found.holes),
    encrypted,
    healthy: findings.healthy,
  }
}

/** Leaves out what calls itself pictures or sound and is of no codec of the recording. */
function dropStrangers(table: TagTable, streams: readonly Stream[]): void {
  for (let row = 0; row < table.length; row++) {
    const stream = streams.find(({ kind }) => kind === table.kind[row])
    if (!stream) continue
    const codec = table.codecName(row)
    // zeros where the data of a torn tag began name a codec, too
    if (codec === '' || (table.flags[row] & TORN && codec !== stream.codec)) table.flags[row] |= DROPPED
  }
}

/** Whether sound and pictures go on behind a hole as if nothing were missing. */
function goesOn(table: TagTable, streams: readonly Stream[], { steps }: MendedTimes, { row }: Hole): boolean {
  if (row === 0 || row >= table.length) return false
  return streams.every(({ kind, rows }) => {
    const step = steps.get(kind) ?? 0
    const next = countBelow(rows, row)
    if (step === 0 || next === 0 || next === rows.length) return false
    return table.time[rows[next]] - table.time[rows[next - 1]] <= step * 1.6
  })
}

/** Whether holes hold the ends of more than a few packets of plain sound, by their size. */
function missesEnds(table: TagTable, streams: readonly Stream[], holes: readonly Hole[]): boolean {
  const sound = streams.find(({ kind, codec }) => kind === AUDIO && PLAIN.has(codec))
  if (!sound) return false
  const sizes = new Set<number>()
  let all = 0
  for (const row of sound.rows) {
    sizes.add(table.size[row])
    all += table.size[row]
  }
  const ends = holes.filter(({ tail }) => sizes.has(tail)).reduce((sum, { tail }) => sum + tail, 0)
  return ends > all * MISSED
}

function tellStructure(reader: ByteReader, found: Scan, findings: Findings): void {
  if (!found.head)
    findings.add({
      code: 'flv.head-damaged',
      severity: 'error',
      message: 'the file header is damaged or missing',
      offset: 0,
      length: Math.min(9, reader.size),
      clause: `${SPECIFICATION} Annex E.2`,
    })
  for (const { offset, length, torn } of found.holes) {
    const place = { offset, length, clause: `${SPECIFICATION} Annex E.3` }
    const end = offset + length === reader.size
    const [code, message] = isZero(reader, offset, offset + length)
      ? ['flv.zeros', `${length} zero bytes where a tag has to stand`]
      : end && torn
        ? ['flv.cut', `the last tag breaks off after ${length} bytes`]
        : [end ? 'flv.tail' : 'flv.hole', `${length} bytes that are no whole tag`]
    findings.add({ code, severity: 'error', message, ...place })
  }
  const count = (code: string, severity: 'error' | 'warning', number: number, what: string): void => {
    if (number > 0)
      findings.add({ code, severity, message: `${number} ${what}`, clause: `${SPECIFICATION} Annex E.4.1` })
  }
  count('flv.trailer-wrong', 'warning', found.wrongTrailers, 'sizes behind tags are not those of the tags')
  count('flv.header-damaged', 'error', found.mendedHeaders, 'headers of tags are damaged')
  count('flv.further-recording', 'error', found.restarts.length, 'further recordings follow in the file')
}

function tellTimes({ mended, jumps }: MendedTimes, findings: Findings): void {
  if (mended > 0)
    findings.add({
      code: 'flv.time-wrong',
      severity: 'error',
      message: `${mended} times do not fit between their neighbours'`,
    })
  if (jumps > 0)
    findings.add({
      code: 'flv.clock-restart',
      severity: 'error',
      message: `the clock begins anew ${jumps} times`,
    })
}

function tellMetadata(
  { table }: Scan,
  metadata: Metadata | undefined,
  { seconds, first }: Length,
  findings: Findings,
): void {
  if (!metadata) {
    findings.add({
      code: 'flv.metadata-missing',
      severity: 'info',
      message: 'nothing tells the length of the recording',
    })
    return
  }
  const { duration, positions } = metadata
  const place = {
    offset: table.offset[metadata.row],
    length: table.end(metadata.row) - table.offset[metadata.row],
  }
  const clause = `${SPECIFICATION} Annex E.5`
  const slack = Math.max(DURATION_SLACK, seconds / 100)
  const isTrue = (stated: number): boolean =>
    Math.abs(stated - seconds) <= slack || Math.abs(stated - seconds - first) <= slack
  if (duration !== undefined && !isTrue(duration))
    findings.add({
      code: 'flv.duration-wrong',
      severity: 'warning',
      message: `${duration.toFixed(3)} s stated, ${seconds.toFixed(3)} s found`,
      clause,
      ...place,
    })
  const wrong = positions ? wrongPositions(table, positions) : 0
  if (wrong > 0)
    findings.add({
      code: 'flv.index-wrong',
      severity: 'warning',
      message: `${wrong} places in the index of key pictures hold none`,
      clause,
      ...place,
    })
}

/** Places of an index where no tag begins that play can start at. The first may be a configuration's, or the metadata's. */
function wrongPositions(table: TagTable, positions: readonly number[]): number {
  let row = 0
  let wrong = 0
  for (const position of [...positions].sort((a, b) => a - b)) {
    while (row < table.length && table.offset[row] < position) row++
    if (row >= table.length || table.offset[row] !== position) wrong++
    else if (table.kind[row] === VIDEO && (table.flags[row] & (KEY | CONFIG | EMPTY)) === 0) wrong++
  }
  return wrong
}
