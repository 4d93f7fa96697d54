import type { Edits } from '../../../bytes/edits.ts'
import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Findings } from '../../../model/finding.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SampleTable } from '../../../model/sample-table.ts'
import { isFilled, packetMask, turnedBytes } from '../../../recording/header-habits.ts'
import { delayOf } from '../../../recording/mend-stamps.ts'
import { SoundHeaders } from '../../../recording/sound-headers.ts'
import {
  isPacketStart,
  type PacketHeader,
  PREFIX_BYTES,
  parsePacketHeader,
} from '../../../syntax/pes/packet-header.ts'
import { isVideoId } from '../../../syntax/pes/stream-ids.ts'
import { CLOCK, ticksBetween, WRAP } from '../../../syntax/pes/time-stamp.ts'
import { headerHit, lateStart, packetStartHit, soundHeaderHit } from '../findings.ts'
import { adoptPicture, openersOf } from '../mend/pictures.ts'
import { mendSound } from '../mend/sound.ts'
import { isStuffed } from './adaptation.ts'
import type { Discontinuities } from './discontinuities.ts'
import { type Layout, PACKET_BYTES } from './packet.ts'
import { MOST_BEHIND, type PidStream } from './stream.ts'

/** Farther apart than this no two decoding times of one stream are, in ticks. */
const FAR = 60 * CLOCK

/** Puts the payloads of each stream together to PES packets: where they begin, their times, what of them is missing. */
export class PesPackets {
  readonly #reader: ByteReader
  readonly #layout: Layout
  readonly #limits: Limits
  readonly #findings: Findings
  readonly #edits: Edits
  readonly #breaks: Discontinuities
  /** Streams that have begun. */
  #count = 0
  /** Decoding time seen last in any stream; NaN before. */
  #clock = Number.NaN

  constructor(
    reader: ByteReader,
    layout: Layout,
    limits: Limits,
    findings: Findings,
    edits: Edits,
    breaks: Discontinuities,
  ) {
    this.#reader = reader
    this.#layout = layout
    this.#limits = limits
    this.#findings = findings
    this.#edits = edits
    this.#breaks = breaks
  }

  /** Takes the payload of a packet whose stream has begun: it begins a PES packet or goes on with one. */
  take(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    const begin = at + start
    const unit = (bytes[at + 1] & 0x40) !== 0
    const code = hasCode(bytes, begin, start)
    if (unit && code && this.#isSpoiled(stream, bytes.subarray(begin, at + PACKET_BYTES)))
      this.#dropBegin(stream, offset)
    else if (unit && code) this.begin(stream, bytes, at, offset, start)
    else if (unit) this.#lostStart(stream, bytes, at, offset, start)
    else if (code && bytes[begin + 3] === stream.streamId && this.#isBegin(stream, bytes, begin)) {
      this.#findings.add(headerHit(offset, 'unit start indicator'))
      this.#edits.replace(offset + this.#layout.lead + 1, 1, Uint8Array.of(bytes[at + 1] | 0x40))
      this.begin(stream, bytes, at, offset, start)
    } else this.#append(stream, bytes, at, offset, start)
  }

  /** The file is over; `cut` where it does not end with a whole packet. */
  finish(stream: PidStream, cut: boolean): void {
    stream.sound?.interrupt()
    this.#settle(stream, -1, Number.NaN, cut)
  }

  /** A stream was none: its packets are another's. */
  forget(stream: PidStream): void {
    if (stream.table) this.#count--
  }

  /** Whether a start code in a packet that claims to start nothing starts a PES packet. */
  #isBegin(stream: PidStream, bytes: Uint8Array, begin: number): boolean {
    const header = parsePacketHeader(bytes, begin)
    return header !== undefined && header.pts >= 0 && (stream.ended || stream.hurtAt >= 0 || stream.isFull)
  }

