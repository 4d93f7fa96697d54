import type { Edits } from '../../../bytes/edits.ts'
import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { SECTOR_PAYLOAD_BYTES } from '../../../syntax/cdxa/sector.ts'
import { PREFIX_BYTES, SCRAMBLING } from '../../../syntax/pes/packet-header.ts'
import { isVideoId } from '../../../syntax/pes/stream-ids.ts'
import {
  addForeignBytes,
  cut,
  headerHit,
  headMissing,
  packDoubled,
  remnants,
  wrongLength,
} from '../findings.ts'
import { CodedPictures } from './coded-pictures.ts'
import { HitHeaders } from './hit-headers.ts'
import { type HoleEnd, HoleEnds } from './hole-ends.ts'
import { endsSequence, type Item, PACK, PROGRAM_END, readItem, SYSTEM_HEADER } from './item.ts'
import { type IsHit, ItemSearch, MOST_PADDING } from './item-search.ts'
import { LoneSlices } from './lone-slices.ts'
import { MistakenIds } from './mistaken-ids.ts'
import { OpenEnd } from './open-end.ts'
import { PackClocks } from './pack-clocks.ts'
import { hitLengths, isHitLength, lengthIn } from './packet-length.ts'
import { LONGEST_PACKET, lengthField } from './padding.ts'
import { Sectors } from './sector-size.ts'
import { SoundEdges } from './sound-edges.ts'
import { Streams } from './streams.ts'

/** Bytes whose headers are looked at before the first of them are judged. */
const AHEAD = 128 * 1024
/** Zeros at the end of a packet that show that a hole begins in it. */
const TELLING_ZEROS = 32
/** Items between two looks at the world outside. */
const PAUSE = 512
/**
 * Bytes at the end of a file, behind that of its pictures, that are fewer than a frame of sound has: some encoders leave them
 * there.
 */
const REMNANTS = 64
/** Packets after which it is known how long they are. */
const SETTLED = 8

/** Walks over all packs and packets of a file: what belongs to none, whose length is wrong, which streams there are. */
export class Walk {
  readonly streams: Streams
  readonly findings: Findings
  readonly edits: Edits
  readonly clocks: PackClocks
  packs = 0
  packets = 0
  /** Packets whose time stamps are gone. */
  untimed = 0
  /** Packets among whose bytes are some that belong to nothing. */
  mixed = 0
  readonly #headers: HitHeaders
  readonly #search: ItemSearch
  readonly #ids: MistakenIds
  readonly #edges: SoundEdges
  readonly #ends: HoleEnds
  readonly #end: OpenEnd
  readonly #slices: LoneSlices
  readonly #sectors = new Sectors()
  readonly #reader: ByteReader
  readonly #monitor: Monitor
  /** The last packet, and where the pack began that it is in. */
  #last: Item | undefined
  #pack: Item | undefined
  /** Bytes of the longest packet. */
  #longest = 0
  /** The pictures are at their end: the program is, or the last packet of theirs ends their sequence. */
  #isEnded = false
  #firstPack = -1
  readonly #isHit: IsHit | undefined
  /** The first packet, where no pack is in front of it. */
  #headless: Item | undefined
  #steps = 0

  /**
   * `isHit` where these are the payloads of sectors, of which none can be longer or shorter: what fills up between packs is none
   * of a hole then.
   */
  constructor(
    reader: ByteReader,
    limits: Limits,
    findings: Findings,
    edits: Edits,
    monitor: Monitor,
    isHit?: IsHit,
  ) {
    this.#reader = reader
    this.#monitor = monitor
    this.#isHit = isHit
    this.findings = findings
    this.edits = edits
    this.streams = new Streams(reader, limits)
    this.clocks = new PackClocks(reader, limits.samplesPerTrack)
    this.#search = new ItemSearch(reader, this.streams, isHit)
    this.#edges = new SoundEdges(reader, edits)
    this.#ends = new HoleEnds(reader, this.streams, this.#search)
    const pictures = new CodedPictures(reader, this.streams)
    this.#slices = new LoneSlices(reader, this.streams, pictures, findings, edits)
    this.#end = new OpenEnd(reader, this.streams, pictures, findings, edits)
    this.#ids = new MistakenIds(reader, this.streams)
    this.#headers = new HitHeaders(reader, this.streams, this.#search, findings, edits)
  }

