import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { discontinuityPacket } from '../write/packets.ts'
import { type Layout, PACKET_BYTES } from './packet.ts'

/** Says of packets that they do not join those before, so that players do not wait for what is missing. */
export class Discontinuities {
  readonly #reader: ByteReader
  readonly #layout: Layout
  readonly #edits: Edits

  constructor(reader: ByteReader, layout: Layout, edits: Edits) {
    this.#reader = reader
    this.#layout = layout
    this.#edits = edits
  }

  /** Says in front of a packet that its counter may be any. */
  flag(offset: number): void {
    const { lead, size } = this.#layout
    const bytes = this.#reader.bytes(offset, size).slice()
    if (bytes.length < lead + PACKET_BYTES) return
    if (bytes[lead + 3] & 0x20 && bytes[lead + 4] > 0)
      this.#edits.replace(offset + lead + 5, 1, Uint8Array.of(bytes[lead + 5] | 0x80))
    else this.announce(offset)
  }

  /** Puts a packet in front of another that says so, as that is going to be written anew. */
  announce(offset: number): void {
    const bytes = this.#reader.bytes(offset, this.#layout.size)
    this.#edits.insert(offset, discontinuityPacket(bytes, this.#layout))
  }
}
