import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { BitReservoir } from '../../../codecs/mp3/bit-reservoir.ts'
import { PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isAudioId } from '../../../syntax/pes/stream-ids.ts'
import type { Item } from './item.ts'
import { MpegSound } from './mpeg-sound.ts'
import { lengthField, padding } from './padding.ts'

/** How the last packet of a stream of sound ended. */
interface Edge {
  readonly item: Item
  /** Bytes at its beginning that belong to no whole frame. */
  readonly begun: number
  /**
   * Where its last frame begins that goes on in the next packet, or what is none, and how many bytes lie there; -1 where that is
   * not known.
   */
  readonly partial: number
  readonly rest: number
}

class Sound {
  readonly frames: MpegSound
  readonly reservoir = new BitReservoir()
  last: Edge | undefined
  isHoled: boolean

  constructor(reader: ByteReader, isHoled: boolean) {
    this.frames = new MpegSound(reader)
    this.isHoled = isHoled
  }
}

/**
 * Leaves whole frames of MPEG sound on both sides of a hole: a decoder takes what follows a part of one for its end, and loses
 * the frame there, too. Padding packets take the place of the parts.
 */
export class SoundEdges {
  readonly #reader: ByteReader
  readonly #edits: Edits
  readonly #sounds = new Map<number, Sound>()
  /** Something is missing somewhere. */
  #isHoled = false

  constructor(reader: ByteReader, edits: Edits) {
    this.#reader = reader
    this.#edits = edits
  }

  /** Something is missing in front of the next packet. */
  hole(): void {
    this.#isHoled = true
    for (const sound of this.#sounds.values()) sound.isHoled = true
  }

  /** What is missing of a stream ends with whole frames, which lead on to its next packet. */
  join(code: number): void {
    const sound = this.#sounds.get(code)
    if (!sound) return
    if (sound.last) this.#endAt(sound.last)
    sound.last = undefined
    sound.isHoled = false
    sound.reservoir.lose()
  }

  /** What is changed otherwise stays as it is. */
  forget({ code }: Item): void {
    const sound = this.#sounds.get(code)
    if (!sound) return
    sound.last = undefined
    sound.reservoir.lose()
  }

  /**
   * Where the whole frames end that a packet begins with, which is not as long as it says; `end` of its bytes where it has none:
   * what is behind them may be another packet's.
   */
  wholeIn({ code, offset }: Item, end: number): number {
    const sound = this.#sounds.get(code)
    return sound?.last?.item.offset === offset ? sound.frames.breakIn(sound.last.partial, end) : end
  }

  /** Takes a packet. False where frames in it begin with main data that was lost in front of them. */
  take(item: Item): boolean {
    const { code, offset, length, header } = item
    if (!header || !isAudioId(code)) return true
    const sound = this.#sounds.get(code) ?? new Sound(this.#reader, this.#isHoled)
    this.#sounds.set(code, sound)
    const start = offset + header.headerLength
    const end = offset + length
    sound.frames.learn(start, end)
    const found = sound.frames.isKnown ? sound.frames.frames(start, end) : undefined
    const { last } = sound
    const rest = Math.max(0, last?.rest ?? 0)
    const first = found ? found.first - start : 0
    const isTorn = sound.isHoled && found !== undefined && first !== (last?.rest ?? 0)
    if (isTorn && last) this.#endAt(last)
    const begun = isTorn ? first : 0
    if (begun > 0) this.#resize(item, begun, end)
    sound.isHoled = false
    const broken = found || !sound.frames.isKnown ? start : sound.frames.breakIn(start + rest, end)
    if (found) sound.last = { item, begun, partial: found.last, rest: found.end - end }
    else sound.last = broken > start ? { item, begun, partial: broken, rest: -1 } : undefined
    if (isTorn) sound.reservoir.lose()
    return (
      !sound.reservoir.isLow ||
      sound.reservoir.take(this.#reader.bytes(start + begun, length - header.headerLength - begun))
    )
  }

  #endAt({ item, begun, partial, rest }: Edge): void {
    const left = item.offset + item.length - partial
    if (rest === 0 || left === 0) return
    this.#resize(item, begun, partial)
    this.#edits.replace(partial, left, padding(left, item.header?.mpeg1 ?? false))
  }

  /** A packet's payload is what is in it from the byte `begun` on, up to `end`. */
  #resize({ offset, header }: Item, begun: number, end: number): void {
    if (!header) return
    if (begun === 0) {
      this.#edits.replace(offset + 4, 2, lengthField(end - offset))
      return
    }
    const head = this.#reader.bytes(offset, header.headerLength).slice()
    const isShort = begun <= PREFIX_BYTES
    const moved = isShort ? stuffed(head, begun) : head
    moved.set(lengthField(end - offset - (isShort ? 0 : begun)), 4)
    if (!parsePacketHeader(moved, 0)) return
    const bytes = new Uint8Array(head.length + begun)
    if (!isShort) bytes.set(padding(begun, header.mpeg1))
    bytes.set(moved, bytes.length - moved.length)
    this.#edits.replace(offset, bytes.length, bytes)
  }
}

/** A packet's header with so many bytes more of stuffing, ISO/IEC 13818-1:2022 §2.4.3.7 and ISO/IEC 11172-1:1993 §2.4.3.3. */
function stuffed(header: Uint8Array, bytes: number): Uint8Array {
  const isMpeg1 = header[PREFIX_BYTES] >> 6 !== 2
  const at = isMpeg1 ? PREFIX_BYTES : header.length
  const longer = new Uint8Array(header.length + bytes).fill(0xff)
  longer.set(header.subarray(0, at))
  longer.set(header.subarray(at), at + bytes)
  if (!isMpeg1) longer[PREFIX_BYTES + 2] += bytes
  return longer
}