  /** Whether foreign bytes follow the start code of a packet of pictures: it has no header, and no picture begins in it. */
  #isSpoiled({ streamId, habits }: PidStream, bytes: Uint8Array): boolean {
    if (!isVideoId(streamId) || parsePacketHeader(bytes, 0) || habits.mend(bytes)) return false
    return nextCode(bytes, PREFIX_BYTES) === bytes.length
  }

  /** Nothing plays a PES packet without its beginning: players would give its pictures to the one before. */
  #dropBegin(stream: PidStream, offset: number): void {
    this.#findings.add(packetStartHit(stream.pid, offset))
    this.#edits.drop(offset, this.#layout.size)
    if (!stream.ended && !stream.isFull) stream.damage()
    if (stream.beginless < 0) stream.beginless = offset
  }

  /** A unit start without a start code: the code was hit, or the indicator. */
  #lostStart(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    const begin = at + start
    const { lead } = this.#layout
    if (bytes[begin + 3] === stream.streamId || (stream.ended && bytes[begin + 2] === 1)) {
      const whole = Uint8Array.of(0, 0, 1, stream.streamId)
      this.#findings.add(packetStartHit(stream.pid, offset))
      this.#edits.replace(offset + lead + start, 4, whole)
      const mended = bytes.slice(at, at + PACKET_BYTES)
      mended.set(whole, start)
      this.begin(stream, mended, 0, offset, start)
      return
    }
    if (stream.ended || stream.isFull) {
      this.#findings.add(packetStartHit(stream.pid, offset))
      this.#append(stream, bytes, at, offset, start)
      return
    }
    this.#findings.add(headerHit(offset, 'unit start indicator'))
    this.#edits.replace(offset + lead + 1, 1, Uint8Array.of(bytes[at + 1] & 0xbf))
    this.#append(stream, bytes, at, offset, start)
  }

  /** A PES packet begins. @throws LimitError when its stream is one too many. */
  begin(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    const begin = at + start
    const header = this.#readHeader(stream, bytes.subarray(begin, at + PACKET_BYTES), offset, start)
    if (!stream.table) {
      if (++this.#count > this.#limits.tracks)
        throw new LimitError(`more than ${this.#limits.tracks} streams`)
      stream.table = new SampleTable(this.#limits.samplesPerTrack, this.#reader.size)
      stream.streamId = bytes[begin + 3]
    }
    const dts = header && header.dts >= 0 ? this.#unwrap(stream, header.dts) : Number.NaN
    this.#settle(stream, offset, dts)
    const isBehind = stream.hurtAt === offset || stream.beginless >= 0
    const flags = isBehind ? SAMPLE_AFTER_HOLE : 0
    stream.row = stream.table.push(offset, 0, 1, 0, 0, flags)
    stream.table.dts[stream.row] = dts
    if (header && header.pts >= 0) stream.table.cts[stream.row] = delayOf(header.dts, header.pts)
    const headerLength = header?.headerLength ?? 9
    const claimed = (bytes[begin + 4] << 8) | bytes[begin + 5]
    stream.claimed = claimed === 0 ? 0 : Math.max(0, claimed + 6 - headerLength)
    stream.received = PACKET_BYTES - start - headerLength
    stream.hurtAt = -1
    stream.beginless = -1
    stream.behind = []
    stream.islands = []
    stream.tears.clear()
    stream.jumps = []
    stream.before.length = 0
    if (!isVideoId(stream.streamId)) stream.before.push(offset)
    stream.ended = start > 4 && isStuffed(bytes, at)
    learnOpeners(stream, bytes.subarray(begin + headerLength, at + PACKET_BYTES))
    this.#follow(stream, bytes, at, offset, start + headerLength)
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
      if (!header && bytes[6] >> 6 !== 2) this.#findings.add(packetStartHit(pid, offset))
      return header
    }
    this.#findings.add(packetStartHit(pid, offset))
    for (const [place, byte] of turnedBytes(bytes, mended))
      this.#edits.replace(offset + this.#layout.lead + start + place, 1, Uint8Array.of(byte))
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
    if (stream.beginless >= 0) {
      this.#edits.drop(offset, this.#layout.size)
      return
    }
    if (stream.received === 0 && stream.hurtAt < 0)
      learnOpeners(stream, bytes.subarray(at + start, at + PACKET_BYTES))
    stream.received += PACKET_BYTES - start
    stream.ended = start > 4 && isStuffed(bytes, at)
    this.#follow(stream, bytes, at, offset, start)
    const list = stream.hurtAt >= 0 || stream.row < 0 ? stream.behind : stream.before
    if ((list === stream.behind || !isVideoId(stream.streamId)) && list.length < MOST_BEHIND)
      list.push(offset)
  }

  /** Follows the frames of sound in the payload of a packet, which begins `start` bytes into it. */
  #follow(stream: PidStream, bytes: Uint8Array, at: number, offset: number, start: number): void {
    if (isVideoId(stream.streamId) || start >= PACKET_BYTES) return
    stream.sound ??= new SoundHeaders((place, byte) => {
      this.#findings.add(soundHeaderHit(stream.pid, place))
      this.#edits.replace(place, 1, Uint8Array.of(byte))
    })
    stream.sound.add(bytes.subarray(at + start, at + PACKET_BYTES), offset + this.#layout.lead + start)
  }

  /**
   * The PES packet in progress is over, the next one begins at `next` (-1: the file is over) and is decoded at `nextDts`. What
   * came behind a hole goes with a PES packet whose beginning was lost when the times say that one was.
   */
  #settle(stream: PidStream, next: number, nextDts: number, cut = false): void {
    const { table, row } = stream
    if (!table) return
    if (row < 0) {
      if (stream.behind.length > 0) this.#findings.add(lateStart(stream.pid))
      if (this.#mendSound(stream, next, nextDts)) return
      for (const offset of stream.behind) this.#edits.drop(offset, this.#layout.size)
      for (const offset of stream.jumps) this.#breaks.flag(offset)
      return
    }
    table.size[row] = Math.max(0, stream.received)
    if (stream.beginless >= 0) {
      stream.jumps = stream.jumps.filter((offset) => offset < stream.beginless)
      if (next >= 0) stream.jumps.push(next)
    }
    const ticks = nextDts - table.dts[row]
    if (stream.hurtAt < 0) {
      if (stream.claimed > stream.received && next >= 0) {
        table.flags[row] |= SAMPLE_DAMAGED
        stream.short++
      }
      if (cut && stream.claimed > stream.received && this.#mendSound(stream, next, nextDts)) return
      if (ticks > 0 && stream.beginless < 0) stream.step = ticks
      for (const offset of stream.jumps) this.#breaks.flag(offset)
      return
    }
    if (this.#mendSound(stream, next, nextDts)) return
    const dropped = stream.beginless >= 0 ? 1 : 0
    const skipped = stream.step > 0 && ticks > 0 ? Math.round(ticks / stream.step) - 1 - dropped : 0
    const orphaned = next >= 0 && stream.hurtAt < next && skipped > 0 && isVideoId(stream.streamId)
    if (orphaned && this.#adoptPicture(stream, nextDts)) return
    if (orphaned && stream.behind.length < MOST_BEHIND) {
      for (const offset of stream.behind) this.#edits.drop(offset, this.#layout.size)
      stream.jumps = stream.jumps.filter((offset) => offset < stream.hurtAt)
      stream.jumps.push(next)
    }
    for (const offset of stream.jumps) this.#breaks.flag(offset)
  }

  /**
   * Keeps a picture that begins behind the hole in the PES packet in progress, right in front of the next one: where that packet
   * leaves its length open, so that it may hold both.
   */
  #adoptPicture(stream: PidStream, nextDts: number): boolean {
    const { table, behind, hurtAt, openers, claimed, tears } = stream
    const isTorn = [...tears.keys()].some((offset) => offset >= hurtAt)
    const isOpen = claimed === 0 && !isTorn && behind.length < MOST_BEHIND
    if (!table || !isOpen || openers.length === 0) return false
    const adopted = adoptPicture(this.#reader, this.#layout, this.#edits, behind, openers)
    if (!adopted) return false
    const { offset, size, isTrimmed } = adopted
    const row = table.push(offset, size, 1, 0, 0, SAMPLE_AFTER_HOLE)
    table.dts[row] = nextDts - stream.step
    for (const jump of stream.jumps) if (jump < hurtAt) this.#breaks.flag(jump)
    if (isTrimmed) this.#breaks.announce(offset)
    else this.#breaks.flag(offset)
    return true
  }

  /** Leaves whole frames of sound around a hole in the PES packet in progress. Says whether that is done. */
  #mendSound(stream: PidStream, next: number, nextDts: number): boolean {
    const { table, row, pid, streamId, before, behind, islands, tears } = stream
    if (!table || isVideoId(streamId) || before.length + behind.length === 0) return false
    if (behind.length >= MOST_BEHIND || before.length >= MOST_BEHIND) return false
    const codec = stream.sound?.codec
    const usual = stream.sound?.usual ?? new Uint8Array(0)
    const isJoined = next >= 0 && !stream.jumps.some((offset) => offset > behind[0])
    const wound = {
      pid,
      streamId,
      codec,
      usual,
      before,
      behind,
      islands,
      tears,
      next: isJoined ? nextDts : Number.NaN,
      nextAt: next,
      earliest: row >= 0 && stream.step > 0 ? Math.max(table.dts[row], nextDts - stream.step) : Number.NaN,
    }
    const mended = mendSound(this.#reader, this.#layout, this.#edits, wound)
    if (!mended) return false
    if (row >= 0) {
      table.size[row] = mended.before
      if (mended.before === 0) table.truncate(row)
    }
    for (const { offset, size, time } of mended.timed) {
      const own = table.push(offset, size, 1, 0, 0, SAMPLE_AFTER_HOLE)
      table.dts[own] = time
    }
    for (const offset of mended.untimed) this.#breaks.announce(offset)
    if (mended.untimed.some((offset) => !(offset >= behind[0]))) stream.untimed = true
    if (behind.length > 0 && !mended.keeps && next >= 0) this.#breaks.flag(next)
    const cut = new Set([behind, ...islands.map(({ packets }) => packets)].map(([first]) => first))
    for (const offset of stream.jumps) if (!cut.has(offset)) this.#breaks.flag(offset)
    return true
  }
}

/** Whether a payload that begins at `begin`, `start` bytes into its packet, begins with a PES packet's start code. */
export function hasCode(bytes: Uint8Array, begin: number, start: number): boolean {
  return bytes[begin] === 0 && start < PACKET_BYTES - 9 && isPacketStart(bytes, begin)
}

/** Learns by which start codes pictures begin from the first bytes of a PES packet's payload. */
function learnOpeners(stream: PidStream, payload: Uint8Array): void {
  if (!isVideoId(stream.streamId)) return
  const openers = openersOf(payload)
  if (openers.length > 0) stream.openers = openers
}
