import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { plainHoles } from '../../photo/raw/unwritten.ts'
import { dataCut, dataHit, factsHit, headerLost, jpegHit } from './findings.ts'
import {
  type Header,
  hasMagic,
  LEAST_HEADER,
  readDataDirectory,
  readExif,
  readFacts,
  readHeader,
  type Sensor,
} from './read.ts'

export interface Assessment {
  readonly findings: Findings
  /** What the header names, where each part begins as it must. */
  readonly header: Header | undefined
  readonly sensor: Sensor | undefined
  readonly model: string
  readonly orientation: number
  /** Stretches of the pixels that were never written. */
  readonly holes: readonly Region[]
  readonly healthy: boolean
}

const SOI = 0xffd8

/** Reads a file and holds the parts that its header names against the bytes. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  await monitor.pause()
  monitor.progress('diagnose', 1)
  const lost = (reason: string): Assessment => {
    findings.add(headerLost(reason))
    return {
      findings,
      header: undefined,
      sensor: undefined,
      holes: [],
      model: '',
      orientation: 1,
      healthy: false,
    }
  }
  if (!hasMagic(reader)) return lost('the file does not begin with its signature')
  const header = readHeader(reader)
  const { jpeg, facts, data } = header
  if (!inOrder(header)) return lost('the header names parts that overlap')
  if (jpeg.offset + 2 <= reader.size && reader.u16(jpeg.offset) !== SOI) findings.add(jpegHit(jpeg.offset, 2))
  const { size } = reader
  const read =
    facts.offset + facts.length <= size
      ? readFacts(reader, facts.offset, facts.offset + facts.length)
      : undefined
  if (!read && facts.offset < size)
    findings.add(factsHit(facts.offset, Math.min(facts.length, size - facts.offset)))
  const missing = data.offset + data.length - size
  if (missing > 0) findings.add(dataCut(Math.min(data.offset, size), missing))
  const holes = await plainHoles(reader, data, monitor)
  for (const { offset, length } of holes) findings.add(dataHit(offset, length))
  const { model, orientation } = readExif(reader, jpeg)
  const sensor = readDataDirectory(reader, data.offset)?.sensor ?? read?.sensor
  return {
    findings,
    header,
    sensor: read && sensor,
    holes,
    model,
    orientation,
    healthy: findings.healthy && read !== undefined,
  }
}

/** Whether parts lie behind the header and each other. */
function inOrder({ jpeg, facts, data }: Header): boolean {
  return (
    jpeg.offset >= LEAST_HEADER &&
    facts.offset >= jpeg.offset + jpeg.length &&
    facts.length > 0 &&
    data.offset >= facts.offset + facts.length &&
    data.length > 0
  )
}
