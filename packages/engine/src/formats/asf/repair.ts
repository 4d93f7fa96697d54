import { Foresight } from '../../bytes/foresight.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { RecordingOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { leaveOutDamaged } from './damaged-pictures.ts'
import { packetOf } from './mend/object-fields.ts'
import { trackReports } from './outcome.ts'
import { readHeader } from './read/header.ts'
import type { PayloadTable } from './read/packet-table.ts'
import { isSizeShown } from './read/size-proof.ts'
import { GrowthWatch } from './write/growth.ts'
import { foretellPackets, writeFile } from './write/write.ts'

/** Repairs a file by its packets, whose payloads say of which stream and which media object they are, and when it is shown. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<RecordingOutcome> {
  const { reader } = job.damaged
  const sampleHeader = job.sample && readHeader(job.sample.reader)
  const growth = new GrowthWatch(new Foresight(sink, reader.source))
  const assessment = await assess(reader, job.limits, job.monitor, sampleHeader, {
    walked: (found, at) => growth.walked(found, at),
    scanned: (plan) => foretellPackets(plan, reader, sink),
  })
  const { findings, header, used, sizes, scan, objects, span } = assessment
  const own = used === header
  const conclude = (
    rest: Pick<RecordingOutcome, 'verdict' | 'tracks' | 'doubts' | 'reason'>,
    sampleUsed: readonly string[] = [],
  ): RecordingOutcome => ({
    findings: findings.list,
    omittedFindings: findings.omitted,
    strategies: scan
      ? [{ name: 'packets', outcome: `${scan.packets.length} packets, ${scan.holes.length} holes` }]
      : [],
    sampleUsed,
    ...rest,
  })
  const refuse = (reason: string): RecordingOutcome =>
    conclude({ verdict: 'unrepairable', tracks: [], reason })
  if (used.encrypted) return refuse('The recording is protected (DRM), and only its publisher has the key.')
  if (assessment.healthy) return conclude({ verdict: 'healthy', tracks: [] })
  if (used.streams.length === 0)
    return refuse(
      'How the recording is coded stood at its beginning, which is lost: a sample of the same source is needed.',
    )
  if (!scan || !sizes || objects.length === 0) return refuse('No pictures and no sound survive in the file.')
  const material = {
    sizes,
    header: used,
    headerReader: own || !job.sample ? reader : job.sample.reader,
    own,
    preroll: header.file?.preroll ?? sampleHeader?.file?.preroll ?? 0,
  }
  const leftOut = await leaveOutDamaged(job, assessment, scan, material)
  await writeFile(
    {
      ...material,
      packets: scan.packets,
      payloads: scan.payloads,
      pictures: objects.filter(({ stream }) => stream.kind === 'video').map(({ stream }) => stream.number),
      first: span.first,
      end: span.end,
    },
    reader,
    sink,
    job.monitor,
  )
  const doubts = doubtsThat({
    unexplained: scan.holes.some(({ unexplained }) => unexplained > 0),
    hits: isHitUnseen(assessment),
    times: assessment.times.estimated > 0,
    assumed:
      !own &&
      !objects.every(
        (object) => object.stream.kind !== 'video' || isSizeShown(reader, scan.payloads, object),
      ),
    missing: used.streams.some(
      ({ number, kind }) => kind !== 'data' && !objects.some(({ stream }) => stream.number === number),
    ),
  })
  return conclude(
    {
      verdict: doubts.length === 0 ? 'repaired' : 'partial',
      doubts,
      tracks: trackReports(assessment, leftOut),
    },
    own ? [] : ['header'],
  )
}

/**
 * Whether a media object is not whole although nothing is missing around it: bits that say where it belongs were hit. Where not
 * every packet is there for certain, one that lacks as much as a packet holds may have lost that.
 */
function isHitUnseen({ header, joined, scan, sizes }: Assessment): boolean {
  if (!scan || !sizes) return false
  // whole packets may be missing without a trace
  const stated = header.file?.packets ?? 0
  if (stated > scan.packets.length) return false
  const afterHoles = new Set(scan.holes.map(({ packet }) => packet))
  for (const { lost, firstWhole, lastWhole } of joined.values()) {
    for (const { row, missing } of lost) {
      const isPacket = stated !== scan.packets.length && Math.abs(missing) * 2 > sizes.most
      if (row < firstWhole || row > lastWhole || isPacket) continue
      const first = packetOf(scan.packets, row)
      const last = packetOf(scan.packets, nextObject(scan.payloads, row))
      let whole = true
      for (let packet = first; packet <= last + 1; packet++) if (afterHoles.has(packet)) whole = false
      if (whole) return true
    }
  }
  return false
}

/** The first payload of the next media object of a payload's stream. */
function nextObject(payloads: PayloadTable, first: number): number {
  const isSame = (row: number): boolean => payloads.number[row] === payloads.number[first]
  for (let row = first + 1; row < payloads.length; row++)
    if (payloads.stream[row] === payloads.stream[first] && !isSame(row)) return row
  return payloads.length - 1
}
