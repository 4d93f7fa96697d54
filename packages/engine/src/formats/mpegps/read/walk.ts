import type { Edits } from '../../../bytes/edits.ts'
import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { SampleTable } from '../../../model/sample-table.ts'
import { HeaderHabits, isFilled, packetMask, turnedBytes } from '../../../recording/header-habits.ts'
import { LONGEST_HEADER, PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isVideoId } from '../../../syntax/pes/stream-ids.ts'
import { ticksBetween, WRAP } from '../../../syntax/pes/time-stamp.ts'
import { cut, foreignBytes, headerHit, headMissing, wrongLength } from '../findings.ts'
import { type Item, PACK, packMask, readItem } from './item.ts'
import { Streams } from './streams.ts'

/** Zeros that writers put between packs to fill sectors; more are a hole. */
const MOST_PADDING = 512
/** Zeros at the end of a packet that show that a hole begins in it. */
const TELLING_ZEROS = 32
/** Items between two looks at the world outside. */
const PAUSE = 4096
/** Bytes searched for the next packet before the world outside is looked at. */
const SEARCH_BYTES = 1 << 20
/** Bits of a start code that may be turned. */
const MOST_FLIPS = 2
const LONGEST_PACKET = 0xffff
/** Packs after which a writer's habits are known. */
const SETTLED = 8
/** Packs of the usual size, of all, from which a writer keeps to it. */
const USUAL = 0.8

/** Walks over all packs and packets of a file: what belongs to none, whose length is wrong, which streams there are. */
export class Walk {
  readonly streams: Streams
  readonly findings: Findings
  readonly edits: Edits
  /** Where packs stand, and their clocks, unwrapped. */
  readonly clocks: SampleTable
  packs = 0
  packets = 0
  /** Packets among whose bytes are some that belong to nothing. */
  mixed = 0
  readonly #habits = new Map<number, HeaderHabits>()
  readonly #packHabits = new HeaderHabits()
  readonly #reader: ByteReader
  readonly #monitor: Monitor
  /** The last packet, and where the pack began that it is in. */
  #last: Item | undefined
  #pack: Item | undefined
  /** Distances between packs, and how often each came. */
  readonly #sizes = new Map<number, number>()
  #distances = 0
  #commonest = 0
  /** Bytes of the longest packet. */
  #longest = 0
  #firstPack = -1
  #isHit: ((from: number, to: number) => boolean) | undefined
  /** The first packet, where no pack is in front of it. */
  #headless: Item | undefined
  #steps = 0

  constructor(reader: ByteReader, limits: Limits, findings: Findings, edits: Edits, monitor: Monitor) {
    this.#reader = reader
    this.#monitor = monitor
    this.findings = findings
    this.edits = edits
    this.streams = new Streams(reader, limits)
    this.clocks = new SampleTable(limits.samplesPerTrack)
  }

  /**
   * The payloads of sectors, of which none can be longer or shorter: `isHit` tells whether those of a stretch are not whole. What fills up
   * between packs is none of a hole then.
   */
  inSectors(isHit: (from: number, to: number) => boolean): void {
    this.#isHit = isHit
  }

