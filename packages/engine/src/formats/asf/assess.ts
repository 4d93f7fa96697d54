import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { checkMedia } from './media-check.ts'
import { mendObjects } from './mend/object-fields.ts'
import { type MendedTimes, mendTimes } from './mend/times.ts'
import { packetDistance } from './read/grid.ts'
import { GUID, guidAt } from './read/guids.ts'
import { DATA_START, type Header, readHeader } from './read/header.ts'
import { joinObjects, type MediaObjects } from './read/media-objects.ts'
import type { PacketSizes } from './read/packet.ts'
import { isDense } from './read/payload-zeros.ts'
import { type Scan, type SoFar, scan } from './read/scan.ts'
import { objectsOf, type StreamObjects, spanOf } from './recording.ts'

const SPECIFICATION = 'ASF Specification 01.20.05'
/** Milliseconds, and share of the length, by which a stated length may be off. */
const LENGTH_SLACK = 1500
const LENGTH_SHARE = 0.02
/** File Properties: the file is being written, §3.2. */
export const BROADCAST = 1

/** All that is known of a file. */
export interface Assessment {
  readonly findings: Findings
  /** The file's own header. */
  readonly header: Header
  /** The header in force: the file's own or the sample's. */
  readonly used: Header
  readonly sizes: PacketSizes | undefined
  readonly scan: Scan | undefined
  readonly joined: ReadonlyMap<number, MediaObjects>
  readonly objects: readonly StreamObjects[]
  readonly times: MendedTimes
  /** Objects whose bytes cannot be what their codec writes, by stream. */
  readonly damaged: ReadonlySet<number>
  readonly span: { readonly first: number; readonly end: number }
  readonly healthy: boolean
}

/** Told of what a file with a header of its own becomes, before its payload is looked at. */
export interface Foretelling {
  /** On the way. */
  walked(found: SoFar, at: number): void
  scanned(plan: Foretold): Promise<void>
}

type Foretold = { readonly header: Header; readonly sizes: PacketSizes } & Pick<Scan, 'packets' | 'payloads'>

/** Reads a file and says what is wrong with it. `sample`: the header of a healthy recording, for a file that lost its own. */
export async function assess(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  sample?: Header,
  foretelling?: Foretelling,
): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const header = readHeader(reader)
  const own = header.streams.length > 0
  const used = own || !sample ? header : sample
  if (!header.whole)
    findings.add({
      code: 'asf.header-damaged',
      severity: 'error',
      message: own ? 'the header is damaged' : 'the header is damaged or missing',
      offset: 0,
      length: Math.min(reader.size, 30),
      clause: `${SPECIFICATION} §3`,
    })
  const nothing = {
    findings,
    header,
    used,
    sizes: undefined,
    scan: undefined,
    joined: new Map<number, MediaObjects>(),
    objects: [],
    times: { mended: 0, estimated: 0 },
    damaged: new Set<number>(),
    span: { first: 0, end: 0 },
    healthy: false,
  }
  if (header.encrypted) {
    findings.add({ code: 'asf.encrypted', severity: 'error', message: 'the content is encrypted' })
    return nothing
  }
  if (used.streams.length === 0) return nothing
  const sizes = sizesOf(reader, header, sample)
  if (!sizes) return nothing
  const start = header.data >= 0 ? header.data + DATA_START : 0
  const told = own ? foretelling : undefined
  const numbers = new Set(used.streams.map(({ number }) => number))
  const dense = new Set(used.streams.filter(isDense).map(({ number }) => number))
  const found = await scan(
    reader,
    start,
    sizes,
    (stream) => numbers.has(stream),
    (stream) => dense.has(stream),
    limits,
    monitor,
    told && ((sofar, at) => told.walked(sofar, at)),
  )
  const mendedObjects = mendObjects(reader, found.packets, found.payloads)
  const joined = joinObjects(found.payloads)
  const objects = objectsOf(found.payloads, used.streams)
  const times = mendTimes(reader, found.packets, found.payloads, objects)
  await told?.scanned({ ...found, header, sizes })
  const damaged = await checkMedia(reader, found, objects, monitor)
  // times count from where the play duration does, which has the preroll in it
  const span = spanOf(found.payloads, objects, header.file && header.file.playDuration / 10_000)
  if (header.data < 0)
    findings.add({ code: 'asf.data-missing', severity: 'error', message: 'the data object has no header' })
  tellData(found, joined, findings)
  tellMended(mendedObjects, times, damaged, findings)
  tellProperties(reader, header, found, span, findings)
  if (objects.length === 0)
    findings.add({ code: 'asf.no-media', severity: 'error', message: 'no pictures and no sound were found' })
  return {
    findings,
    header,
    used,
    sizes,
    scan: found,
    joined,
    objects,
    times,
    damaged,
    span,
    healthy: findings.healthy,
  }
}

