import type { Edits } from '../../../bytes/edits.ts'
import type { RangeWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { RIFF_HEAD_BYTES, riffHead } from '../../../syntax/cdxa/riff-head.ts'
import {
  provenSector,
  SECTOR_BYTES,
  SECTOR_HEADER_BYTES,
  SECTOR_PAYLOAD_BYTES,
  subheaderOf,
  unmarked,
  writeSector,
} from '../../../syntax/cdxa/sector.ts'
import type { SectorMap } from './sector-map.ts'
import { SectorSource } from './sector-source.ts'

/** What becomes of a sector: copied as it is, put right, made anew from its payload, or made anew without one. */
const KEPT = 0
const REBUILT = 1
const CHANGED = 2
const EMPTY = 3

/**
 * Writes sectors with changed payloads. Each stays in its place, so that those behind it need no other address: what is left out
 * becomes zeros, but for what no sector follows. @throws EnvironmentError, AbortedError
 */
export async function writeSectors(
  reader: ByteReader,
  map: SectorMap,
  edits: Edits,
  writer: RangeWriter,
): Promise<void> {
  const states = statesOf(map, edits)
  const patches = patchesOf(edits, states)
  const first = states.findIndex((state) => state !== EMPTY)
  const last = states.findLastIndex((state) => state !== EMPTY)
  if (first < 0) return
  writer.write(riffHead(last + 1 - first, reader.bytes(0, RIFF_HEAD_BYTES)))
  const source = new SectorSource(reader, map)
  let subheader: Uint8Array | undefined
  for (let sector = first; sector <= last; sector++) {
    if (states[sector] === KEPT) {
      const next = endOfCopy(map, states, sector, last)
      await writer.copy(map.offset(sector), (next - sector) * SECTOR_BYTES)
      sector = next - 1
    }
    const own = map.isMissing(sector) ? undefined : reader.bytes(map.offset(sector), SECTOR_BYTES)
    if (states[sector] === REBUILT && own) writer.write(provenSector(own, map.number(sector)) ?? own)
    const told = own && own.length >= SECTOR_HEADER_BYTES ? subheaderOf(own) : undefined
    if (told) subheader = unmarked(told)
    if (states[sector] < CHANGED) continue
    const payload = new Uint8Array(SECTOR_PAYLOAD_BYTES)
    if (states[sector] === CHANGED) source.read(sector * SECTOR_PAYLOAD_BYTES, payload)
    for (const patch of patches.get(sector) ?? []) payload.set(patch.bytes, patch.at)
    writer.write(writeSector(map.number(sector), payload, told ?? subheader))
  }
}

/** Behind which sector those end that lie one behind the other in the file and are copied, from one of them on. */
function endOfCopy(map: SectorMap, states: Uint8Array, sector: number, last: number): number {
  let next = sector + 1
  while (next <= last && states[next] === KEPT && map.offset(next) === map.offset(next - 1) + SECTOR_BYTES)
    next++
  return next
}

interface Patch {
  readonly at: number
  readonly bytes: Uint8Array
}

function statesOf(map: SectorMap, edits: Edits): Uint8Array {
  const states = Uint8Array.from({ length: map.length }, (_, sector) =>
    map.isHit(sector) ? CHANGED : map.isRebuilt(sector) ? REBUILT : KEPT,
  )
  edits.each((offset, length, bytes) => {
    if (length === 0) return
    const end = offset + length
    const last = Math.min(map.length, Math.ceil(end / SECTOR_PAYLOAD_BYTES))
    for (let sector = Math.floor(offset / SECTOR_PAYLOAD_BYTES); sector < last; sector++) {
      const from = sector * SECTOR_PAYLOAD_BYTES
      const covered = bytes.length === 0 && offset <= from && end >= from + SECTOR_PAYLOAD_BYTES
      states[sector] = covered ? EMPTY : Math.max(states[sector], CHANGED)
    }
  })
  return states
}

/** The bytes to put into the payloads of sectors that keep some. */
function patchesOf(edits: Edits, states: Uint8Array): Map<number, Patch[]> {
  const patches = new Map<number, Patch[]>()
  edits.each((offset, length, bytes) => {
    const end = offset + length
    for (let at = offset; at < end; ) {
      const sector = Math.floor(at / SECTOR_PAYLOAD_BYTES)
      const next = Math.min(end, (sector + 1) * SECTOR_PAYLOAD_BYTES)
      if (states[sector] === CHANGED) {
        const part =
          bytes.length === length ? bytes.slice(at - offset, next - offset) : new Uint8Array(next - at)
        const list = patches.get(sector) ?? []
        list.push({ at: at - sector * SECTOR_PAYLOAD_BYTES, bytes: part })
        patches.set(sector, list)
      }
      at = next
    }
  })
  return patches
}
