import { Edits } from '../../bytes/edits.ts'
import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { encrypted, noPacks } from './findings.ts'
import type { ProgramStream } from './read/stream.ts'
import { Walk } from './read/walk.ts'

/** All that one walk over the file tells. */
export interface Survey {
  readonly walk: Walk
  readonly findings: Findings
  readonly edits: Edits
  readonly streams: readonly ProgramStream[]
  readonly encrypted: boolean
  readonly healthy: boolean
}

/** Reads every pack and packet of a file. Never throws for damage. */
export async function survey(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Survey> {
  const findings = new Findings(limits.findings)
  const edits = new Edits()
  const walk = new Walk(reader, limits, findings, edits, monitor)
  await walk.run()
  const streams = walk.streams.all.filter(({ table, packets }) => table.length > 0 && packets > 0)
  const hidden = streams.filter(({ scrambled, packets }) => scrambled * 2 > packets)
  for (const { table } of hidden) findings.add(encrypted(table.offset[0]))
  if (streams.length === 0) findings.add(noPacks())
  return {
    walk,
    findings,
    edits,
    streams,
    encrypted: hidden.length > 0,
    healthy: findings.healthy && streams.length > 0,
  }
}

/** A stream's number in reports: its id, a substream's behind it. */
export function numberOf({ id, substream }: ProgramStream): number {
  return substream < 0 ? id : id * 256 + substream
}
