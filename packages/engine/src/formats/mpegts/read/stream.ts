import { SAMPLE_DAMAGED, type SampleTable } from '../../../model/sample-table.ts'
import type { ClockTable } from '../../../recording/clock-table.ts'
import { HeaderHabits } from '../../../recording/header-habits.ts'
import type { SoundHeaders } from '../../../recording/sound-headers.ts'
import { isVideoId } from '../../../syntax/pes/stream-ids.ts'

/** Packets behind a hole that are remembered of one PES packet: 20 MB of video. */
export const MOST_BEHIND = 110_000

/** A continuity counter that is not what the packet before demands, until the next packet tells whether only it was hit. */
export interface CounterBreak {
  readonly offset: number
  readonly expected: number
  readonly found: number
  /** The PES packet in progress, and whether it was called damaged before. */
  readonly row: number
  readonly damaged: boolean
  /** `hurtAt` before. */
  readonly hurtAt: number
}

/** A packet that was torn: how many of its bytes are its own, and how many of the file it takes. */
export interface Tear {
  readonly length: number
  readonly room: number
}

/** Stretches between holes in one PES packet that are remembered. */
const MOST_ISLANDS = 64

/** Packets of sound between two holes in one PES packet. */
export interface Island {
  readonly packets: number[]
  /** Packets that the hole behind it took, as the counter tells: modulo its turn. Undefined where that may be hit. */
  readonly lost: number | undefined
}

/** One PID on the way through the file. */
export class PidStream {
  readonly pid: number
  packets = 0
  scrambled = 0
  /** Of the last packet with a payload; -1 where any may follow. */
  counter = -1
  /** Counter of the first packet with a payload; -1 before. */
  first = -1
  /** Where the last packet with a payload begins; -1 before the first. */
  last = -1
  /** Of the gaps seen so far, how many lie in front of the last packet. */
  gaps = 0
  /** Adaptation fields that are some, and that cannot be. */
  fields = 0
  noFields = 0
  /** The last payload ends before its packet by design: the PES packet is over. */
  ended = false
  break: CounterBreak | undefined
  breaks = 0
  /** PES packets, once one began: offset of the first transport packet, payload bytes, unwrapped times of 90 kHz. */
  table: SampleTable | undefined
  streamId = 0
  readonly habits = new HeaderHabits()
  /** Row of the PES packet in progress; -1 in front of the first. */
  row = -1
  /** Payload bytes the PES packet in progress claims; 0 when it leaves that open. */
  claimed = 0
  received = 0
  /** PES packets shorter than they claim although nothing is missing. */
  short = 0
  /** Offset of the first packet behind the last hole in the PES packet in progress; -1 when there is none. */
  hurtAt = -1
  /** Offset of a packet that a PES packet begun in, though nothing of it is left: all of it goes. -1 when there is none. */
  beginless = -1
  /** Packets from `hurtAt` on, or those in front of the first PES packet. */
  behind: number[] = []
  /** Packets of the PES packet in progress up to the hole, for sound alone. */
  before: number[] = []
  /** What lies between the holes in the PES packet in progress, for sound alone. */
  islands: Island[] = []
  /** Packets of the PES packet in progress that were torn, by their offsets. */
  readonly tears = new Map<number, Tear>()
  /** Frames of sound are kept whose times nothing tells. */
  untimed = false
  /** Start codes by which pictures begin, as the last PES packet shows that began with one. */
  openers: readonly number[] = []
  /** Where the counter jumps within the PES packet in progress. */
  jumps: number[] = []
  /** Decoding time of the last PES packet that has one; NaN before. */
  dts = Number.NaN
  /** Decoding time seen last that is far from `dts`: unless the next one is near it, it was hit. */
  farDts = Number.NaN
  /** Clock references, once there is one: where they stand, and their unwrapped times of 90 kHz. */
  clocks: ClockTable | undefined
  /** Ticks between the last two whole ones; 0 before. */
  step = 0

  /**
   * Other streams with whose PIDs one turned bit makes this one's; undefined until it is asked for, and where it may have
   * changed.
   */
  near: readonly PidStream[] | undefined

  /** Follows the frames of sound, once there are some. */
  sound: SoundHeaders | undefined

  constructor(pid: number) {
    this.pid = pid
  }

  /** The PES packet in progress has all the bytes it claims. */
  get isFull(): boolean {
    return this.claimed > 0 && this.received >= this.claimed
  }

  /** Packets are missing in front of the one at `offset`: `lost` as the counter tells, undefined where that may be hit. */
  hole(offset: number, lost: number | undefined): void {
    const packets = this.behind
    const held = this.islands.reduce((sum, island) => sum + island.packets.length, packets.length)
    const isSound = this.row >= 0 && !isVideoId(this.streamId)
    if (isSound && packets.length > 0) {
      if (held < MOST_BEHIND && this.islands.length < MOST_ISLANDS) this.islands.push({ packets, lost })
      else this.untimed = true
    }
    this.hurtAt = offset
    this.behind = []
  }

  /** There was no hole in front of the packets behind it: the one before it is at `hurtAt`. */
  unhole(hurtAt: number): void {
    this.hurtAt = hurtAt
    if (isVideoId(this.streamId)) return
    const packets = hurtAt < 0 ? this.before : (this.islands.pop()?.packets ?? [])
    packets.push(...this.behind)
    this.behind = hurtAt < 0 ? [] : packets
  }

  /** A packet was torn. */
  tear(offset: number, tear: Tear): void {
    if (this.tears.size < MOST_BEHIND) this.tears.set(offset, tear)
  }

  /** Something of the PES packet in progress is missing or was hit. */
  damage(): void {
    this.sound?.interrupt()
    if (this.table && this.row >= 0) this.table.flags[this.row] |= SAMPLE_DAMAGED
  }
}