  /** @throws AbortedError, LimitError */
  async run(): Promise<void> {
    const { size } = this.#reader
    this.#headers.learnAhead(AHEAD, (item) => this.#sectors.take(item))
    this.#sectors.breakOff()
    let at = 0
    while (at < size) {
      if (this.#steps++ % PAUSE === 0) await this.#pause(at)
      const item = readItem(this.#reader, at)
      if (item && this.#headers.isHit(item, this.#pack?.length ?? 0)) {
        const mended = this.#mend(at)
        if (mended > at) {
          at = mended
          continue
        }
      }
      const twice = item ? this.#dropTwice(item) : 0
      if (twice > 0) {
        at += twice
        continue
      }
      const next = item ? this.#room(item) : 0
      if (item && at + next <= size) {
        const owned = this.#owned(item, next)
        this.#see(owned)
        this.#slices.take(owned, next)
        // sectors keep their places
        const isPlain = owned === item && next === item.length && !this.#isHit
        if (isPlain && !this.#edges.take(item)) this.streams.of(item)?.starve()
        if (next !== item.length) this.#resize(item, next)
        at += next
        continue
      }
      if (item) {
        this.#cut(item)
        break
      }
      const padded = this.#search.padding(at)
      if (padded > at) {
        at = padded
        continue
      }
      const mended = this.#mend(at) || this.#mendBehindZeros(at)
      if (mended > at) {
        at = mended
        continue
      }
      at = await this.#lose(at)
    }
    if (!this.#isEnded) this.#end.settle(this.#isHit !== undefined)
    for (const { offset, id } of this.streams.strays()) this.#setId(offset, id)
    for (const offset of this.streams.loneScrambled()) {
      this.findings.add(headerHit(offset, 'packet'))
      const flags = this.#reader.u8(offset + PREFIX_BYTES) & ~SCRAMBLING
      this.edits.replace(offset + PREFIX_BYTES, 1, Uint8Array.of(flags))
    }
    if (this.#headless && this.#firstPack >= 0 && !this.#isHit) {
      const pack = readItem(this.#reader, this.#firstPack)
      this.edits.insert(this.#headless.offset, this.#reader.bytes(this.#firstPack, pack?.length ?? 0).slice())
    }
  }

  /** Leaves out a pack that stands farther in front as well: its bytes, else 0. Sectors have numbers of their own. */
  #dropTwice(item: Item): number {
    const bytes = item.code === PACK && !this.#isHit ? this.clocks.doubled(item) : 0
    if (bytes === 0) return 0
    this.findings.add(packDoubled(item.offset, bytes))
    this.edits.drop(item.offset, bytes)
    return bytes
  }

  /** The item of `length` bytes as of the stream that those tell. */
  #owned(item: Item, length: number): Item {
    const code = this.#ids.idOf(length === item.length ? item : { ...item, length }, item.length)
    const owned = code === item.code ? item : { ...item, code }
    if (owned !== item) this.#setId(item.offset, code)
    for (const { offset, id } of this.#ids.before(owned)) this.#setId(offset, id)
    return owned
  }

  #setId(offset: number, id: number): void {
    this.findings.add(headerHit(offset, 'packet'))
    this.edits.replace(offset + 3, 1, Uint8Array.of(id))
  }

  async #pause(at: number): Promise<void> {
    this.edits.reached(at)
    this.#monitor.progress('survey', at / this.#reader.size)
    await this.#monitor.pause()
  }

  /** `mended`: its header was hit. */
  #see(item: Item, mended = false): void {
    this.#end.take(item)
    this.#sectors.take(item)
    if (item.code === PACK) {
      if (!mended) this.#headers.learnPack(item)
      this.clocks.take(item)
      this.#pack = item
      if (this.packs++ === 0) this.#firstPack = item.offset
      this.#last = undefined
      return
    }
    if (item.code === PROGRAM_END) this.#isEnded = true
    if (!item.header) return
    if (isVideoId(item.code)) this.#isEnded = endsSequence(this.#reader, item)
    if (this.packets++ === 0 && this.packs === 0) {
      this.findings.add(headMissing())
      this.#headless = item
    }
    this.#last = item
    this.streams.take(item)
    if (this.#isHit?.(item.offset, item.offset + item.length)) this.streams.damage(item)
  }

  /**
   * The bytes of an item, fewer where a packet longer than all before reaches over others; of a system header as many as lead on.
   */
  #room(item: Item): number {
    const { offset, length, header } = item
    if (item.code === SYSTEM_HEADER && !this.#search.leads(offset + length))
      return hitLengths(length).find((other) => readItem(this.#reader, offset + other)) ?? length
    if (!header || length <= this.#longest) return length
    if (this.packets < SETTLED) {
      this.#longest = length
      return length
    }
    const end = Math.min(offset + length, this.#reader.size)
    let at = nextStartCode(this.#reader, offset + header.headerLength, end)
    while (at < end && !this.#search.isAnchor(at)) at = nextStartCode(this.#reader, at + 3, end)
    if (at < end) return at - offset
    this.#longest = length
    return length
  }

  /** A packet has another length than it says. */
  #resize(item: Item, room: number): void {
    const length = lengthIn(this.#reader, item, room)
    this.findings.add(wrongLength(item.offset, item.length, length))
    this.#setLength(item, length)
    this.#edges.forget(item)
    if (!isHitLength(item.length, length)) this.streams.damage(item)
    this.#last = undefined
  }

  /** The file ends inside an item: a packet says from now on how much of it is there. */
  #cut(item: Item): void {
    const { size } = this.#reader
    this.findings.add(cut(item.offset, item.offset + item.length - size))
    const room = size - item.offset
    if (!item.header || item.header.headerLength >= room) {
      this.edits.drop(item.offset, room)
      return
    }
    this.#see(item)
    this.streams.damage(item)
    this.#setLength(item, room)
  }

  /** A header that was hit, and whose length leads to the next item: its end, or 0. */
  #mend(at: number): number {
    const mended = this.#headers.mend(at, this.#pack?.length ?? 0)
    if (!mended) return 0
    if (mended.isUntimed) this.untimed++
    if (mended.item) {
      this.#see(mended.item, true)
      this.#slices.take(mended.item, mended.item.length)
    } else this.streams.lose(mended.id)
    return mended.end
  }

  /** The same of a header behind zeros that fill up, which its own are joined to. */
  #mendBehindZeros(at: number): number {
    let next = at
    while (next < at + MOST_PADDING && this.#reader.u8(next) === 0) next++
    for (let start = Math.max(at + 1, next - 2); start <= next; start++) {
      const end = this.#mend(start)
      if (end > start) return end
    }
    return 0
  }

  /** Finds the next item, and settles what lies between. Returns where to go on. */
  async #lose(at: number): Promise<number> {
    const last = this.#last
    const due = last ? this.#due(last) : -1
    if (last && due >= 0 && due !== at) {
      this.#resize(last, due - last.offset)
      return due
    }
    const from = last ? last.offset + PREFIX_BYTES : at
    const found = await this.#search.next(from, at, (place) => this.#pause(place))
    if (last && found < at) {
      this.#resize(last, found - last.offset)
      return found
    }
    if (found === this.#reader.size && found - at < REMNANTS && this.#isEnded) {
      this.findings.add(remnants(at, found - at))
      return found
    }
    if (last && this.#belongs(last, at, found)) {
      const isEnd = this.#isHit !== undefined || isHitLength(last.length, found - last.offset)
      const end = isEnd ? found : this.#edges.wholeIn(last, found)
      this.#resize(last, end - last.offset)
      if (end < found) this.#drop(end, found)
      return found
    }
    this.#drop(at, found)
    if (last) this.#trim(last, at)
    this.#last = undefined
    return found
  }

  /**
   * Where a packet ends whose length was hit in one bit: with its sector, behind which an item is whose start code may be hit,
   * too; else -1.
   */
  #due({ offset, length }: Item): number {
    const size = this.#sectors.bytes
    if (size === 0 || !this.#pack) return -1
    const due = offset + size - ((offset - this.#pack.offset) % size)
    return isHitLength(length, due - offset) && this.#search.leads(due) ? due : -1
  }

  /** Leaves out what belongs to nothing. */
  #drop(from: number, to: number): void {
    addForeignBytes(this.findings, this.#reader, from, to)
    this.#end.hole(to)
    this.streams.hole()
    this.#edges.hole()
    this.#slices.hole(from, to)
    this.#sectors.breakOff()
    const end = this.#ends.drop(this.edits, from, to, this.#sectorIn(from, to))
    if (end) this.#keep(end, to)
  }

  /** Where the last sector of [from, to) begins; -1 where there are none. */
  #sectorIn(from: number, to: number): number {
    const size = this.#isHit ? SECTOR_PAYLOAD_BYTES : this.#sectors.bytes
    const origin = this.#isHit ? 0 : this.#pack?.offset
    return size === 0 || origin === undefined ? -1 : Math.max(from, to - ((to - origin) % size || size))
  }

  #keep({ stream, start, pts, dts }: HoleEnd, end: number): void {
    this.packets++
    this.streams.takeRest(stream, start, end - start, { pts, dts })
    if (stream.kind === 'video') this.#slices.begins(stream)
    if (stream.substream < 0) this.#edges.join(stream.id)
  }

  /** Whether the bytes behind a packet are its own: its length is wrong, or bytes were put into it. */
  #belongs(last: Item, at: number, found: number): boolean {
    if (found === this.#reader.size || found - last.offset - PREFIX_BYTES > LONGEST_PACKET) return false
    if (isZero(this.#reader, at, found) || this.#headers.wasStart(at)) return false
    const size = this.#sectors.bytes
    const start = this.#pack?.offset ?? 0
    const sector = size > 0 ? last.offset - ((last.offset - start) % size) : start
    const distance = found - sector
    // what was overwritten keeps its length; else bytes were put in or are missing, nobody knows where in the packet
    const isShifted = size > 0 ? distance % size !== 0 && distance < 2 * size : found - at < this.#longest
    if (isShifted) this.mixed++
    // a packet that ends where its sector does has that end
    if (size > 0 && at - sector === size) return false
    if (isHitLength(last.length, found - last.offset)) return true
    return size > 0 && this.#pack !== undefined && (distance === size || isShifted)
  }

  /** Zeros in front of a hole belong to it: pictures end where they begin. */
  #trim(last: Item, end: number): void {
    if (this.#isHit || !isVideoId(last.code) || !last.header) return
    if (!isZero(this.#reader, end, end + TELLING_ZEROS)) return
    const first = last.offset + last.header.headerLength
    let from = end
    while (from > first && this.#reader.u8(from - 1) === 0) from--
    if (end - from < TELLING_ZEROS) return
    this.streams.damage(last)
    this.#setLength(last, from - last.offset)
    this.edits.drop(from, end - from)
  }

  #setLength(item: Item, length: number): void {
    this.edits.replace(item.offset + 4, 2, lengthField(length))
  }
}
