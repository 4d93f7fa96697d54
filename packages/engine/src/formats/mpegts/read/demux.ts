import type { Edits } from '../../../bytes/edits.ts'
import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Findings } from '../../../model/finding.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SampleTable } from '../../../model/sample-table.ts'
import { isFilled, packetMask, turnedBytes } from '../../../recording/header-habits.ts'
import { delayOf } from '../../../recording/mend-stamps.ts'
import { isPacketStart, type PacketHeader, parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isVideoId } from '../../../syntax/pes/stream-ids.ts'
import { CLOCK, ticksBetween, WRAP } from '../../../syntax/pes/time-stamp.ts'
import {
  foreignBytes,
  headerHit,
  lateStart,
  packetStartHit,
  packetsLost,
  partialTail,
  sectionHit,
  tornPacket,
} from '../findings.ts'
import { mendSound } from '../mend/sound.ts'
import { discontinuityPacket, trimmedPacket } from '../write/packets.ts'
import { hidesField, isHitField, isStuffed, lacksField, mendedField } from './adaptation.ts'
import { ARRIVAL_BITS, Arrivals } from './arrivals.ts'
import { CLOCK_AT, hasClock, readClock } from './clock.ts'
import type { GridVisitor } from './grid.ts'
import { HEADER_BYTES, type Layout, NULL_PID, PACKET_BYTES, payloadStart, SYNC_BYTE } from './packet.ts'
import { Strangers } from './strangers.ts'
import { PidStream } from './stream.ts'
import { nextOf } from './stretch.ts'
import { Tables } from './tables.ts'

/** Packets behind a hole that are remembered of one PES packet: 20 MB of video. */
const MOST_BEHIND = 110_000
/** Counters repeat after so many packets. */
const COUNTERS = 16
/** Zeros at the end of a packet in front of a gap that show that it reaches into it. */
const TELLING_ZEROS = 8
/** Instead of the start of a payload: the packet has none, so that the counter does not count it. */
const UNCOUNTED = -1
/** Farther apart than this no two decoding times of one stream are, in ticks. */
const FAR = 60 * CLOCK
/** Adaptation fields that are some, for one that is none, from which that was hit. */
const FEW = 16
/** Packets after which a PID's habits are known. */
const SETTLED = 64

/**
 * Follows every PID through the packets of a file: what is missing, what was hit, which PES packets there are. Tells findings, and what
 * to change as edits.
 */
export class Demux implements GridVisitor {
  readonly streams: (PidStream | undefined)[] = new Array(NULL_PID + 1)
  readonly tables = new Tables()
  readonly arrivals = new Arrivals()
  readonly findings: Findings
  readonly edits: Edits
  /** Where the first packet begins; -1 before. */
  start = -1
  /** End of the last packet. */
  end = 0
  /** The file does not end with a whole packet. */
  cut = false
  /** Packets on the grid. */
  packets = 0
  readonly #layout: Layout
  readonly #reader: ByteReader
  readonly #limits: Limits
  readonly #strangers = new Strangers()
  #tableCount = 0
  #gaps = 0
  /** The last gap may hide more packets than counters count. */
  #wide = false
  #lastOffset = -1
  #lastPid = -1
  /** Decoding time seen last in any stream; NaN before. */
  #clock = Number.NaN

  constructor(reader: ByteReader, layout: Layout, limits: Limits, findings: Findings, edits: Edits) {
    this.#reader = reader
    this.#layout = layout
    this.#limits = limits
    this.findings = findings
    this.edits = edits
  }

