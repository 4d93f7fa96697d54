import type { Edits } from '../../../bytes/edits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import type { Findings } from '../../../model/finding.ts'
import { HABIT, HeaderHabits, isFilled, packetMask, turnedBytes } from '../../../recording/header-habits.ts'
import { withTurnedBit } from '../../../recording/turned-header.ts'
import { withoutHitStamps, withoutStamps } from '../../../recording/untimed-header.ts'
import { LONGEST_HEADER, PREFIX_BYTES, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isBare } from '../../../syntax/pes/stream-ids.ts'
import { headerHit } from '../findings.ts'
import { type Item, PACK, packMask, packRate, readItem } from './item.ts'
import { bitsIn, type ItemSearch } from './item-search.ts'
import { isHitLength } from './packet-length.ts'
import { lengthField } from './padding.ts'
import type { Streams } from './streams.ts'

/** How often each byte of a file may be looked through for where packets end whose headers were hit. */
const LOOKED_AT = 4

/** A header that was put right. */
export interface MendedHeader {
  /** Where its item ends. */
  readonly end: number
  /** Undefined where it could not be read any more. */
  readonly item: Item | undefined
  readonly id: number
  /** Its time stamps could not be read any more: it has none. */
  readonly isUntimed: boolean
}

/** Puts headers of packs and packets right that were hit in a bit or two, by how the others of their kind look. */
export class HitHeaders {
  readonly #habits = new Map<number, HeaderHabits>()
  readonly #packHabits = new HeaderHabits()
  /** What the last pack's header tells beside its clock, and how many did so one behind the other. */
  #rate = -1
  #alike = 0
  /** Bytes of the longest packet, and those that may still be looked through for the end of others. */
  #longest = 0
  #left: number
  /** Whether the first packet is of MPEG-1. */
  #firstSystem: boolean | undefined
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #search: ItemSearch
  readonly #findings: Findings
  readonly #edits: Edits

  constructor(reader: ByteReader, streams: Streams, search: ItemSearch, findings: Findings, edits: Edits) {
    this.#reader = reader
    this.#streams = streams
    this.#search = search
    this.#findings = findings
    this.#edits = edits
    this.#left = reader.size * LOOKED_AT
  }

