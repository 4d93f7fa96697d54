import type { ByteReader } from '../../../bytes/reader.ts'
import type { ByteSource } from '../../../bytes/source.ts'
import type { Monitor, Stage } from '../../../model/monitor.ts'

/** Bytes examined between two pauses. */
const PIECE = 4 * 1024 * 1024
/** Bytes examined first: many searches end soon. Each piece is twice the one before. */
const FIRST_PIECE = 4 * 1024

/**
 * Codes of which each is sought by itself with the environment's search: that takes a twentieth of the time of our own for all.
 */
const FEW = 8
/** Bytes between two codes below which those calls take longer than our own search. */
const DENSE = 256

/** Is told of a code; says where to go on. */
type Found = (offset: number, type: string) => number

/** Finds four-character codes at any alignment, several at once, at memory speed. */
export class SignatureScanner {
  readonly #codes: ReadonlySet<number>
  readonly #types: readonly { readonly type: string; readonly code: Uint8Array }[]
  /** 1 for every byte that occurs in a code: only those are looked at closer. */
  readonly #hit = new Uint8Array(256)
  /** 1 for every byte that begins a code. */
  readonly #first = new Uint8Array(256)

  constructor(types: readonly string[]) {
    const codes = new Set<number>()
    for (const type of types) {
      let code = 0
      this.#first[type.charCodeAt(0)] = 1
      for (let i = 0; i < 4; i++) {
        this.#hit[type.charCodeAt(i)] = 1
        code = (code << 8) | type.charCodeAt(i)
      }
      codes.add(code >>> 0)
    }
    this.#codes = codes
    this.#types = types.map((type) => ({ type, code: Uint8Array.from(type, (char) => char.charCodeAt(0)) }))
  }

  /**
   * Calls `found` with the file offset of each code in [from, to), in order. Of any four neighbouring bytes only one is
   * examined until it could belong to a code. `found` returns where to go on: an offset past the code, or -1 to stop.
   */
  async scan(
    reader: ByteReader,
    from: number,
    to: number,
    monitor: Monitor,
    found: Found,
    stage?: { readonly name: Stage; readonly from: number; readonly to: number },
  ): Promise<void> {
    const end = Math.min(to, reader.size)
    let buffer = new Uint8Array(0)
    let at = from
    while (at + 4 <= end) {
      const piece = Math.min(PIECE, Math.max(FIRST_PIECE, buffer.length * 2), end - at)
      if (piece > buffer.length) buffer = new Uint8Array(piece)
      const got = reader.copyTo(at, buffer.subarray(0, piece))
      if (got < 4) return
      const next =
        this.#types.length <= FEW && reader.source.indexOf
          ? this.#sought(buffer.subarray(0, got), at, found, reader.source as Required<ByteSource>)
          : this.#piece(buffer, got, at, found)
      if (next < 0) return
      // Three bytes overlap, so that a code across the seam is seen once.
      at = Math.max(at + got - 3, next)
      if (stage)
        monitor.progress(
          stage.name,
          stage.from + ((stage.to - stage.from) * (at - from)) / Math.max(1, end - from),
        )
      await monitor.pause()
    }
  }

  /** @param from where in the piece the search begins */
  #piece(bytes: Uint8Array, length: number, base: number, found: Found, from = 0): number {
    const hit = this.#hit
    const first = this.#first
    let done = from
    for (let i = from + 3; i < length; i += 4) {
      if (hit[bytes[i]] === 0) continue
      for (let start = Math.max(done, i - 3); start <= i && start + 4 <= length; start++) {
        if (first[bytes[start]] === 0) continue
        const code =
          ((bytes[start] << 24) | (bytes[start + 1] << 16) | (bytes[start + 2] << 8) | bytes[start + 3]) >>> 0
        if (!this.#codes.has(code)) continue
        const type = String.fromCharCode(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
        const next = found(base + start, type)
        if (next < 0) return -1
        done = Math.max(start + 1, next - base)
        if (done >= length) return base + done
        i = Math.max(i, done - 1)
      }
    }
    return base
  }

  /** As `#piece`, by the environment's search as long as codes are rare. */
  #sought(
    bytes: Uint8Array,
    base: number,
    found: Found,
    source: Pick<Required<ByteSource>, 'indexOf'>,
  ): number {
    const places = this.#types.map(({ code }) => source.indexOf(bytes, code, 0))
    for (let codes = 1; ; codes++) {
      let first = -1
      for (let i = 0; i < places.length; i++)
        if (places[i] >= 0 && (first < 0 || places[i] < places[first])) first = i
      if (first < 0) return base
      const start = places[first]
      const { type, code } = this.#types[first]
      const next = found(base + start, type)
      if (next < 0) return -1
      const done = Math.max(start + 1, next - base)
      if (done >= bytes.length) return base + done
      if (codes * DENSE > bytes.length) return this.#piece(bytes, bytes.length, base, found, start + 1)
      places[first] = source.indexOf(bytes, code, start + 1)
    }
  }
}