function sizesOf(reader: ByteReader, header: Header, sample: Header | undefined): PacketSizes | undefined {
  const stated = header.file
  if (stated && !stated.variable) return { least: stated.packetSize, most: stated.packetSize }
  // of packets of different sizes no distance is that of all
  const varying = stated ?? (sample?.file?.variable ? sample.file : undefined)
  if (varying) return { least: varying.leastPacket, most: varying.packetSize }
  const size = packetDistance(reader, Math.max(0, header.data), reader.size) || sample?.file?.packetSize || 0
  return size > 0 ? { least: size, most: size } : undefined
}

function tellData(found: Scan, joined: ReadonlyMap<number, MediaObjects>, findings: Findings): void {
  const last = found.holes.at(-1)
  for (const hole of found.holes) {
    const open = hole === last && hole.packet >= found.packets.length && found.indexes.length === 0
    const [code, message] = hole.zero
      ? ['asf.zeros', `${hole.length} zero bytes where packets have to stand`]
      : open
        ? ['asf.cut', `${hole.length} bytes behind the last whole packet`]
        : ['asf.packets-damaged', `${hole.length} bytes that are no whole packets`]
    findings.add({
      code,
      severity: 'error',
      message,
      offset: hole.offset,
      length: hole.length,
      clause: `${SPECIFICATION} §5.2`,
    })
  }
  for (const [stream, { broken, lost, whole, firstWhole, lastWhole }] of joined) {
    if (broken === 0) continue
    const inner = whole === 0 ? broken : lost.filter(({ row }) => row > firstWhole && row < lastWhole).length
    findings.add({
      code: 'asf.object-broken',
      // cutting tools leave parts of pictures at both ends
      severity: found.holes.length > 0 || inner > 0 ? 'error' : 'info',
      message: `${broken} media objects of stream ${stream} are not whole`,
      clause: `${SPECIFICATION} §5.2.3`,
    })
  }
  if (found.mendedPackets > 0)
    findings.add({
      code: 'asf.packet-header',
      severity: 'error',
      message: `a bit is wrong in the headers of ${found.mendedPackets} packets`,
      clause: `${SPECIFICATION} §5.2`,
    })
  if (found.trailing > 0)
    findings.add({
      code: 'asf.trailing',
      severity: 'error',
      message: `${found.trailing} bytes behind the last object belong to nothing`,
    })
}

function tellMended(
  objects: number,
  times: MendedTimes,
  damaged: ReadonlySet<number>,
  findings: Findings,
): void {
  const clause = `${SPECIFICATION} §5.2.3`
  const tell = (code: string, count: number, what: string): void => {
    if (count > 0) findings.add({ code, severity: 'error', message: `${count} ${what}`, clause })
  }
  tell(
    'asf.payload-header',
    objects,
    'payloads say other things of their media object than those around them',
  )
  tell('asf.time-wrong', times.mended, "presentation times do not fit between their neighbours'")
  tell('asf.media-damaged', damaged.size, 'pictures or pieces of sound hold bytes that cannot be theirs')
}

function tellProperties(
  reader: ByteReader,
  { file, data, streams }: Header,
  { packets, indexes }: Scan,
  span: { first: number; end: number },
  findings: Findings,
): void {
  const clause = `${SPECIFICATION} §3.2`
  const warn = (code: string, message: string): void =>
    findings.add({ code, severity: 'warning', message, clause })
  if (!file) return
  if (file.flags & BROADCAST) warn('asf.unfinished', 'the recording was never finished')
  else {
    if (file.packets !== packets.length)
      warn('asf.count-wrong', `${file.packets} packets stated, ${packets.length} found`)
    const stated = file.playDuration / 10_000 - file.preroll
    const slack = Math.max(LENGTH_SLACK, (span.end - span.first) * LENGTH_SHARE)
    const lengths = [span.end - span.first, span.end - file.preroll, span.end]
    if (!lengths.some((length) => Math.abs(length - stated) <= slack))
      warn('asf.duration-wrong', `${Math.round(stated)} ms stated, ${span.end - span.first} ms found`)
    // recordings without an index are whole, unless the file says that it was longer
    const breaksOff = file.fileSize > reader.size && file.packets === packets.length
    if (breaksOff && indexes.length === 0 && streams.some(({ kind }) => kind === 'video'))
      warn('asf.index-missing', `${file.fileSize} bytes stated, of which an index behind the packets is gone`)
  }
  if (data >= 0 && guidAt(reader, data) === GUID.data) {
    const size = reader.u64le(data + 16)
    if (size > reader.size - data)
      warn('asf.data-cut', `the data object states ${size} bytes, ${reader.size - data} are there`)
  }
  for (const index of indexes) {
    const size = reader.u64le(index.offset + 16)
    if (size === index.length) continue
    findings.add({
      code: 'asf.index-cut',
      severity: 'error',
      message: `the index breaks off after ${index.length} of ${size} bytes`,
      offset: index.offset,
      length: index.length,
      clause: `${SPECIFICATION} §6`,
    })
  }
}
