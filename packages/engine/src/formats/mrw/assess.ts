import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { plainHoles } from '../../photo/raw/unwritten.ts'
import { blocksHit, dataCut, dataHit, headerLost } from './findings.ts'
import { dataBytes, type Header, hasMagic, readHeader, type Sensor } from './read.ts'

export interface Assessment {
  readonly findings: Findings
  readonly header: Header | undefined
  readonly sensor: Sensor | undefined
  /** Stretches of the pixels that were never written. */
  readonly holes: readonly Region[]
  readonly healthy: boolean
}

/** Reads a file and holds its blocks and pixels against its size. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const header = readHeader(reader)
  await monitor.pause()
  const sensor = header?.sensor
  let holes: readonly Region[] = []
  if (!hasMagic(reader)) findings.add(headerLost('the file does not begin with its signature'))
  else if (!header?.sound || !sensor) findings.add(blocksHit(0))
  else {
    const missing = header.data + dataBytes(sensor) - reader.size
    if (missing > 0) findings.add(dataCut(Math.min(header.data, reader.size), missing))
    holes = await plainHoles(reader, { offset: header.data, length: dataBytes(sensor) }, monitor)
    for (const { offset, length } of holes) findings.add(dataHit(offset, length))
  }
  monitor.progress('diagnose', 1)
  return { findings, header, sensor, holes, healthy: findings.healthy }
}
