import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { LimitError } from '../../../model/errors.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED } from '../../../model/sample-table.ts'
import { delayOf } from '../../../recording/mend-stamps.ts'
import { sniffPictures, sniffSound, unitSeconds } from '../../../recording/sniff-stream.ts'
import type { PacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isAudioId, isVideoId, PADDING, PRIVATE_1 } from '../../../syntax/pes/stream-ids.ts'
import { CLOCK, ticksBetween, wrapped } from '../../../syntax/pes/time-stamp.ts'
import { type Item, readItem } from './item.ts'
import { MpegSound } from './mpeg-sound.ts'
import { isSubstream, ProgramStream, payloadOf } from './stream.ts'

/** Bytes of a payload that show what it is. */
const LOOK = 1024
/** Packets of a stream that are looked at for what it is. */
const TRIES = 200
/** Packets of a stream from which it is one. */
const SETTLED = 16
/** Ids from here on are of other kinds of streams; more packets than these have such a stream. */
const FIRST_OTHER = 0xf0
const MOST_OTHERS = 8
/** Packets of a stream below which they may be another's. */
const STRAYS = 4
/** Farther apart than this no two decoding times of one stream are, in ticks. */
const FAR = 60 * CLOCK

/** 90 kHz, 33 bits; -1 where there is none. */
type Times = Pick<PacketHeader, 'dts' | 'pts'>

/** The streams of a program stream as its packets tell of them. */
export class Streams {
  readonly #reader: ByteReader
  readonly #limits: Limits
  readonly #streams = new Map<number, ProgramStream>()
  readonly #ids = new Set<number>()
  /** Packets of ids that nobody uses, as long as they are few. */
  readonly #others: Item[] = []
  #clock = Number.NaN
  /** Something was lost in front of the next packet. */
  #holes = 0
  readonly #seen = new Map<ProgramStream, number>()

  constructor(reader: ByteReader, limits: Limits) {
    this.#reader = reader
    this.#limits = limits
  }

  get size(): number {
    return this.#ids.size
  }

