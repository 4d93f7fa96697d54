import type { ByteReader } from '../../../bytes/reader.ts'
import type { ByteSource } from '../../../bytes/source.ts'
import { SECTOR_HEADER_BYTES, SECTOR_PAYLOAD_BYTES } from '../../../syntax/cdxa/sector.ts'
import type { SectorMap } from './sector-map.ts'

/** The payloads of sectors one behind the other; what a torn one lacks are zeros. */
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
      const from = this.#map.offset(sector) + SECTOR_HEADER_BYTES + within
      const bytes = this.#reader.bytes(from, Math.min(part.length, room))
      part.set(bytes)
      part.fill(0, bytes.length)
      at += part.length
    }
    return Math.max(0, end - offset)
  }
}
