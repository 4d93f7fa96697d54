import { Edits } from '../../bytes/edits.ts'
import type { Foresight } from '../../bytes/foresight.ts'
import type { Limits } from '../../bytes/limits.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { SAMPLE_DAMAGED } from '../../model/sample-table.ts'
import { joinEpochs } from '../../recording/epochs.ts'
import { SECTOR_PAYLOAD_BYTES } from '../../syntax/cdxa/sector.ts'
import { encrypted, noPacks, packsMissing, sequenceMissing } from './findings.ts'
import { dropLostTimes, mendLostClocks } from './mend/lost-times.ts'
import { mendClocks, mendStreamTimes } from './mend/times.ts'
import { findHeadless, type Headless } from './read/sequence-heads.ts'
import type { ProgramStream } from './read/stream.ts'
import { Walk } from './read/walk.ts'
import { hasSectors } from './sectors/find-sectors.ts'
import { mapSectors } from './sectors/map-sectors.ts'
import type { SectorMap } from './sectors/sector-map.ts'
import { SectorSource } from './sectors/sector-source.ts'

/** All that one walk over the file tells. */
export interface Survey {
  readonly walk: Walk
  readonly findings: Findings
  /** Changes of `payload`. */
  readonly edits: Edits
  /** Where the sectors of a Video CD lie, whose payloads one behind the other are `payload`. */
  readonly sectors: SectorMap | undefined
  /** The program stream. */
  readonly payload: ByteReader
  readonly streams: readonly ProgramStream[]
  /** Those of pictures that lack the header which says how large they are. */
  readonly headless: readonly Headless[]
  /** Times of some were guessed. */
  readonly guessed: boolean
  readonly encrypted: boolean
  readonly healthy: boolean
}

/** Reads every pack and packet of a file; `foresight` is told of the result on the way. Never throws for damage. */
export async function survey(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  foresight?: Foresight,
): Promise<Survey> {
  const findings = new Findings(limits.findings)
  const sectors = hasSectors(reader) ? await mapSectors(reader, findings, monitor) : undefined
  // what sectors hold does not lie in one piece
  const edits = new Edits(sectors ? undefined : foresight)
  const payload = sectors ? new ByteReader(new SectorSource(reader, sectors), reader.work) : reader
  const isHit = sectors && ((from: number, to: number) => anyHit(sectors, from, to))
  const walk = new Walk(payload, limits, findings, edits, monitor, isHit)
  await walk.run()
  // sectors have numbers of their own
  for (const { offset, count } of sectors ? [] : walk.clocks.gaps) {
    findings.add(packsMissing(offset, count))
    walk.streams.holeAt(offset)
  }
  const streams = streamsOf(walk)
  joinEpochs(streams.map(({ table }) => table))
  // without times nothing keeps sound beside pictures over a hole
  let guessed =
    streams.every(({ table: { dts } }) => Number.isNaN(dts[0])) &&
    ['mpegps.foreign-bytes', 'mpegps.zeros', 'mpegps.packet-length'].some((code) => findings.has(code))
  if (walk.untimed > 0) guessed = true
  for (const stream of streams) if (mendStreamTimes(payload, stream, edits, findings)) guessed = true
  mendClocks(payload, walk.clocks.table, edits, findings)
  if (mendLostClocks(payload, walk.clocks.table, edits, findings)) guessed = true
  for (const stream of streams.filter(isTimed))
    if (dropLostTimes(payload, stream, walk.clocks.table, edits, findings)) guessed = true
  const hidden = streams.filter(({ scrambled, packets }) => scrambled * 2 > packets)
  for (const { table } of hidden) findings.add(encrypted(table.offset[0]))
  const headless = hidden.length > 0 ? [] : await findHeadless(payload, streams, monitor)
  for (const { offset } of headless) findings.add(sequenceMissing(offset))
  if (streams.length === 0) findings.add(noPacks())
  return {
    walk,
    findings,
    edits,
    sectors,
    payload,
    streams,
    headless,
    guessed,
    encrypted: hidden.length > 0,
    healthy: findings.healthy && streams.length > 0,
  }
}

/** The streams whose packets tell times; of a file in which none does, those that are known by their bytes. */
function streamsOf({ streams: { all } }: Walk): ProgramStream[] {
  const timed = all.filter(({ table, packets }) => table.length > 0 && packets > 0)
  if (timed.length > 0) return timed
  const known = all.filter(({ packets, codec }) => packets > 0 && codec !== '')
  for (const { table, places } of known) table.dts[table.push(places[0] ?? 0, 0, 1, 0, 0, 0)] = Number.NaN
  return known
}

/** Whether a stream's packets come one behind the other without long pauses. */
function isTimed({ kind }: ProgramStream): boolean {
  return kind === 'video' || kind === 'audio'
}

/** Whether nothing is whole of a stream whose bytes tell no coding either: what looks like packets holds no pictures or sound. */
export function isHollow({ codec, table: { flags, length } }: ProgramStream): boolean {
  return codec === '' && flags.subarray(0, length).every((flag) => (flag & SAMPLE_DAMAGED) !== 0)
}

/** A stream's number in reports: its id, a substream's behind it. */
export function numberOf({ id, substream }: ProgramStream): number {
  return substream < 0 ? id : id * 256 + substream
}

/** Whether some sector of a stretch of payload is not whole. */
function anyHit(sectors: SectorMap, from: number, to: number): boolean {
  const last = Math.min(sectors.length, Math.ceil(to / SECTOR_PAYLOAD_BYTES))
  for (let sector = Math.floor(from / SECTOR_PAYLOAD_BYTES); sector < last; sector++)
    if (sectors.isHit(sector)) return true
  return false
}