  get all(): readonly ProgramStream[] {
    return [...this.#streams.values()]
  }

  /** Whether packets of this stream id were seen. */
  has(id: number): boolean {
    return this.#ids.has(id)
  }

  /** The known id that one turned bit makes of this one; -1 when there is none. */
  near(id: number): number {
    for (const known of this.#ids) {
      if (isOneBit(known ^ id)) return known
    }
    return -1
  }

  /** Takes a packet. @throws LimitError */
  take(item: Item): void {
    const { header } = item
    if (!header) return
    this.#ids.add(item.code)
    if (item.code === PADDING) return
    const stream = this.#streamOf(item)
    if (!stream) {
      if (item.code >= FIRST_OTHER && this.#others.length < MOST_OTHERS) this.#others.push(item)
      return
    }
    stream.packets++
    if (stream.places.length < STRAYS) stream.places.push(item.offset)
    if (header.scrambled && stream.scrambled++ < STRAYS) stream.scrambledAt.push(item.offset)
    if (stream.packets <= TRIES && (stream.codec === '' || stream.unit === 0)) this.#sniff(stream, item)
    this.#place(stream, item.offset, item.length - header.headerLength, header)
  }

  /** Takes the rest of a packet of a stream, from `offset` on, whose head is not in the file. */
  takeRest(stream: ProgramStream, offset: number, size: number, times: Times): void {
    stream.packets++
    this.#place(stream, offset, size, times)
  }

  /** The stream of a packet; undefined where it is new. */
  of({ code, offset, header }: Item): ProgramStream | undefined {
    return this.#streams.get(keyOf(code, this.#substreamOf(code, offset + (header?.headerLength ?? 0))))
  }

  /**
   * Few packets whose stream id is one turned bit off that of a long stream: they are taken from the streams, with the true id.
   */
  strays(): { readonly offset: number; readonly id: number }[] {
    const found: { offset: number; id: number }[] = []
    for (const [key, { id, packets, places, codec }] of this.#streams) {
      if (packets >= STRAYS) continue
      const owner = this.all.find((other) => other.packets > SETTLED * packets && isOneBit(other.id ^ id))
      // a short stream whose bytes tell a coding of its own is one; those of a single packet may tell it by chance, where no
      // frames fill it
      const isOwn = codec !== '' && codec !== owner?.codec && (packets > 1 || this.#isSound(places[0]))
      if (!owner || isOwn) continue
      this.#streams.delete(key)
      for (const offset of places) found.push({ offset, id: owner.id })
    }
    for (const { code, offset } of this.#others) {
      const owner = this.all.find(({ id, packets }) => packets > SETTLED && isOneBit(id ^ code))
      if (owner && this.#others.length < MOST_OTHERS) found.push({ offset, id: owner.id })
    }
    return found
  }

  /** Whether frames of MPEG sound fill the packet at `place`, which none of pictures does. */
  #isSound(place: number): boolean {
    const item = readItem(this.#reader, place)
    if (!item?.header || !isAudioId(item.code)) return false
    const start = place + item.header.headerLength
    const frames = new MpegSound(this.#reader)
    frames.learn(start, place + item.length)
    return frames.isKnown && frames.fill(start, place + item.length)
  }

  /** Where few packets say that they are scrambled of a long stream that is not. */
  loneScrambled(): readonly number[] {
    return this.all.flatMap(({ scrambled, packets, scrambledAt }) =>
      scrambled < STRAYS && packets > SETTLED * scrambled ? scrambledAt : [],
    )
  }

  /** The packet's bytes were hit. */
  damage(item: Item): void {
    this.#streamOf(item)?.damage()
  }

  /** A packet of this id was hit in its header. */
  lose(id: number): void {
    for (const stream of this.#streams.values()) if (stream.id === id) stream.damage()
  }

  /** Packets of unknown streams were lost: pictures in progress lack some, most bytes are theirs. */
  hole(): void {
    this.#holes++
    for (const stream of this.#streams.values()) if (stream.kind === 'video') stream.damage()
  }

  /** Packets were lost in front of `offset`: of streams of pictures what was in progress there lacks some. */
  holeAt(offset: number): void {
    for (const { kind, table } of this.#streams.values()) {
      const behind = table.offset.subarray(0, table.length).findIndex((start) => start >= offset)
      if (behind > 0 && kind === 'video') table.flags[behind - 1] |= SAMPLE_DAMAGED
      if (behind >= 0) table.flags[behind] |= SAMPLE_AFTER_HOLE
    }
  }

  #streamOf(item: Item): ProgramStream | undefined {
    const { code, header } = item
    if (!header || !(isVideoId(code) || isAudioId(code) || code === PRIVATE_1)) return undefined
    const substream = this.#substreamOf(code, item.offset + header.headerLength)
    const key = keyOf(code, substream)
    const known = this.#streams.get(key)
    if (known) return known
    if (this.#streams.size >= this.#limits.tracks)
      throw new LimitError(`more than ${this.#limits.tracks} streams`)
    const made = new ProgramStream(code, substream, this.#limits.samplesPerTrack, this.#reader.size)
    this.#streams.set(key, made)
    this.#seen.set(made, this.#holes)
    return made
  }

  /** The substream that a packet's payload begins with; -1 where none does. */
  #substreamOf(code: number, payload: number): number {
    if (code !== PRIVATE_1) return -1
    const first = this.#reader.u8(payload)
    return isSubstream(first) ? first : -1
  }

  #sniff(stream: ProgramStream, item: Item): void {
    const { start, end } = payloadOf(item, stream)
    const bytes = this.#reader.bytes(start, Math.min(LOOK, end - start)).slice()
    const looks = stream.kind === 'video' ? [bytes] : soundStarts(bytes)
    for (const look of looks) {
      const codec = stream.kind === 'video' ? sniffPictures(look) : sniffSound(look)
      if (!codec) continue
      if (stream.codec === '') stream.codec = codec
      if (stream.codec === codec && stream.unit === 0) stream.unit = unitSeconds(codec, look)
      return
    }
  }

  #place(stream: ProgramStream, offset: number, size: number, { dts: stamp, pts }: Times): void {
    const { table } = stream
    if (stamp < 0) {
      if (table.length > 0) table.size[table.length - 1] += size
      return
    }
    const near = Number.isNaN(stream.dts) ? this.#clock : stream.dts
    const dts = Number.isNaN(near) ? stamp : near + ticksBetween(wrapped(near), stamp)
    const holed = this.#seen.get(stream) !== this.#holes
    this.#seen.set(stream, this.#holes)
    const row = table.push(offset, size, 1, 0, 0, holed ? SAMPLE_AFTER_HOLE : 0)
    table.dts[row] = dts
    table.cts[row] = delayOf(stamp, pts)
    // times far from those before are believed when two agree
    const isFar = Math.abs(dts - stream.dts) > FAR && !(Math.abs(dts - stream.farDts) <= FAR)
    stream.farDts = dts
    if (isFar) return
    this.#clock = dts
    stream.dts = dts
  }
}

function keyOf(code: number, substream: number): number {
  return code * 256 + Math.max(substream, 0)
}

/** Whether one bit of a value is set. */
export function isOneBit(value: number): boolean {
  return value !== 0 && (value & (value - 1)) === 0
}

/** Places where a frame of sound may begin. */
function* soundStarts(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + 8 < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0xff || byte === 0x0b || byte === 0x7f || byte === 0x56) yield bytes.subarray(at)
  }
}