  packet(bytes: Uint8Array, at: number, offset: number): void {
    const pid = ((bytes[at + 1] & 0x1f) << 8) | bytes[at + 2]
    this.packets++
    if (this.#layout.lead > 0) this.arrivals.take(arrivalOf(bytes, at - this.#layout.lead), offset)
    if (this.start < 0) this.start = offset
    this.end = offset + this.#layout.size
    this.#lastOffset = offset
    this.#lastPid = pid
    if (pid === NULL_PID) return
    const stream = this.streams[pid] ?? this.#open(pid)
    stream.packets++
    this.#follow(stream, bytes, at, offset)
  }

  spoiled(bytes: Uint8Array, at: number, offset: number): boolean {
    const pid = ((bytes[at + 1] & 0x1f) << 8) | bytes[at + 2]
    const stream = this.streams[pid]
    const counter = bytes[at + 3] & 15
    if (!stream || stream.counter < 0 || counter !== (stream.counter + 1) % COUNTERS) return false
    this.findings.add(headerHit(offset, 'sync byte'))
    this.edits.replace(offset + this.#layout.lead, 1, Uint8Array.of(SYNC_BYTE))
    this.packet(bytes, at, offset)
    return true
  }

  gap(from: number, to: number, torn: boolean, aligned: boolean): void {
    const { size } = this.#layout
    this.#gaps++
    this.arrivals.interrupt()
    const stream = this.streams[this.#lastPid]
    const lost = Math.floor((to - from) / size)
    // behind a cut or torn place nobody knows how much is missing
    this.#wide = torn || !aligned || lost >= COUNTERS
    if (torn) {
      const length = to - this.#lastOffset
      this.findings.add(tornPacket(this.#lastOffset, length))
      this.#trim(stream, length, length)
      this.end = to
      return
    }
    if (to === this.#reader.size && to - from < size && this.#lastOffset >= 0)
      this.findings.add(partialTail(from, to - from))
    else this.findings.add(foreignBytes(from, to - from, size))
    if (to === this.#reader.size) this.cut = true
    this.edits.drop(from, to - from)
    if (this.#lastOffset < 0 || !stream) return
    const zeros = isZero(this.#reader, from, from + TELLING_ZEROS) ? this.#zerosBefore(from) : 0
    if (zeros >= TELLING_ZEROS) this.#trim(stream, size - zeros, size)
    else if (!aligned && to < this.#reader.size && stream.row >= 0) this.#damage(stream)
  }

  /** All packets were seen. */
  finish(): void {
    for (const { offset, known } of this.#strangers.kept) {
      if (!known) continue
      this.findings.add(headerHit(offset, 'PID'))
      this.edits.drop(offset, this.#layout.size)
    }
    this.arrivals.interrupt()
    for (const stream of this.streams) {
      if (!stream) continue
      if (stream.break) this.#confirm(stream, stream.break)
      this.#settle(stream, -1, Number.NaN)
    }
  }

  #open(pid: number): PidStream {
    const stream = new PidStream(pid)
    stream.gaps = this.#gaps
    this.streams[pid] = stream
    return stream
  }

  #follow(stream: PidStream, bytes: Uint8Array, at: number, offset: number): void {
    const flags = bytes[at + 3]
    let signalled = false
    let start = 4
    if ((flags & 0xf0) !== 0x10 || (bytes[at + 1] & 0x80) !== 0 || hidesField(bytes, at)) {
      start = this.#unusual(stream, bytes, at, offset)
      signalled = (flags & 0x20) !== 0 && bytes[at + 4] > 0 && (bytes[at + 5] & 0x80) !== 0
      if (start !== HEADER_BYTES && hasClock(bytes, at)) this.#takeClock(stream, bytes, at, offset)
      if (start === UNCOUNTED) {
        if (signalled) this.#interrupt(stream)
        return
      }
    }
    const counter = flags & 15
    const expected = (stream.counter + 1) % COUNTERS
    if (stream.break) {
      const { break: suspect } = stream
      stream.break = undefined
      if (counter === (suspect.expected + 1) % COUNTERS && counter !== expected) this.#refute(stream, suspect)
      else this.#confirm(stream, suspect)
    }
    if (counter !== (stream.counter + 1) % COUNTERS && stream.counter >= 0) {
      if (!signalled && this.#isIntruder(stream, counter, offset)) {
        this.#strangers.add({ pid: stream.pid, counter, offset, known: true })
        return
      }
      if (!signalled && counter === stream.counter && this.#repeats(stream, bytes, at, start)) return
      if (signalled) this.#interrupt(stream)
      else this.#jump(stream, bytes, at, offset, (stream.counter + 1) % COUNTERS)
    } else if (
      stream.gaps !== this.#gaps &&
      this.#wide &&
      stream.row >= 0 &&
      stream.claimed === 0 &&
      !stream.ended
    )
      this.#damage(stream)
    stream.gaps = this.#gaps
    stream.counter = counter
    if (stream.first < 0) stream.first = counter
    this.#payload(stream, bytes, at, offset, start)
    stream.last = offset
  }

  #takeClock(stream: PidStream, bytes: Uint8Array, at: number, offset: number): void {
    const clocks = stream.clocks ?? new SampleTable(this.#limits.samplesPerTrack)
    stream.clocks = clocks
    const { base } = readClock(bytes, at + CLOCK_AT)
    const last = clocks.length === 0 ? base : clocks.dts[clocks.length - 1]
    const row = clocks.push(offset + this.#layout.lead + CLOCK_AT, 0, 1, 0, 0, 0)
    clocks.dts[row] = last + ticksBetween(((last % WRAP) + WRAP) % WRAP, base)
  }

  /** Headers of other than plain packets. Returns where the payload begins, 188 where it is empty. */
  #unusual(stream: PidStream, bytes: Uint8Array, at: number, offset: number): number {
    const { lead } = this.#layout
    const flags = bytes[at + 3]
    const fits = stream.counter >= 0 && (flags & 15) === (stream.counter + 1) % COUNTERS
    const control = (flags >> 4) & 3
    if (bytes[at + 1] & 0x80) {
      this.findings.add(headerHit(offset, 'error indicator'))
      if (!fits) {
        this.edits.drop(offset, this.#layout.size)
        return UNCOUNTED
      }
      this.edits.replace(offset + lead + 1, 1, Uint8Array.of(bytes[at + 1] & 0x7f))
      if (stream.row >= 0) this.#damage(stream)
    }
    if (flags & 0xc0) {
      stream.scrambled++
      if (fits && stream.scrambled === 1 && stream.packets > SETTLED) {
        this.findings.add(headerHit(offset, 'scrambling control'))
        this.#setControl(offset, flags & 0x3f)
      }
    }
    const field = bytes[at + 4]
    if (control === 1 && fits && hidesField(bytes, at)) {
      this.findings.add(headerHit(offset, 'adaptation field control'))
      this.#setControl(offset, flags | 0x20)
      return Math.min(PACKET_BYTES, 5 + field)
    }
    const broken = control === 0 || (control === 3 && field > 183) || (control === 2 && field !== 183)
    if (!broken && !this.#lacksField(stream, bytes, at, fits))
      return control === 2 ? UNCOUNTED : this.#fieldEnd(stream, bytes, at, offset)
    if (control === 2 && !fits) return UNCOUNTED
    this.findings.add(headerHit(offset, 'adaptation field control'))
    this.#setControl(offset, (flags & 0x0f) | (control === 2 ? 0x30 : 0x10))
    return control === 2 ? Math.min(PACKET_BYTES, 5 + field) : 4
  }

  /** Where the payload behind an adaptation field begins, which is put right where its stuffing or its length was hit. */
  #fieldEnd(stream: PidStream, bytes: Uint8Array, at: number, offset: number): number {
    if (stream.fields <= stream.noFields * FEW || !isHitField(bytes, at)) return payloadStart(bytes, at)
    this.findings.add(headerHit(offset, 'adaptation field'))
    const field = mendedField(bytes, at)
    if (field) {
      this.edits.replace(offset + this.#layout.lead + HEADER_BYTES, field.length, field)
      return HEADER_BYTES + 1 + field[0]
    }
    // what stands there now belongs to nothing
    this.edits.drop(offset, this.#layout.size)
    if (stream.row >= 0) this.#damage(stream)
    return UNCOUNTED
  }

  /** Whether a packet only claims an adaptation field: what stands there is none, and those of its PID are some. */
  #lacksField(stream: PidStream, bytes: Uint8Array, at: number, fits: boolean): boolean {
    if ((bytes[at + 3] & 0x30) !== 0x30) return false
    const lacks = lacksField(bytes, at)
    if (!lacks) stream.fields++
    return lacks && fits && stream.fields > stream.noFields++ * FEW
  }

  #setControl(offset: number, value: number): void {
    this.edits.replace(offset + this.#layout.lead + 3, 1, Uint8Array.of(value))
  }

  /** Whether the packet is the one before once more, which is allowed, §2.4.3.3. */
  #repeats(stream: PidStream, bytes: Uint8Array, at: number, start: number): boolean {
    const before = this.#reader.bytes(stream.last + this.#layout.lead, PACKET_BYTES)
    if (before.length < PACKET_BYTES || payloadStart(before, 0) !== start) return false
    for (let i = start; i < PACKET_BYTES; i++) if (before[i] !== bytes[at + i]) return false
    return true
  }

  /** Whether a packet came by another PID: the counters of those behind it go on as if it were not there. */
  #isIntruder(stream: PidStream, counter: number, offset: number): boolean {
    if (stream.packets < SETTLED) return false
    const expected = (stream.counter + 1) % COUNTERS
    const next = nextOf(this.#reader, this.#layout, stream.pid, offset)
    return next === expected && next !== (counter + 1) % COUNTERS
  }

  /** The counter is not the next one: packets are missing, or it was hit itself, or one packet went by another PID. */
  #jump(stream: PidStream, bytes: Uint8Array, at: number, offset: number, expected: number): void {
    const found = bytes[at + 3] & 15
    if (found === (expected + 1) % COUNTERS) {
      const stranger = this.#strangers.find(stream.pid, expected, stream.last)
      const other = stranger && this.streams[stranger.pid]
      if (stranger && other) {
        this.#strangers.take(stranger)
        if (other.packets === 1) {
          this.streams[stranger.pid] = undefined
          if (other.table) this.#tableCount--
        }
        this.#adopt(stream, stranger.offset)
        return
      }
    }
    const row = stream.row
    const damaged = row >= 0 && ((stream.table?.flags[row] ?? 0) & SAMPLE_DAMAGED) !== 0
    stream.break = { offset, expected, found, row, damaged, hurtAt: stream.hurtAt }
    if (row >= 0) this.#damage(stream)
    stream.hurtAt = offset
    stream.behind = []
    stream.ended = false
    this.tables.lose(stream.pid)
  }

  /** Takes a packet whose PID was hit for the stream it belongs to. */
  #adopt(stream: PidStream, offset: number): void {
    const { lead } = this.#layout
    const bytes = this.#reader.bytes(offset + lead, PACKET_BYTES).slice()
    bytes[1] = (bytes[1] & 0xe0) | (stream.pid >> 8)
    bytes[2] = stream.pid & 0xff
    this.findings.add(headerHit(offset, 'PID'))
    this.edits.replace(offset + lead + 1, 2, bytes.subarray(1, 3))
    this.#follow(stream, bytes, 0, offset)
  }

  /** The counter of one packet was hit, no packet is missing. */
  #refute(
    stream: PidStream,
    { offset, expected, row, damaged, hurtAt }: NonNullable<PidStream['break']>,
  ): void {
    const control = this.#reader.u8(offset + this.#layout.lead + 3)
    this.findings.add(headerHit(offset, 'continuity counter'))
    this.#setControl(offset, (control & 0xf0) | expected)
    if (row >= 0 && !damaged && stream.table) stream.table.flags[row] &= ~SAMPLE_DAMAGED
    if (stream.row === row) stream.hurtAt = hurtAt
    stream.counter = expected
  }

  #confirm(stream: PidStream, { offset }: NonNullable<PidStream['break']>): void {
    stream.breaks++
    this.findings.add(packetsLost(stream.pid, offset))
    if (stream.row < 0) this.#flag(offset)
    else if (stream.hurtAt >= offset || stream.hurtAt < 0) stream.jumps.push(offset)
    else this.#flag(offset)
  }

  /** Says in front of a packet that its counter may be any. */
  #flag(offset: number): void {
    const { lead, size } = this.#layout
    const bytes = this.#reader.bytes(offset, size).slice()
    if (bytes.length < lead + PACKET_BYTES) return
    if (bytes[lead + 3] & 0x20 && bytes[lead + 4] > 0)
      this.edits.replace(offset + lead + 5, 1, Uint8Array.of(bytes[lead + 5] | 0x80))
    else this.#announce(offset)
  }

  /** Puts a packet in front of another that says so, as that is going to be written anew. */
  #announce(offset: number): void {
    const bytes = this.#reader.bytes(offset, this.#layout.size)
    this.edits.insert(offset, discontinuityPacket(bytes, this.#layout))
  }

  /** The writer says that what follows does not join. */
  #interrupt(stream: PidStream): void {
    this.tables.lose(stream.pid)
    if (stream.break) this.#confirm(stream, stream.break)
    stream.break = undefined
    stream.counter = -1
    stream.claimed = 0
    stream.ended = true
  }

  #damage(stream: PidStream): void {
    if (stream.table && stream.row >= 0) stream.table.flags[stream.row] |= SAMPLE_DAMAGED
  }

  #payload(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    if (start >= PACKET_BYTES) return
    const begin = at + start
    const unit = (bytes[at + 1] & 0x40) !== 0
    const code = bytes[begin] === 0 && start < PACKET_BYTES - 9 && isPacketStart(bytes, begin)
    if (stream.table) {
      if (unit && code) this.#begin(stream, bytes, at, offset, start)
      else if (unit) this.#lostStart(stream, bytes, at, offset, start)
      else if (code && bytes[begin + 3] === stream.streamId && this.#isBegin(stream, bytes, begin)) {
        this.findings.add(headerHit(offset, 'unit start indicator'))
        this.edits.replace(offset + this.#layout.lead + 1, 1, Uint8Array.of(bytes[at + 1] | 0x40))
        this.#begin(stream, bytes, at, offset, start)
      } else this.#append(stream, bytes, at, offset, start)
      return
    }
    if (unit && code && !this.tables.reads(stream.pid)) {
      if (stream.packets === 1) this.#meet(stream, offset)
      this.#begin(stream, bytes, at, offset, start)
      return
    }
    const payload = bytes.subarray(begin, at + PACKET_BYTES)
    if (this.tables.reads(stream.pid)) {
      if (this.tables.take(stream.pid, payload, unit, offset))
        this.findings.add(sectionHit(stream.pid, offset))
      return
    }
    if (unit && this.tables.tryMap(stream.pid, payload, offset)) return
    if (stream.packets === 1) this.#meet(stream, offset)
    if (stream.behind.length < MOST_BEHIND) stream.behind.push(offset)
  }

  #meet({ pid, counter }: PidStream, offset: number): void {
    this.#strangers.add({ pid, counter, offset, known: false })
  }

  /** Whether a start code in a packet that claims to start nothing starts a PES packet. */
  #isBegin(stream: PidStream, bytes: Uint8Array, begin: number): boolean {
    const header = parsePacketHeader(bytes, begin)
    return header !== undefined && header.pts >= 0 && (stream.ended || stream.hurtAt >= 0 || isFull(stream))
  }

  /** A unit start without a start code: the code was hit, or the indicator. */
  #lostStart(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    const begin = at + start
    const { lead } = this.#layout
    if (bytes[begin + 3] === stream.streamId || (stream.ended && bytes[begin + 2] === 1)) {
      const whole = Uint8Array.of(0, 0, 1, stream.streamId)
      this.findings.add(packetStartHit(stream.pid, offset))
      this.edits.replace(offset + lead + start, 4, whole)
      const mended = bytes.slice(at, at + PACKET_BYTES)
      mended.set(whole, start)
      this.#begin(stream, mended, 0, offset, start)
      return
    }
    if (stream.ended || isFull(stream)) {
      this.findings.add(packetStartHit(stream.pid, offset))
      this.#append(stream, bytes, at, offset, start)
      return
    }
    this.findings.add(headerHit(offset, 'unit start indicator'))
    this.edits.replace(offset + lead + 1, 1, Uint8Array.of(bytes[at + 1] & 0xbf))
    this.#append(stream, bytes, at, offset, start)
  }

  #begin(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    const begin = at + start
    const header = this.#readHeader(stream, bytes.subarray(begin, at + PACKET_BYTES), offset, start)
    if (!stream.table) {
      if (++this.#tableCount > this.#limits.tracks)
        throw new LimitError(`more than ${this.#limits.tracks} streams`)
      stream.table = new SampleTable(this.#limits.samplesPerTrack)
      stream.streamId = bytes[begin + 3]
    }
    const dts = header && header.dts >= 0 ? this.#unwrap(stream, header.dts) : Number.NaN
    this.#settle(stream, offset, dts)
    const flags = stream.hurtAt === offset ? SAMPLE_AFTER_HOLE : 0
    stream.row = stream.table.push(offset, 0, 1, 0, 0, flags)
    stream.table.dts[stream.row] = dts
    if (header && header.pts >= 0) stream.table.cts[stream.row] = delayOf(header.dts, header.pts)
    const headerLength = header?.headerLength ?? 9
    const claimed = (bytes[begin + 4] << 8) | bytes[begin + 5]
    stream.claimed = claimed === 0 ? 0 : Math.max(0, claimed + 6 - headerLength)
    stream.received = PACKET_BYTES - start - headerLength
    stream.hurtAt = -1
    stream.behind = []
    stream.jumps = []
    stream.before.length = 0
    if (!isVideoId(stream.streamId)) stream.before.push(offset)
    stream.ended = start > 4 && isStuffed(bytes, at)
    if (Number.isFinite(dts)) this.#trust(stream, dts)
  }

  /** A PES packet's header, with those bits turned back that make it one as the stream has them. */
  #readHeader(
    { pid, habits }: PidStream,
    bytes: Uint8Array,
    offset: number,
    start: number,
  ): PacketHeader | undefined {
    const header = parsePacketHeader(bytes, 0)
    const isWhole = header !== undefined && header.headerLength <= bytes.length
    if (isWhole && !(habits.isStrange(bytes) && !isFilled(bytes, 0, header))) {
      habits.learn(bytes, packetMask(bytes, 0, header))
      return header
    }
    const mended = isWhole || !header ? habits.mend(bytes) : undefined
    if (!mended) {
      if (!header && bytes[6] >> 6 !== 2) this.findings.add(packetStartHit(pid, offset))
      return header
    }
    this.findings.add(packetStartHit(pid, offset))
    for (const [place, byte] of turnedBytes(bytes, mended))
      this.edits.replace(offset + this.#layout.lead + start + place, 1, Uint8Array.of(byte))
    const whole = bytes.slice()
    whole.set(mended)
    return parsePacketHeader(whole, 0)
  }

  #unwrap(stream: PidStream, stamp: number): number {
    const near = Number.isNaN(stream.dts) ? this.#clock : stream.dts
    return Number.isNaN(near) ? stamp : near + ticksBetween(((near % WRAP) + WRAP) % WRAP, stamp)
  }

  /** Times that lie far from those before are believed when two agree: else one was hit, and times around it count. */
  #trust(stream: PidStream, dts: number): void {
    const isFar = Math.abs(dts - stream.dts) > FAR && !(Math.abs(dts - stream.farDts) <= FAR)
    stream.farDts = dts
    if (isFar) return
    stream.dts = dts
    this.#clock = dts
  }

  #append(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    stream.received += PACKET_BYTES - start
    stream.ended = start > 4 && isStuffed(bytes, at)
    const list = stream.hurtAt >= 0 || stream.row < 0 ? stream.behind : stream.before
    if ((list === stream.behind || !isVideoId(stream.streamId)) && list.length < MOST_BEHIND)
      list.push(offset)
  }

