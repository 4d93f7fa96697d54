import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { PREFIX_BYTES } from '../../../syntax/pes/packet-header.ts'
import { isAudioId, PADDING } from '../../../syntax/pes/stream-ids.ts'
import { NO_STAMP } from './hit-headers.ts'
import type { Item } from './item.ts'
import { MpegSound } from './mpeg-sound.ts'

/** Share of the sound from which frames are missed that a hole holds, whose packet's header was hit. */
const MISSED = 0.02
/** Bytes in front of the end of a hole in which the end of a packet may be. */
const LONGEST_PACKET = 0xffff

/** How the last packet of a stream of sound ended. */
interface Edge {
  readonly item: Item
  /** Where a frame begins that goes on in the next packet, and how many bytes of it lie there. */
  readonly partial: number
  readonly rest: number
}

class Sound {
  readonly frames: MpegSound
  last: Edge | undefined
  /** Frames that the last hole ends with, and how many bytes of the last one lie behind it. */
  hidden: { readonly count: number; readonly rest: number } | undefined
  isHoled: boolean

  constructor(reader: ByteReader, isHoled: boolean) {
    this.frames = new MpegSound(reader)
    this.isHoled = isHoled
  }
}

/**
 * Leaves whole frames of MPEG sound on both sides of a hole: a decoder takes what follows a part of one for its end, and loses the frame
 * there, too. Padding packets take the place of the parts.
 */
export class SoundEdges {
  readonly #reader: ByteReader
  readonly #edits: Edits
  readonly #sounds = new Map<number, Sound>()
  /** Something is missing somewhere. */
  #isHoled = false
  /** Frames in packets, and those that holes end with and that go on in the next packet. */
  #frames = 0
  #missed = 0

  constructor(reader: ByteReader, edits: Edits) {
    this.#reader = reader
    this.#edits = edits
  }

  /** More than a few frames of MPEG sound lie in holes: they are lost with the headers of their packets. */
  get missesEnds(): boolean {
    return this.#missed > (this.#frames + this.#missed) * MISSED
  }

  /** The bytes [from, to) in front of the next packet belong to nothing. */
  hole(from: number, to: number): void {
    this.#isHoled = true
    const start = Math.max(from, to - LONGEST_PACKET)
    for (const sound of this.#sounds.values()) {
      sound.isHoled = true
      const found = sound.frames.isKnown ? sound.frames.frames(start, to) : undefined
      if (found) sound.hidden = { count: found.count, rest: found.end - to }
    }
  }

  /** What is changed otherwise stays as it is. */
  forget({ code }: Item): void {
    const sound = this.#sounds.get(code)
    if (sound) sound.last = undefined
  }

  take(item: Item): void {
    const { code, offset, length, header } = item
    if (!header || !isAudioId(code)) return
    const sound = this.#sounds.get(code) ?? new Sound(this.#reader, this.#isHoled)
    this.#sounds.set(code, sound)
    const start = offset + header.headerLength
    const end = offset + length
    sound.frames.learn(start, end)
    const found = sound.frames.isKnown ? sound.frames.frames(start, end) : undefined
    this.#frames += found?.count ?? 0
    const { last } = sound
    const begun = found ? found.first - start : 0
    if (found && sound.hidden?.rest === begun) this.#missed += sound.hidden.count
    sound.hidden = undefined
    if (sound.isHoled && found && begun !== (last?.rest ?? 0)) {
      if (last && last.rest > 0) this.#endAt(last)
      if (begun > PREFIX_BYTES) this.#beginLater(item, start, begun)
    }
    sound.isHoled = false
    const rest = found ? found.end - end : 0
    sound.last = found && { item, partial: found.last, rest }
  }

  #endAt({ item, partial }: Edge): void {
    const end = item.offset + item.length
    this.#edits.replace(item.offset + 4, 2, lengthField(partial - item.offset))
    this.#edits.replace(partial, end - partial, padding(end - partial, item))
  }

  #beginLater(item: Item, start: number, bytes: number): void {
    const header = this.#reader.bytes(item.offset, start - item.offset).slice()
    header.set(lengthField(item.length - bytes), 4)
    const both = new Uint8Array(bytes + header.length)
    both.set(padding(bytes, item))
    both.set(header, bytes)
    this.#edits.replace(item.offset, both.length, both)
  }
}

function lengthField(length: number): Uint8Array {
  const value = length - PREFIX_BYTES
  return Uint8Array.of(value >> 8, value & 0xff)
}

/** A padding packet, ISO/IEC 13818-1:2022 §2.4.3.7 and ISO/IEC 11172-1:1993 §2.4.3.3; zeros where none has room. */
function padding(bytes: number, { header }: Item): Uint8Array {
  const packet = new Uint8Array(bytes)
  if (bytes <= PREFIX_BYTES) return packet
  packet.fill(0xff)
  packet.set([0, 0, 1, PADDING])
  packet.set(lengthField(bytes), 4)
  if (header?.mpeg1) packet[PREFIX_BYTES] = NO_STAMP
  return packet
}
