import type { ByteReader } from '../../../bytes/reader.ts'
import type { ByteSource } from '../../../bytes/source.ts'
import {
  provenSector,
  SECTOR_BYTES,
  SECTOR_HEADER_BYTES,
  SECTOR_PAYLOAD_BYTES,
} from '../../../syntax/cdxa/sector.ts'
import type { SectorMap } from './sector-map.ts'

/** The payloads of sectors one behind the other; what one lacks that is torn, missing or of form 1 are zeros. */
export class SectorSource implements ByteSource {
  readonly size: number
  readonly #reader: ByteReader
  readonly #map: SectorMap

  constructor(reader: ByteReader, map: SectorMap) {
    this.#reader = reader
    this.#map = map
    this.size = map.length * SECTOR_PAYLOAD_BYTES
  }

  read(offset: number, target: Uint8Array): number {
    const end = Math.min(this.size, offset + target.length)
    for (let at = offset; at < end; ) {
      const sector = Math.floor(at / SECTOR_PAYLOAD_BYTES)
      const within = at - sector * SECTOR_PAYLOAD_BYTES
      const part = target.subarray(at - offset, Math.min(end, (sector + 1) * SECTOR_PAYLOAD_BYTES) - offset)
      const room = Math.max(0, this.#map.room(sector) - SECTOR_HEADER_BYTES - within)
      const bytes = this.#bytes(sector, SECTOR_HEADER_BYTES + within, Math.min(part.length, room))
      part.set(bytes)
      part.fill(0, bytes.length)
      at += part.length
    }
    return Math.max(0, end - offset)
  }

  #bytes(sector: number, within: number, length: number): Uint8Array {
    const map = this.#map
    const offset = map.offset(sector)
    const proven = map.isRebuilt(sector)
      ? provenSector(this.#reader.bytes(offset, SECTOR_BYTES), map.number(sector))
      : undefined
    return proven?.subarray(within, within + length) ?? this.#reader.bytes(offset + within, length)
  }
}
