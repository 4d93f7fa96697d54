import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { fitsSectors, isRiffHead, RIFF_HEAD_BYTES } from '../../../syntax/cdxa/riff-head.ts'
import {
  formOf,
  isIntact,
  isSync,
  provenSector,
  SECTOR_BYTES,
  SECTOR_HEADER_BYTES,
  SYNC,
} from '../../../syntax/cdxa/sector.ts'
import { addForeignBytes, headMissing, riffSize, sectorHit } from '../findings.ts'
import { searchRow, syncAt } from './find-sectors.ts'
import { HIT, REBUILT, SectorMap, SHORT, TORN } from './sector-map.ts'
import { SectorNumbers } from './sector-numbers.ts'

/** Sectors between two looks at the world outside. */
const PAUSE = 256

/**
 * Finds all sectors. Those whose sync pattern was hit keep their place, those that their numbers tell to be missing get it back.
 * @throws AbortedError
 */
export async function mapSectors(
  reader: ByteReader,
  findings: Findings,
  monitor: Monitor,
): Promise<SectorMap> {
  const map = new SectorMap()
  const { size } = reader
  const first = firstSector(reader)
  const numbers = new SectorNumbers(reader, map, findings, checkHead(reader, first, findings))
  let at = first
  for (let step = 0; at < size; step++) {
    if (step % PAUSE === 0) {
      monitor.progress('survey', (at / size) * 0.5)
      await monitor.pause()
    }
    if (at + SECTOR_BYTES <= size && (syncAt(reader, at) || syncAt(reader, at + SECTOR_BYTES))) {
      if (!numbers.isDoubled(at)) pushWhole(reader, at, numbers, map, findings)
      at += SECTOR_BYTES
      continue
    }
    const from = map.length > 0 ? map.offset(map.length - 1) + SYNC.length : at
    const next = searchRow(reader, from, size)
    if (next < at) {
      findings.add(sectorHit(map.offset(map.length - 1)))
      map.tear()
    } else if (next === size) {
      pushTail(reader, at, map, findings)
      return map
    } else {
      addForeignBytes(findings, reader, at, next)
      const isInPlace = (next - at) % SECTOR_BYTES === 0 && !numbers.joinsAt(next)
      let number = numbers.inFrontOf(next, (next - at) / SECTOR_BYTES)
      for (; isInPlace && at < next; at += SECTOR_BYTES) map.push(at, number++, HIT)
    }
    at = next
  }
  map.end = size
  return map
}

/** Where sectors begin: those whose sync pattern was hit lie between a head and the first row. */
function firstSector(reader: ByteReader): number {
  const first = searchRow(reader, 0, reader.size)
  const hasHead = isRiffHead(reader.bytes(0, RIFF_HEAD_BYTES))
  return hasHead && (first - RIFF_HEAD_BYTES) % SECTOR_BYTES === 0 ? RIFF_HEAD_BYTES : first
}

/** Tells what is wrong in front of the first sector; whether the head tells of as many sectors as the file has. */
function checkHead(reader: ByteReader, first: number, findings: Findings): boolean {
  const hasHead = first === RIFF_HEAD_BYTES && isRiffHead(reader.bytes(0, RIFF_HEAD_BYTES))
  const sectors = Math.floor((reader.size - first) / SECTOR_BYTES)
  const fits = hasHead && fitsSectors(reader.bytes(0, first), sectors)
  if (!hasHead && first > 0) addForeignBytes(findings, reader, 0, first)
  else if (!hasHead) findings.add(headMissing())
  else if (!fits) findings.add(riffSize())
  return fits
}

function pushWhole(
  reader: ByteReader,
  at: number,
  numbers: SectorNumbers,
  map: SectorMap,
  findings: Findings,
): void {
  const number = numbers.take(at)
  const bytes = reader.bytes(at, SECTOR_BYTES)
  const short = formOf(bytes) === 1 ? SHORT : 0
  if (isSync(bytes, 0) && isIntact(bytes) && numbers.isRight(bytes, number)) {
    map.push(at, number, short)
    return
  }
  findings.add(sectorHit(at))
  const proven = provenSector(bytes, number)
  if (proven) map.push(at, number, REBUILT | (formOf(proven) === 1 ? SHORT : 0))
  else map.push(at, number, HIT | short)
}

/** What is behind the last row: a sector that the file ends in, or foreign bytes. */
function pushTail(reader: ByteReader, from: number, map: SectorMap, findings: Findings): void {
  let at = from
  const bytes = reader.bytes(at, SECTOR_BYTES)
  if (map.length > 0 && bytes.length === SECTOR_BYTES && provenSector(bytes, map.due)) {
    findings.add(sectorHit(at))
    map.push(at, map.due, REBUILT)
    at += SECTOR_BYTES
  }
  const room = reader.size - at
  map.end = at
  if (syncAt(reader, at) && room > SECTOR_HEADER_BYTES) {
    findings.add(sectorHit(at))
    map.push(at, map.due, HIT | TORN)
    map.end = at + Math.min(room, SECTOR_BYTES)
  } else if (room > 0) addForeignBytes(findings, reader, at, at + room)
}