  /** @throws AbortedError, LimitError */
  async run(): Promise<void> {
    const { size } = this.#reader
    let at = 0
    while (at < size) {
      if (this.#steps++ % PAUSE === 0) await this.#pause(at)
      const item = readItem(this.#reader, at)
      if (item && this.#isHitHeader(item)) {
        const mended = this.#mend(at)
        if (mended > at) {
          at = mended
          continue
        }
      }
      const next = item ? this.#shorter(item) : 0
      if (item && at + next <= size) {
        this.#see(item)
        if (next < item.length) this.#resize(item, next)
        at += next
        continue
      }
      if (item) {
        this.#cut(item)
        return
      }
      const padded = this.#padding(at)
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
    for (const { offset, id } of this.streams.strays()) {
      this.findings.add(headerHit(offset, 'packet'))
      this.edits.replace(offset + 3, 1, Uint8Array.of(id))
    }
    if (this.#headless && this.#firstPack >= 0 && !this.#isHit) {
      const pack = readItem(this.#reader, this.#firstPack)
      this.edits.insert(this.#headless.offset, this.#reader.bytes(this.#firstPack, pack?.length ?? 0).slice())
    }
  }

  async #pause(at: number): Promise<void> {
    this.#monitor.progress('survey', at / this.#reader.size)
    await this.#monitor.pause()
  }

  /** `mended`: its header was hit. */
  #see(item: Item, mended = false): void {
    if (item.code === PACK) {
      if (!mended) this.#learnPack(item)
      if (this.#pack) this.#count(item.offset - this.#pack.offset)
      this.#pack = item
      if (this.packs++ === 0) this.#firstPack = item.offset
      this.#last = undefined
      return
    }
    if (!item.header) return
    if (this.packets++ === 0 && this.packs === 0) {
      this.findings.add(headMissing())
      this.#headless = item
    }
    this.#last = item
    this.streams.take(item)
    if (this.#isHit?.(item.offset, item.offset + item.length)) this.streams.damage(item)
  }

  #learnPack(item: Item): void {
    this.#packHabits.learn(this.#reader.bytes(item.offset, item.length), packMask(item))
    const { clocks } = this
    const near = clocks.length === 0 ? (item.clock ?? 0) : clocks.dts[clocks.length - 1]
    const row = clocks.push(item.offset, 0, 1, 0, 0, 0)
    clocks.dts[row] = near + ticksBetween(((near % WRAP) + WRAP) % WRAP, item.clock ?? 0)
  }

  #count(distance: number): void {
    this.#distances++
    if (this.#sizes.size >= MOST_PADDING && !this.#sizes.has(distance)) return
    const count = (this.#sizes.get(distance) ?? 0) + 1
    this.#sizes.set(distance, count)
    if (count > (this.#sizes.get(this.#commonest) ?? 0)) this.#commonest = distance
  }

  /** Bytes from pack to pack where a writer keeps to them; 0 where it does not. */
  get #packSize(): number {
    const count = this.#sizes.get(this.#commonest) ?? 0
    return count > SETTLED && count >= this.#distances * USUAL ? this.#commonest : 0
  }

  /** The bytes of an item, fewer where a packet longer than all before reaches over others. */
  #shorter({ offset, length, header }: Item): number {
    if (!header || length <= this.#longest) return length
    if (this.packets < SETTLED) {
      this.#longest = length
      return length
    }
    const end = Math.min(offset + length, this.#reader.size)
    let at = nextStartCode(this.#reader, offset + header.headerLength, end)
    while (at < end && !this.#isAnchor(at)) at = nextStartCode(this.#reader, at + 3, end)
    if (at < end) return at - offset
    this.#longest = length
    return length
  }

  /** A packet has another length than it says. */
  #resize(item: Item, room: number): void {
    const length = this.#lengthIn(item, room)
    this.findings.add(wrongLength(item.offset, item.length, length))
    this.#setLength(item, length)
    if (!isHitLength(item.length, length)) this.streams.damage(item)
    this.#last = undefined
  }

  /** The length of a packet that has `room` up to the next item: all of it, or what one turned bit explains and zeros fill up. */
  #lengthIn({ offset, length }: Item, room: number): number {
    if (isHitLength(length, room)) return room
    for (let bit = 15; bit >= 0; bit--) {
      const turned = PREFIX_BYTES + ((length - PREFIX_BYTES) ^ (1 << bit))
      const isFilledUp = turned < room && room - turned < MOST_PADDING
      if (isFilledUp && isZero(this.#reader, offset + turned, offset + room)) return turned
    }
    return room
  }

  /** Where zeros that fill up end, behind which an item or the end of the file is; 0 when these are none. */
  #padding(at: number): number {
    const { size } = this.#reader
    const stop = this.#isHit ? size : Math.min(size, at + MOST_PADDING)
    let next = at
    while (next < stop && this.#reader.u8(next) === 0) next++
    if (next - at >= MOST_PADDING && this.#isHit?.(at, next)) return 0
    if (next === size) return size
    const start = next - 2
    return start > at && next < stop && readItem(this.#reader, start) ? start : 0
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
    const head = this.#reader.bytes(at, LONGEST_HEADER).slice()
    if (bitsIn(this.#reader.u24(at) ^ 1) > MOST_FLIPS || head.length < PREFIX_BYTES) return 0
    const code = head[3]
    const isPack = code === PACK || (!this.streams.has(code) && bitsIn(code ^ PACK) === 1)
    if (isPack) return this.#mendPack(at, head)
    const length = PREFIX_BYTES + this.#reader.u16(at + 4)
    if (length <= PREFIX_BYTES || !this.#leads(at + length)) return 0
    const id = this.streams.has(code) ? code : this.streams.near(code)
    if (id < 0) return 0
    const whole = head.slice()
    whole.set([0, 0, 1, id])
    whole.set(this.#habitsOf(id).mend(whole) ?? [])
    this.#amend(at, head, whole)
    const header = parsePacketHeader(whole, 0)
    if (header && header.headerLength <= length) this.#see({ code: id, offset: at, length, header }, true)
    else this.streams.lose(id)
    return at + length
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

  #mendPack(at: number, head: Uint8Array): number {
    const length = this.#pack?.length ?? 0
    if (length === 0 || readItem(this.#reader, at + length) === undefined) return 0
    const whole = this.#packHabits.mend(head)
    if (!whole) return 0
    this.#amend(at, head, whole)
    this.#see({ code: PACK, offset: at, length }, true)
    return at + length
  }

  /** Writes those bytes of a header that were hit. */
  #amend(at: number, head: Uint8Array, whole: Uint8Array): void {
    this.findings.add(headerHit(at, whole[3] === PACK ? 'pack' : 'packet'))
    for (const [place, byte] of turnedBytes(head, whole))
      this.edits.replace(at + place, 1, Uint8Array.of(byte))
  }

  #habitsOf(id: number): HeaderHabits {
    const known = this.#habits.get(id)
    if (known) return known
    const made = new HeaderHabits()
    this.#habits.set(id, made)
    return made
  }

  /** A packet whose header keeps to the syntax, but was hit: its data are no stuffing, and others of its stream have other flags. */
  #isHitHeader({ code, offset, length, header }: Item): boolean {
    if (!header) return false
    const bytes = this.#reader.bytes(offset, header.headerLength).slice()
    const habits = this.#habitsOf(code)
    if (habits.isStrange(bytes) && !isFilled(bytes, 0, header) && this.#leads(offset + length)) return true
    habits.learn(bytes, packetMask(bytes, 0, header))
    return false
  }

  #leads(at: number): boolean {
    return at === this.#reader.size || readItem(this.#reader, at) !== undefined || this.#padding(at) > at
  }

  /** Finds the next item, and settles what lies between. Returns where to go on. */
  async #lose(at: number): Promise<number> {
    const last = this.#last
    const found = await this.#search(last ? last.offset + PREFIX_BYTES : at, at)
    if (last && found < at) {
      this.#resize(last, found - last.offset)
      return found
    }
    if (last && this.#belongs(last, at, found)) {
      this.#resize(last, found - last.offset)
      return found
    }
    this.findings.add(foreignBytes(at, found - at))
    this.edits.drop(at, found - at)
    this.streams.hole()
    if (last) this.#trim(last, at)
    this.#last = undefined
    return found
  }

  /** Whether the bytes behind a packet are its own: its length is wrong, or bytes were put into it. */
  #belongs(last: Item, at: number, found: number): boolean {
    if (found === this.#reader.size || found - last.offset - PREFIX_BYTES > LONGEST_PACKET) return false
    if (isZero(this.#reader, at, found)) return false
    const size = this.#packSize
    const distance = found - (this.#pack?.offset ?? 0)
    // what was overwritten keeps its length; else bytes were put in or are missing, nobody knows where in the packet
    const isShifted = size > 0 ? distance % size !== 0 && distance < 2 * size : found - at < this.#longest
    if (isShifted) this.mixed++
    // a packet that ends where its pack has to ends there
    if (size > 0 && at - (this.#pack?.offset ?? 0) === size) return false
    if (isHitLength(last.length, found - last.offset)) return true
    return size > 0 && this.#pack !== undefined && (distance === size || isShifted)
  }

  /** Zeros in front of a hole belong to it: pictures end where they begin. */
  #trim(last: Item, end: number): void {
    if (
      this.#isHit ||
      !isVideoId(last.code) ||
      !last.header ||
      !isZero(this.#reader, end, end + TELLING_ZEROS)
    )
      return
    const first = last.offset + last.header.headerLength
    let from = end
    while (from > first && this.#reader.u8(from - 1) === 0) from--
    if (end - from < TELLING_ZEROS) return
    this.streams.damage(last)
    this.#setLength(last, from - last.offset)
    this.edits.drop(from, end - from)
  }

  #setLength(item: Item, length: number): void {
    const value = length - PREFIX_BYTES
    this.edits.replace(item.offset + 4, 2, Uint8Array.of(value >> 8, value & 0xff))
  }

  /**
   * The next item at or behind `from`: a pack, or a packet of a known stream that leads on to another item. Those in front of `expected`
   * lie in a packet that is shorter than it says. The end of the file when there is none.
   */
  async #search(from: number, expected: number): Promise<number> {
    const { size } = this.#reader
    let at = from
    let shown = from
    while (at < size) {
      const stop = Math.min(size, at + SEARCH_BYTES)
      const start = nextStartCode(this.#reader, at, stop)
      if (start + 3 > stop) {
        at = stop === size ? size : stop - 2
        if (at - shown >= SEARCH_BYTES) {
          shown = at
          await this.#pause(Math.max(at, expected))
        }
        continue
      }
      if (start !== expected && this.#isAnchor(start)) return start
      at = start + 3
    }
    return size
  }

  #isAnchor(at: number): boolean {
    const item = readItem(this.#reader, at)
    if (!item) return false
    if (item.code === PACK) return true
    if (!item.header) return false
    const end = at + item.length
    return (
      (this.streams.size === 0 || this.streams.has(item.code)) && end <= this.#reader.size && this.#leads(end)
    )
  }
}

/** Whether one turned bit in the length field makes the one of the other; both count the whole packet. */
function isHitLength(claimed: number, length: number): boolean {
  return bitsIn((claimed - PREFIX_BYTES) ^ (length - PREFIX_BYTES)) === 1
}

/** Bits that are set. */
function bitsIn(value: number): number {
  let count = 0
  for (let left = value; left !== 0; left &= left - 1) count++
  return count
}
