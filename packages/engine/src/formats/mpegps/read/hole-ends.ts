import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { mpeg1PacketHeader, packetHeader } from '../../../syntax/pes/packet-header.ts'
import { CLOCK, ticksBetween } from '../../../syntax/pes/time-stamp.ts'
import { type PictureStarts, pictureStarts } from './hole-pictures.ts'
import { holeSounds } from './hole-sounds.ts'
import { type Item, readItem } from './item.ts'
import type { ItemSearch } from './item-search.ts'
import { LONGEST_PACKET, padding } from './padding.ts'
import { type ProgramStream, payloadOf } from './stream.ts'
import type { Streams } from './streams.ts'

/** Packs and packets behind a hole that are looked through for the next ones of its streams. */
const LOOK = 64
/** Ticks by which times of pictures differ from whole ones, as they are rounded. */
const ROUNDING = 3
const NOTHING = new Uint8Array(0)

/** Bytes of a substream's head: its id, the frames that begin, and how far the first one is, from the last of these bytes on. */
const substreamHead = (id: number, frames: number): Uint8Array => Uint8Array.of(id, frames, 0, 1)

/** The rest of a packet whose head is gone. */
export interface HoleEnd {
  readonly stream: ProgramStream
  readonly start: number
  /** 90 kHz, 33 bits; -1 where it is not known. */
  readonly pts: number
  readonly dts: number
  /** What is to stand in front of it. */
  readonly head: Uint8Array
  readonly mpeg1: boolean
}

/**
 * Finds what packets hold behind a hole that took their heads: frames of sound that lead on to the next packet of their stream,
 * and pictures from where one begins.
 */
export class HoleEnds {
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #search: ItemSearch

  constructor(reader: ByteReader, streams: Streams, search: ItemSearch) {
    this.#reader = reader
    this.#streams = streams
    this.#search = search
  }

  /**
   * Drops [from, to), but puts a head in front of what it ends with. `sector`: where the last sector in it begins, which keeps
   * its place; -1 where there are none.
   */
  drop(edits: Edits, from: number, to: number, sector: number): HoleEnd | undefined {
    const first = Math.max(from, sector)
    const end = this.#find(first, to)
    const room = end && sector >= 0 ? end.start - first - end.head.length : 0
    if (!end || room < 0) {
      edits.drop(from, to - from)
      return undefined
    }
    const head = new Uint8Array(room + end.head.length)
    head.set(padding(room, end.mpeg1))
    head.set(end.head, room)
    if (first > from) edits.drop(from, first - from)
    edits.replace(first, end.start - first, head)
    return end
  }

  /** What [from, to) ends with, behind which an item or the end of the file is. */
  #find(from: number, to: number): HoleEnd | undefined {
    const first = Math.max(from, to - LONGEST_PACKET)
    const behind = this.#behind(to)
    for (const stream of this.#streams.all) {
      const packets = behind.filter((item) => this.#streams.of(item) === stream)
      const find =
        stream.kind === 'video' ? this.#pictures : stream.kind === 'audio' ? this.#sounds : undefined
      const found = find?.call(this, stream, first, to, packets)
      if (found) return found
    }
    return undefined
  }

  /** Packets from `at` on, up to what is none but zeros that fill up. */
  #behind(at: number): Item[] {
    const packets: Item[] = []
    let next = at
    for (let i = 0; i < LOOK; i++) {
      const item = readItem(this.#reader, next) ?? readItem(this.#reader, this.#search.padding(next))
      if (!item) break
      if (item.header) packets.push(item)
      next = item.offset + item.length
    }
    return packets
  }

  #sounds(stream: ProgramStream, from: number, to: number, packets: readonly Item[]): HoleEnd | undefined {
    const [next] = packets
    if (!next?.header) return undefined
    const payload = payloadOf(next, stream)
    const found = holeSounds(this.#reader, stream.codec, from, to, payload.start, payload.end)
    if (!found) return undefined
    const ticks = Math.round(found.count * stream.unit * CLOCK)
    const time = next.header.pts < 0 || ticks === 0 ? -1 : next.header.pts - ticks
    const about = stream.substream < 0 ? NOTHING : substreamHead(stream.substream, found.count)
    return this.#headed({ stream, start: found.start, pts: time, dts: time }, to, next.header.mpeg1, about)
  }

  #pictures(stream: ProgramStream, from: number, to: number, packets: readonly Item[]): HoleEnd | undefined {
    const [next] = packets
    if (!next?.header) return undefined
    const payload = payloadOf(next, stream)
    const behind = this.#reader.bytes(payload.start, payload.end - payload.start).slice()
    const found = pictureStarts(this.#reader, stream.codec, from, to, behind)
    if (!found) return undefined
    const times = this.#timesOf(stream, found, packets)
    return this.#headed({ stream, start: found.start, ...times }, to, next.header.mpeg1)
  }

  /** When the first of some pictures is decoded and shown, by the next picture with a time stamp. */
  #timesOf(
    stream: ProgramStream,
    { count, reference, hasGroup }: PictureStarts,
    packets: readonly Item[],
  ): { readonly pts: number; readonly dts: number } {
    const none = { pts: -1, dts: -1 }
    const step = stream.unit * CLOCK
    const stamped = packets.find(({ header }) => header && header.dts >= 0)
    if (!stamped?.header || step === 0) return none
    const { start, end } = payloadOf(stamped, stream)
    const next = pictureStarts(this.#reader, stream.codec, start, end, NOTHING)
    if (!next || next.startsGroup || hasGroup) return none
    const dts = Math.round(stamped.header.dts - count * step)
    const pts = Math.round(stamped.header.pts + (reference - next.reference) * step)
    // pictures shown longer than others, or between the two, do not lie on this grid
    const since = ticksBetween(stream.dts, dts)
    const isOnGrid = since > 0 && Math.abs(since - Math.round(since / step) * step) <= ROUNDING
    return isOnGrid && pts >= dts ? { pts, dts } : none
  }

  #headed(
    { stream, start, pts, dts }: Omit<HoleEnd, 'head' | 'mpeg1'>,
    to: number,
    mpeg1: boolean,
    about: Uint8Array = NOTHING,
  ): HoleEnd {
    const written = (mpeg1 ? mpeg1PacketHeader : packetHeader)(stream.id, about.length + to - start, pts, dts)
    const head = new Uint8Array(written.length + about.length)
    head.set(written)
    head.set(about, written.length)
    return { stream, start, pts, dts, head, mpeg1 }
  }
}
