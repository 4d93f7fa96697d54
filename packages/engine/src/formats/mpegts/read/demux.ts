import type { Edits } from '../../../bytes/edits.ts'
import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Findings } from '../../../model/finding.ts'
import { SAMPLE_DAMAGED } from '../../../model/sample-table.ts'
import { ClockTable } from '../../../recording/clock-table.ts'
import { ticksBetween, wrapped } from '../../../syntax/pes/time-stamp.ts'
import { addForeignBytes, headerHit, packetsLost, partialTail, sectionHit, tornPacket } from '../findings.ts'
import { trimmedPacket } from '../write/packets.ts'
import { hidesField } from './adaptation.ts'
import { Arrivals, arrivalOf } from './arrivals.ts'
import { CLOCK_AT, hasClock, readClock } from './clock.ts'
import { Discontinuities } from './discontinuities.ts'
import type { GridVisitor } from './grid.ts'
import { HeaderRepairs, SETTLED, UNCOUNTED } from './header-repairs.ts'
import {
  COUNTERS,
  HEADER_BYTES,
  type Layout,
  NULL_PID,
  PACKET_BYTES,
  payloadStart,
  SYNC_BYTE,
} from './packet.ts'
import { hasCode, PesPackets } from './pes-packets.ts'
import { Strangers } from './strangers.ts'
import { MOST_BEHIND, PidStream } from './stream.ts'
import { nextOf } from './stretch.ts'
import { Tables } from './tables.ts'

/** Packets of a table after which another stream's among them is known: a table has few. */
const SETTLED_TABLE = 3
const PID_BITS = 13
/** Zeros at the end of a packet in front of a gap that show that it reaches into it. */
const TELLING_ZEROS = 8

