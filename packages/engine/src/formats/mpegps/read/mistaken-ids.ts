import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { LONGEST_FRAME } from '../../../codecs/mp3/header.ts'
import { GROUP } from '../../../codecs/mpeg12/unit-walker.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import type { PacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isAudioId, isVideoId, PADDING } from '../../../syntax/pes/stream-ids.ts'
import { ticksBetween } from '../../../syntax/pes/time-stamp.ts'
import type { Item } from './item.ts'
import { MpegSound } from './mpeg-sound.ts'
import { isPadding } from './padding.ts'
import { isOneBit, type Streams } from './streams.ts'

/** Packets of a stream from which it is known how they look. */
const SETTLED = 4
/** Share of a stream's packets from which their length is a usual one. */
const USUAL = 0.02
/** Lengths, and steps from time to time, that are told apart. */
const MOST_KINDS = 64
/** Times that a step comes before it is no gap. */
const LEAST_STEPS = 3
/** Packets of pictures between two of sound that are remembered, and those of sound that hold none. */
const MOST_BETWEEN = 1024
const MOST_SILENT = 8

/** Bytes by which a few frames are longer than as many others: each may be padded by one. */
const FRAME_SLACK = 8

/** A packet whose id has to be another. */
export interface Mistaken {
  readonly offset: number
  readonly id: number
}

/** What is known of the packets of one id. */
class Look {
  packets = 0
  readonly lengths = new Map<number, number>()
  readonly frames: MpegSound
  /** Of sound: time stamp seen last, -1 before, and how often each step from one to the next came. */
  pts = -1
  readonly steps = new Map<number, number>()
  longestStep = 0
  /** The known id of the other kind, one bit away, of so many known ids; -1 where there is none. */
  pair = -1
  pairOf = 0
  /**
   * Of sound: how many bytes of the last frame stand in the next packet, -1 where nobody knows, and packets since then that hold
   * none.
   */
  joint = -1
  silent: Item[] = []
  /** Bytes of that frame. */
  frame = 0

  constructor(reader: ByteReader) {
    this.frames = new MpegSound(reader)
  }

  isUsual(length: number): boolean {
    return (this.lengths.get(length) ?? 0) >= Math.max(2, this.packets * USUAL)
  }

  learn({ length }: Item): void {
    this.packets++
    count(this.lengths, length)
  }
}

/**
 * Tells packets of MPEG sound, pictures and padding from each other by their bytes, where one turned bit makes the id of one of
 * that of the other.
 */
export class MistakenIds {
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #looks = new Map<number, Look>()
  /** Packets of pictures since the last one of sound. */
  #between: Item[] = []

  constructor(reader: ByteReader, streams: Streams) {
    this.#reader = reader
    this.#streams = streams
  }

  /**
   * The id that a packet has to have: another than its own where that is of sound, and the bytes are of pictures. `claimed`: the
   * length that it tells; where it is not as long something else is wrong with it.
   */
  idOf(item: Item, claimed = item.length): number {
    const { code, offset, length, header } = item
    if (header && isPadding(this.#reader, item)) return PADDING
    if (!header || !(isAudioId(code) || isVideoId(code))) return code
    const look = this.#looks.get(code) ?? new Look(this.#reader)
    this.#looks.set(code, look)
    const start = offset + header.headerLength
    const end = offset + length
    if (look.pairOf !== this.#streams.size) {
      look.pair = this.#pairOf(code)
      look.pairOf = this.#streams.size
    }
    const other = look.pair
    if (isAudioId(code)) {
      look.frames.learn(start, end)
      const isKnown = look.frames.isKnown && look.packets >= SETTLED && other >= 0
      if (isKnown && end - start > (2 * LONGEST_FRAME) / 3 && !look.frames.frames(start, end)) {
        const found = nextStartCode(this.#reader, start, end)
        const isPicture = found + 4 <= end && this.#reader.u8(found + 3) <= GROUP
        const isOdd = (length === claimed && !look.isUsual(length)) || isPicture
        if (isOdd && !isZero(this.#reader, start, end)) return other
        if (look.silent.length < MOST_SILENT) look.silent.push(item)
      }
    } else if (other >= 0 && this.#between.length < MOST_BETWEEN) this.#between.push(item)
    look.learn(item)
    return code
  }

  /**
   * Packets in front of one of sound whose id has to be another: those that were taken for pictures, where the times tell that
   * some are missing, and those that were taken for sound, where it goes on behind them as if they were not there.
   */
  before(item: Item): readonly Mistaken[] {
    const { code, header } = item
    const look = this.#looks.get(code)
    if (!look || !header || !isAudioId(code)) return []
    const pictures = this.#goesOn(look, item) ? look.silent.splice(0) : []
    const id = this.#pairOf(code)
    return [
      ...pictures.map(({ offset }) => ({ offset, id })),
      ...this.#missing(look, code, header).map(({ offset }) => ({ offset, id: code })),
    ]
  }

  /** Whether the last frame seen goes on in a packet of sound, and its end leads to the next one. */
  #goesOn(look: Look, item: Item): boolean {
    if (look.silent.includes(item) || !look.frames.isKnown) return false
    const start = item.offset + (item.header?.headerLength ?? 0)
    const end = item.offset + item.length
    const next = start + look.joint
    const silence = look.silent.reduce(
      (sum, { length, header }) => sum + length - (header?.headerLength ?? 0),
      0,
    )
    const rest = silence % look.frame
    // of as many bytes as whole frames have nothing tells that they were none
    const isOut = rest > FRAME_SLACK && look.frame - rest > FRAME_SLACK
    const goesOn = isOut && look.joint > 0 && next + 4 <= end && look.frames.beginsAt(next)
    const chain = look.frames.frames(start, end)
    look.joint = chain ? chain.end - end : -1
    look.frame = chain ? chain.end - chain.last : 0
    if (!goesOn) look.silent = []
    return goesOn
  }

  #missing(look: Look, code: number, header: PacketHeader): readonly Item[] {
    const between = this.#between
    this.#between = []
    if (header.pts < 0) return []
    const step = look.pts < 0 ? 0 : ticksBetween(look.pts, header.pts)
    look.pts = header.pts
    if (step <= 0) return []
    if (count(look.steps, step) === LEAST_STEPS) look.longestStep = Math.max(look.longestStep, step)
    if (look.longestStep === 0 || step <= look.longestStep || !look.frames.isKnown) return []
    return between.filter(({ code: id, offset, length, header: own }) => {
      const start = offset + (own?.headerLength ?? 0)
      return isOneBit(id ^ code) && look.frames.fill(start, offset + length)
    })
  }

  /** The known id of the other kind, one bit away; -1 where there is none. */
  #pairOf(code: number): number {
    for (let bit = 1; bit < 256; bit <<= 1) {
      const id = code ^ bit
      const isOther = isAudioId(code) ? isVideoId(id) : isAudioId(id)
      if (isOther && this.#streams.has(id)) return id
    }
    return -1
  }
}

/** Counts one more; not more than so many kinds. */
function count(counts: Map<number, number>, kind: number): number {
  const known = counts.get(kind) ?? 0
  if (known > 0 || counts.size < MOST_KINDS) counts.set(kind, known + 1)
  return known + 1
}
