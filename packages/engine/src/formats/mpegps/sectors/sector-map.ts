import type { ByteReader } from '../../../bytes/reader.ts'
import { searchBytes } from '../../../codecs/search-bytes.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { fitsSectors, isRiffHead, RIFF_HEAD_BYTES } from '../../../syntax/cdxa/riff-head.ts'
import {
  isForm2,
  isIntact,
  isSync,
  SECTOR_BYTES,
  SECTOR_HEADER_BYTES,
  SYNC,
} from '../../../syntax/cdxa/sector.ts'
import { addForeignBytes, headMissing, riffSize, sectorHit } from '../findings.ts'

/** Bytes at the start in which sectors are looked for, and sectors that must follow each other. */
const LOOK = 256 * 1024
const ROW = 3
/** Sectors between two looks at the world outside. */
const PAUSE = 256
const FIRST_ROOM = 1024

/** A sector that cannot be copied as it is. */
const HIT = 1
/** One that ends early. */
const TORN = 2

/** Where the sectors of a file lie. */
export class SectorMap {
  length = 0
  /** Where the part of the file ends that sectors were found in. */
  end = 0
  #offsets = new Float64Array(FIRST_ROOM)
  #states = new Uint8Array(FIRST_ROOM)

  /** Offset of a sector in the file. */
  offset(sector: number): number {
    return this.#offsets[sector]
  }

  isHit(sector: number): boolean {
    return this.#states[sector] !== 0
  }

  /** Bytes of a sector that are its own. */
  room(sector: number): number {
    if ((this.#states[sector] & TORN) === 0) return SECTOR_BYTES
    const next = sector + 1 < this.length ? this.#offsets[sector + 1] : this.end
    return Math.min(SECTOR_BYTES, next - this.#offsets[sector])
  }

  push(offset: number, state: number): void {
    if (this.length === this.#offsets.length) {
      const offsets = new Float64Array(this.length * 2)
      const states = new Uint8Array(this.length * 2)
      offsets.set(this.#offsets)
      states.set(this.#states)
      this.#offsets = offsets
      this.#states = states
    }
    this.#offsets[this.length] = offset
    this.#states[this.length++] = state
  }

  tear(): void {
    if (this.length > 0) this.#states[this.length - 1] |= HIT | TORN
  }
}

/** Whether rows of sectors lie at the beginning, in the middle or at the end of a file. */
export function hasSectors(reader: ByteReader): boolean {
  const last = Math.max(0, reader.size - LOOK)
  return [0, Math.floor(last / 2), last].some((from) => {
    const end = Math.min(reader.size, from + LOOK)
    return searchRow(reader, from, end) < end
  })
}

/** Whether sectors follow each other from `at` on, at the end of the file fewer. */
function isRow(reader: ByteReader, at: number): boolean {
  for (let i = 0; i < ROW; i++) {
    const next = at + i * SECTOR_BYTES
    if (next + SYNC.length > reader.size) return i > 1
    if (!syncAt(reader, next)) return false
  }
  return true
}

function syncAt(reader: ByteReader, at: number): boolean {
  return isSync(reader.bytes(at, SYNC.length), 0)
}

/** Where the next row of sectors in [from, end) begins; `end` when there is none. */
function searchRow(reader: ByteReader, from: number, end: number): number {
  let at = searchBytes(reader, from, end, SYNC)
  while (at < end && !isRow(reader, at)) at = searchBytes(reader, at + 1, end, SYNC)
  return at
}

/** Finds all sectors. Sectors whose sync pattern was hit keep their place. @throws AbortedError */
export async function mapSectors(
  reader: ByteReader,
  findings: Findings,
  monitor: Monitor,
): Promise<SectorMap> {
  const map = new SectorMap()
  const { size } = reader
  const first = searchRow(reader, 0, size)
  const hasHead = first === RIFF_HEAD_BYTES && isRiffHead(reader.bytes(0, RIFF_HEAD_BYTES))
  if (!hasHead && first > 0) addForeignBytes(findings, reader, 0, first)
  else if (!hasHead) findings.add(headMissing())
  else if (!fitsSectors(reader.bytes(0, first), Math.floor((size - first) / SECTOR_BYTES)))
    findings.add(riffSize())
  let at = first
  for (let step = 0; at < size; step++) {
    if (step % PAUSE === 0) {
      monitor.progress('survey', (at / size) * 0.5)
      await monitor.pause()
    }
    if (at + SECTOR_BYTES <= size && (syncAt(reader, at) || syncAt(reader, at + SECTOR_BYTES))) {
      pushWhole(reader, at, map, findings)
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
    } else if ((next - at) % SECTOR_BYTES === 0) {
      addForeignBytes(findings, reader, at, next)
      for (; at < next; at += SECTOR_BYTES) map.push(at, HIT)
    } else addForeignBytes(findings, reader, at, next)
    at = next
  }
  map.end = size
  return map
}

function pushWhole(reader: ByteReader, at: number, map: SectorMap, findings: Findings): void {
  const bytes = reader.bytes(at, SECTOR_BYTES)
  const whole = isSync(bytes, 0) && isForm2(bytes) && isIntact(bytes)
  if (!whole) findings.add(sectorHit(at))
  map.push(at, whole ? 0 : HIT)
}

/** What is behind the last row: a sector that the file ends in, or foreign bytes. */
function pushTail(reader: ByteReader, at: number, map: SectorMap, findings: Findings): void {
  const room = reader.size - at
  map.end = at
  if (syncAt(reader, at) && room > SECTOR_HEADER_BYTES) {
    findings.add(sectorHit(at))
    map.push(at, HIT | TORN)
    map.end = at + Math.min(room, SECTOR_BYTES)
  } else addForeignBytes(findings, reader, at, at + room)
}