  /** Learns how headers look from those in the first `bytes` of the file, and tells of every item there. */
  learnAhead(bytes: number, onItem: (item: Item) => void): void {
    const end = Math.min(bytes, this.#reader.size)
    for (let at = 0; at < end; ) {
      const item = readItem(this.#reader, at)
      if (item) onItem(item)
      if (item?.code === PACK) this.learnPack(item)
      else if (item?.header) {
        this.#longest = Math.max(this.#longest, item.length)
        const header = this.#reader.bytes(at, item.header.headerLength).slice()
        this.#habitsOf(item.code).learn(header, packetMask(header, 0, item.header))
      }
      at = item ? at + item.length : nextStartCode(this.#reader, at + 1, end)
    }
  }

  /** Whether a start code stands at `at`, or stood there before a bit or two were hit. */
  wasStart(at: number): boolean {
    return this.#search.wasStart(at)
  }

  learnPack(item: Item): void {
    // nearly all packs differ in nothing but their clocks
    const rate = packRate(this.#reader, item)
    this.#alike = rate === this.#rate ? this.#alike + 1 : 1
    this.#rate = rate
    if (this.#alike > HABIT) return
    this.#packHabits.learn(this.#reader.bytes(item.offset, item.length), packMask(item))
  }

  /**
   * Whether an item's header keeps to the syntax, but was hit: where a pack would end the next item begins; or others of its
   * stream have other flags, and its data are no stuffing or it is of the other MPEG system.
   */
  isHit({ code, offset, length, header }: Item, packLength: number): boolean {
    if (length !== packLength && this.#isTurnedPack(code, offset, packLength)) return true
    if (!header) return false
    const habits = this.#habitsOf(code)
    if (habits.takeUsual(this.#reader, offset, header.headerLength)) {
      if (!isBare(code)) this.#firstSystem ??= header.mpeg1
      return false
    }
    const bytes = this.#reader.bytes(offset, header.headerLength)
    const isOfOther = this.#firstSystem !== undefined && this.#firstSystem !== header.mpeg1
    if (habits.isStrange(bytes) && (isOfOther || !isFilled(bytes, 0, header))) return true
    if (!isBare(code)) this.#firstSystem ??= header.mpeg1
    habits.learn(bytes, packetMask(bytes, 0, header))
    return false
  }

  /** Mends the header at `at`, whose length has to lead to the next item; that of a pack is that of the last one. */
  mend(at: number, packLength: number): MendedHeader | undefined {
    if (!this.wasStart(at)) return undefined
    const head = this.#reader.bytes(at, LONGEST_HEADER).slice()
    if (head.length < PREFIX_BYTES) return undefined
    const code = head[3]
    const isPack = code === PACK || this.#isTurnedPack(code, at, packLength)
    if (isPack) return this.#mendPack(at, head, packLength)
    const hit = this.#hitPacket(at)
    if (!hit) return undefined
    const { id, length } = hit
    const whole = head.slice()
    whole.set([0, 0, 1, id])
    whole.set(lengthField(length), 4)
    whole.set(this.#habitsOf(id).mend(whole) ?? [])
    // this needs no habit
    if (this.#firstSystem !== undefined && parsePacketHeader(whole, 0)?.mpeg1 !== this.#firstSystem)
      whole.set(withTurnedBit(whole, this.#firstSystem) ?? [])
    const untimed = parsePacketHeader(whole, 0) ? undefined : this.#untimed(id, whole)
    if (untimed) whole.set(untimed)
    this.#amend(at, head, whole)
    const header = parsePacketHeader(whole, 0)
    const isWhole = header && header.headerLength <= length
    const item = isWhole ? { code: id, offset: at, length, header } : undefined
    return { end: at + length, item, id, isUntimed: untimed !== undefined }
  }

  /** A header whose time stamps alone break the syntax, without them. */
  #untimed(id: number, head: Uint8Array): Uint8Array | undefined {
    const timed = this.#habitsOf(id).withStamps(head)
    return timed ? withoutStamps(timed) : withoutHitStamps(head)
  }

  /** Whether one bit makes an id that of a pack, and where a pack would end the next item begins. */
  #isTurnedPack(code: number, at: number, packLength: number): boolean {
    const isNear = bitsIn(code ^ PACK) === 1 && packLength > 0
    return isNear && this.#isItem(at + packLength)
  }

  /** Whether an item is at `at`, or a packet of a known stream whose header was hit and whose length leads to another. */
  #isItem(at: number): boolean {
    return readItem(this.#reader, at) !== undefined || this.#hitPacket(at) !== undefined
  }

  /** A packet whose start code and length were hit in no more than two bits and none: its stream, and how long it is. */
  #hitPacket(at: number): { readonly id: number; readonly length: number } | undefined {
    if (!this.wasStart(at)) return undefined
    const length = this.#lengthOf(at)
    if (length === 0) return undefined
    const code = this.#reader.u8(at + 3)
    const id = this.#streams.has(code) ? code : this.#streams.near(code)
    return id < 0 ? undefined : { id, length }
  }

  /**
   * The bytes of a packet up to the next item; 0 where it leads to none. Of one that is longer than all others, and reaches over
   * items, it is the way to the first of them, where one turned bit makes its length that.
   */
  #lengthOf(at: number): number {
    const length = PREFIX_BYTES + this.#reader.u16(at + 4)
    if (length <= PREFIX_BYTES || !this.#search.leads(at + length)) return 0
    if (length <= this.#longest) return length
    const end = Math.min(at + length, this.#reader.size, at + this.#left)
    let inside = nextStartCode(this.#reader, at + PREFIX_BYTES, end)
    while (inside < end && !this.#search.isAnchor(inside))
      inside = nextStartCode(this.#reader, inside + 3, end)
    this.#left -= Math.min(inside, end) - at
    if (inside >= end) return length
    return isHitLength(length, inside - at) ? inside - at : 0
  }

  #mendPack(at: number, head: Uint8Array, length: number): MendedHeader | undefined {
    if (length === 0 || !this.#isItem(at + length)) return undefined
    const whole = this.#packHabits.mend(head)
    if (!whole) return undefined
    this.#amend(at, head, whole)
    const { clock } = readItem(new ByteReader(new MemorySource(whole)), 0) ?? {}
    return {
      end: at + length,
      item: { code: PACK, offset: at, length, ...(clock === undefined ? {} : { clock }) },
      id: PACK,
      isUntimed: false,
    }
  }

  /** Writes those bytes of a header that were hit. */
  #amend(at: number, head: Uint8Array, whole: Uint8Array): void {
    this.#findings.add(headerHit(at, whole[3] === PACK ? 'pack' : 'packet'))
    for (const [place, byte] of turnedBytes(head, whole))
      this.#edits.replace(at + place, 1, Uint8Array.of(byte))
  }

  #habitsOf(id: number): HeaderHabits {
    const known = this.#habits.get(id)
    if (known) return known
    const made = new HeaderHabits()
    this.#habits.set(id, made)
    return made
  }
}
