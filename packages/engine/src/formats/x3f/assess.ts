import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { plainHoles } from '../../photo/raw/unwritten.ts'
import { directoryLost, headerLost, rawHit, sectionsLost } from './findings.ts'
import {
  type Directory,
  findSections,
  hasMagic,
  mainPicture,
  PICTURE_FRONT,
  type Picture,
  readDirectory,
  type Section,
} from './read.ts'

export interface Assessment {
  readonly findings: Findings
  readonly headed: boolean
  readonly directory: Directory | undefined
  /** As the directory has them, or found by their signs. */
  readonly sections: readonly Section[]
  readonly sensor: Picture | undefined
  readonly holes: readonly Region[]
  readonly healthy: boolean
}

/** Reads a file and holds its sections against the bytes. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  await monitor.pause()
  const headed = hasMagic(reader)
  if (!headed) findings.add(headerLost())
  const directory = readDirectory(reader)
  if (!directory) findings.add(directoryLost(Math.max(0, reader.size - 4)))
  else if (directory.broken > 0) findings.add(sectionsLost(directory.broken, directory.offset))
  const sections = directory?.sections ?? findSections(reader)
  const sensor = mainPicture(reader, sections)
  if (directory && !sensor) findings.add(sectionsLost(1, directory.offset))
  const data = sensor && {
    offset: sensor.section.offset + PICTURE_FRONT,
    length: sensor.section.length - PICTURE_FRONT,
  }
  const holes = data ? await plainHoles(reader, data, monitor) : []
  for (const { offset, length } of holes) findings.add(rawHit(offset, length))
  monitor.progress('diagnose', 1)
  return { findings, headed, directory, sections, sensor, holes, healthy: findings.healthy }
}
