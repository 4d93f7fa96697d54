import type { SeekableSink } from '../../../../src/bytes/sink.ts'
import type { ByteSource } from '../../../../src/bytes/source.ts'

interface Piece {
  readonly at: number
  readonly length: number
  read(offset: number, target: Uint8Array): void
}

/** A file of gigabytes that is never in memory: bytes, and ranges of other sources. It is read once it is written. */
export class Pieces implements SeekableSink, ByteSource {
  position = 0
  readonly pending = 0
  readonly #pieces: Piece[] = []

  get size(): number {
    return this.position
  }

  write(bytes: Uint8Array): void {
    const own = Uint8Array.from(bytes)
    this.#push(own.length, (offset, target) => target.set(own.subarray(offset, offset + target.length)))
  }

  copy(source: ByteSource, offset: number, length: number): boolean {
    this.#push(length, (from, target) => void source.read(offset + from, target))
    return true
  }

  #push(length: number, read: Piece['read']): void {
    if (length > 0) this.#pieces.push({ at: this.position, length, read })
    this.position += length
  }

  async hold(): Promise<void> {}

  async settled(): Promise<void> {}

  async seek(position: number): Promise<void> {
    if (position !== this.position) throw new Error('nothing is written out of order')
  }

  read(offset: number, target: Uint8Array): number {
    const end = Math.min(this.size, offset + target.length)
    for (let index = this.#pieceAt(offset), at = offset; at < end; index++) {
      const piece = this.#pieces[index]
      const stop = Math.min(end, piece.at + piece.length)
      piece.read(at - piece.at, target.subarray(at - offset, stop - offset))
      at = stop
    }
    return Math.max(0, end - offset)
  }

  /** The last piece that does not begin behind `offset`. */
  #pieceAt(offset: number): number {
    let low = 0
    for (let high = this.#pieces.length; high - low > 1; ) {
      const middle = (low + high) >> 1
      if (this.#pieces[middle].at <= offset) low = middle
      else high = middle
    }
    return low
  }
}