  /**
   * The PES packet in progress is over, the next one begins at `next` (-1: the file is over) and is decoded at `nextDts`. What came behind
   * a hole goes with a PES packet whose beginning was lost when the times say that one was.
   */
  #settle(stream: PidStream, next: number, nextDts: number): void {
    const { table, row } = stream
    if (!table) return
    if (row < 0) {
      if (stream.behind.length > 0) this.findings.add(lateStart(stream.pid))
      if (this.#mendSound(stream, next, nextDts)) return
      for (const offset of stream.behind) this.edits.drop(offset, this.#layout.size)
      for (const offset of stream.jumps) this.#flag(offset)
      return
    }
    table.size[row] = Math.max(0, stream.received)
    const ticks = nextDts - table.dts[row]
    if (stream.hurtAt < 0) {
      if (stream.claimed > stream.received && next >= 0) {
        table.flags[row] |= SAMPLE_DAMAGED
        stream.short++
      }
      if (next < 0 && this.cut && stream.claimed > stream.received && this.#mendSound(stream, next, nextDts))
        return
      if (ticks > 0) stream.step = ticks
      for (const offset of stream.jumps) this.#flag(offset)
      return
    }
    if (this.#mendSound(stream, next, nextDts)) return
    const skipped = stream.step > 0 && ticks > 0 ? Math.round(ticks / stream.step) - 1 : 0
    const orphaned = next >= 0 && stream.hurtAt < next && skipped > 0 && isVideoId(stream.streamId)
    if (orphaned && stream.behind.length < MOST_BEHIND) {
      for (const offset of stream.behind) this.edits.drop(offset, this.#layout.size)
      stream.jumps = stream.jumps.filter((offset) => offset < stream.hurtAt)
      stream.jumps.push(next)
    }
    for (const offset of stream.jumps) this.#flag(offset)
  }

  /** Leaves whole frames of sound around a hole in the PES packet in progress. Says whether that is done. */
  #mendSound(stream: PidStream, next: number, nextDts: number): boolean {
    const { table, row, pid, streamId, before, behind } = stream
    const { tornAt, tornLength, tornRoom } = stream
    if (!table || isVideoId(streamId) || before.length + behind.length === 0) return false
    if (behind.length >= MOST_BEHIND || before.length >= MOST_BEHIND) return false
    const torn = { tornAt, tornLength, tornRoom }
    const wound = { pid, streamId, before, behind, ...torn, next: next < 0 ? Number.NaN : nextDts }
    const mended = mendSound(this.#reader, this.#layout, this.edits, wound)
    if (!mended) return false
    if (row >= 0) {
      table.size[row] = mended.before
      if (mended.before === 0) table.truncate(row)
    }
    if (mended.behind) {
      const { offset, size, time } = mended.behind
      const own = table.push(offset, size, 1, 0, 0, SAMPLE_AFTER_HOLE)
      table.dts[own] = time
    } else if (mended.resumes !== undefined && mended.resumes >= 0) this.#announce(mended.resumes)
    else if (behind.length > 0 && next >= 0) this.#flag(next)
    for (const offset of stream.jumps) if (offset !== behind[0]) this.#flag(offset)
    return true
  }

  /** Zeros in front of an offset, up to a packet's payload. */
  #zerosBefore(offset: number): number {
    const bytes = this.#reader.bytes(offset - PACKET_BYTES, PACKET_BYTES)
    let zeros = 0
    while (zeros < bytes.length && bytes[bytes.length - 1 - zeros] === 0) zeros++
    return zeros
  }

  /** Of the last packet, `room` bytes of the file with its arrival time, only the first `length` are its own. */
  #trim(stream: PidStream | undefined, length: number, room: number): void {
    if (stream) {
      stream.tornAt = this.#lastOffset
      stream.tornLength = length
      stream.tornRoom = room
    }
    const bytes = this.#reader.bytes(this.#lastOffset, length).slice()
    const trimmed = trimmedPacket(bytes, this.#layout)
    if (trimmed) this.edits.replace(this.#lastOffset, room, trimmed)
    else this.edits.drop(this.#lastOffset, room)
    if (stream) this.#damage(stream)
  }
}

function arrivalOf(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] & 0x3f) * 2 ** 24 + ((bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3])) %
    ARRIVAL_BITS
  )
}

/** The PES packet in progress has all the bytes it claims. */
function isFull(stream: PidStream): boolean {
  return stream.claimed > 0 && stream.received >= stream.claimed
}