/** Follows every PID through the packets of a file: what is missing, what was hit, which PES packets there are; tells edits. */
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
  readonly #headers: HeaderRepairs
  readonly #breaks: Discontinuities
  readonly #pes: PesPackets
  #gaps = 0
  /** The last gap may hide more packets than counters count. */
  #wide = false
  /** Packets that it has room for. */
  #room = 0
  #lastOffset = -1
  #lastPid = -1
  /** What the walk has in memory, the packet in hand in it. */
  readonly #sight: { bytes: Uint8Array; offset: number } = { bytes: new Uint8Array(0), offset: 0 }

  constructor(reader: ByteReader, layout: Layout, limits: Limits, findings: Findings, edits: Edits) {
    this.#reader = reader
    this.#layout = layout
    this.#limits = limits
    this.findings = findings
    this.edits = edits
    this.#headers = new HeaderRepairs(layout, findings, edits)
    this.#breaks = new Discontinuities(reader, layout, edits)
    this.#pes = new PesPackets(reader, layout, limits, findings, edits, this.#breaks)
  }

  packet(bytes: Uint8Array, at: number, offset: number): void {
    const pid = ((bytes[at + 1] & 0x1f) << 8) | bytes[at + 2]
    this.#sight.bytes = bytes
    this.#sight.offset = offset + this.#layout.lead - at
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
    if (!stream || stream.counter < 0 || (bytes[at + 3] & 15) !== (stream.counter + 1) % COUNTERS)
      return false
    this.findings.add(headerHit(offset, 'sync byte'))
    this.edits.replace(offset + this.#layout.lead, 1, Uint8Array.of(SYNC_BYTE))
    this.packet(bytes, at, offset)
    return true
  }

  reached(offset: number): void {
    this.edits.reached(offset)
  }

  gap(from: number, to: number, torn: boolean, aligned: boolean): void {
    const { size } = this.#layout
    this.#gaps++
    this.arrivals.interrupt()
    const stream = this.streams[this.#lastPid]
    this.#room = Math.floor((to - from) / size)
    // behind a cut or torn place nobody knows how much is missing
    this.#wide = torn || !aligned || this.#room >= COUNTERS
    if (torn) {
      const length = to - this.#lastOffset
      this.findings.add(tornPacket(this.#lastOffset, length))
      this.#trim(stream, length, length)
      this.end = to
      return
    }
    if (to === this.#reader.size && to - from < size && this.#lastOffset >= 0)
      this.findings.add(partialTail(from, to - from))
    else addForeignBytes(this.findings, this.#reader, [from, to], size)
    if (to === this.#reader.size) this.cut = true
    this.edits.drop(from, to - from)
    if (this.#lastOffset < 0 || !stream) return
    const zeros = isZero(this.#reader, from, from + TELLING_ZEROS) ? this.#zerosBefore(from) : 0
    // a PES packet keeps its length that has all it claims, or of which nothing is missing: a frame cut short would take the
    // next's
    const isWhole = stream.isFull || this.#nextOf(stream, to - size) === (stream.counter + 1) % COUNTERS
    if (zeros >= TELLING_ZEROS && !isWhole) this.#trim(stream, size - zeros, size)
    else if (zeros >= TELLING_ZEROS || (!aligned && to < this.#reader.size)) stream.damage()
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
      this.#pes.finish(stream, this.cut)
    }
  }

  #open(pid: number): PidStream {
    const stream = new PidStream(pid)
    stream.gaps = this.#gaps
    this.#put(pid, stream)
    return stream
  }

  #follow(stream: PidStream, bytes: Uint8Array, at: number, offset: number): void {
    const flags = bytes[at + 3]
    let signalled = false
    let start = 4
    if ((flags & 0xf0) !== 0x10 || (bytes[at + 1] & 0x80) !== 0 || hidesField(bytes, at)) {
      start = this.#headers.read(stream, bytes, at, offset)
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
      if (!signalled && counter === stream.counter && this.#repeats(stream, bytes, at, start)) return
      if (!signalled && this.#isIntruder(stream, counter, offset)) {
        this.#strangers.add({ pid: stream.pid, counter, offset, known: true })
        return
      }
      if (signalled) this.#interrupt(stream)
      else this.#jump(stream, bytes, at, offset, (stream.counter + 1) % COUNTERS)
    } else if (this.#isAnothers(stream, counter, offset)) {
      this.#strangers.add({ pid: stream.pid, counter, offset, known: true })
      return
    } else if (stream.gaps !== this.#gaps && this.#wide && stream.row >= 0) {
      if (this.#hidesTurn(stream)) this.#jump(stream, bytes, at, offset, counter)
      else if (stream.claimed === 0 && !stream.ended) stream.damage()
    }
    stream.gaps = this.#gaps
    stream.counter = counter
    if (stream.first < 0) stream.first = counter
    this.#payload(stream, bytes, at, offset, start)
    stream.last = offset
  }

  #takeClock(stream: PidStream, bytes: Uint8Array, at: number, offset: number): void {
    const clocks = stream.clocks ?? new ClockTable(this.#limits.samplesPerTrack, this.#reader.size)
    stream.clocks = clocks
    const { base } = readClock(bytes, at + CLOCK_AT)
    const last = clocks.length === 0 ? base : clocks.dts[clocks.length - 1]
    clocks.push(offset + this.#layout.lead + CLOCK_AT, last + ticksBetween(wrapped(last), base))
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
    const settled = this.tables.reads(stream.pid) ? SETTLED_TABLE : SETTLED
    const isAgain = counter === stream.counter
    if ((isAgain || stream.packets < settled) && !this.#awaiting(stream, counter, offset)) return false
    const expected = (stream.counter + 1) % COUNTERS
    const next = this.#nextOf(stream, offset)
    // one with the last counter, which is not the last packet again, was hit in nothing but its PID
    return next === expected && (isAgain || next !== (counter + 1) % COUNTERS)
  }

  /**
   * Whether a packet with the counter that is due came by another PID: it is the one missing there, and its counter comes again.
   */
  #isAnothers(stream: PidStream, counter: number, offset: number): boolean {
    const owner = this.#awaiting(stream, counter, offset)
    if (!owner || this.#nextOf(stream, offset) !== counter) return false
    return this.#nextOf(owner, offset) === (counter + 1) % COUNTERS
  }

  #nextOf({ pid }: PidStream, offset: number): number {
    return nextOf(this.#reader, this.#layout, pid, offset, this.#sight)
  }

  /**
   * A stream one turned bit from whose PID is that of `stream`, whose next packet is to have this counter and, if it is new, goes
   * on behind.
   */
  #awaiting(stream: PidStream, counter: number, offset: number): PidStream | undefined {
    stream.near ??= this.#nearOf(stream.pid)
    for (const other of stream.near) {
      if (other.packets < SETTLED_TABLE || (other.counter + 1) % COUNTERS !== counter) continue
      if (other.packets >= SETTLED || this.#nextOf(other, offset) === (counter + 1) % COUNTERS) return other
    }
    return undefined
  }

  /** The streams with whose PIDs one turned bit makes `pid`. */
  #nearOf(pid: number): PidStream[] {
    const near: PidStream[] = []
    for (let bit = 1; bit < 1 << PID_BITS; bit <<= 1) {
      const other = this.streams[pid ^ bit]
      if (other) near.push(other)
    }
    return near
  }

  /** The stream of a PID is another from now on, or there is none. */
  #put(pid: number, stream: PidStream | undefined): void {
    this.streams[pid] = stream
    for (const other of this.#nearOf(pid)) other.near = undefined
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
          this.#put(stranger.pid, undefined)
          this.#pes.forget(other)
        }
        this.#adopt(stream, stranger.offset)
        return
      }
    }
    const row = stream.row
    const damaged = row >= 0 && ((stream.table?.flags[row] ?? 0) & SAMPLE_DAMAGED) !== 0
    stream.break = { offset, expected, found, row, damaged, hurtAt: stream.hurtAt }
    stream.damage()
    // within a PES packet the next counter tells whether this one was hit, before what lies in front of it is mended
    const isHole = stream.gaps !== this.#gaps || (bytes[at + 1] & 0x40) === 0
    stream.hole(offset, isHole ? (found - expected + COUNTERS) % COUNTERS : undefined)
    stream.ended = false
    this.tables.lose(stream.pid)
  }

  /**
   * Whether the last gap took a whole turn of a stream's counter, which goes on as if nothing were missing: with its share of the
   * packets that is likelier than that none was its own.
   */
  #hidesTurn({ packets }: PidStream): boolean {
    return (this.#room * packets) / this.packets >= COUNTERS / 2
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
    this.#headers.setControl(offset, (control & 0xf0) | expected)
    if (row >= 0 && !damaged && stream.table) stream.table.flags[row] &= ~SAMPLE_DAMAGED
    if (stream.row === row) stream.unhole(hurtAt)
    stream.counter = expected
  }

  #confirm(stream: PidStream, { offset }: NonNullable<PidStream['break']>): void {
    stream.breaks++
    this.findings.add(packetsLost(stream.pid, offset))
    if (stream.row < 0) this.#breaks.flag(offset)
    else if (stream.hurtAt >= offset || stream.hurtAt < 0) stream.jumps.push(offset)
    else this.#breaks.flag(offset)
  }

  /** The writer says that what follows does not join. */
  #interrupt(stream: PidStream): void {
    stream.sound?.interrupt()
    this.tables.lose(stream.pid)
    if (stream.break) this.#confirm(stream, stream.break)
    stream.break = undefined
    stream.counter = -1
    stream.claimed = 0
    stream.ended = true
  }

  #payload(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    if (start >= PACKET_BYTES) return
    if (stream.table) {
      this.#pes.take(stream, bytes, at, offset, start)
      return
    }
    const begin = at + start
    const unit = (bytes[at + 1] & 0x40) !== 0
    const code = hasCode(bytes, begin, start)
    if (unit && code && !this.tables.reads(stream.pid)) {
      if (stream.packets === 1) this.#meet(stream, offset)
      this.#pes.begin(stream, bytes, at, offset, start)
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

  /** Zeros in front of an offset, up to a packet's payload. */
  #zerosBefore(offset: number): number {
    const bytes = this.#reader.bytes(offset - PACKET_BYTES, PACKET_BYTES)
    let zeros = 0
    while (zeros < bytes.length && bytes[bytes.length - 1 - zeros] === 0) zeros++
    return zeros
  }

  /** Of the last packet, `room` bytes of the file with its arrival time, only the first `length` are its own. */
  #trim(stream: PidStream | undefined, length: number, room: number): void {
    stream?.tear(this.#lastOffset, { length, room })
    const bytes = this.#reader.bytes(this.#lastOffset, length).slice()
    const trimmed = trimmedPacket(bytes, this.#layout)
    if (trimmed) this.edits.replace(this.#lastOffset, room, trimmed)
    else this.edits.drop(this.#lastOffset, room)
    stream?.damage()
  }
}
