import type { ByteReader } from '../bytes/reader.ts'
import type { Allowance } from '../model/allowance.ts'

/**
 * What a recogniser says of one coded unit (a picture with its parameter sets and messages, an audio frame).
 * One object is reused over a whole scan, so that carving allocates nothing a unit.
 */
export class Unit {
  /** Bytes from its first to one past its last. */
  length = 0
  /** Bits of structure that checked out: chance offers such bytes once in 2^evidence places. */
  evidence = 0
  /** A decoder can start here. */
  key = false
  /** Nominal duration in `Recogniser.timescale` ticks, 0 when the bitstream does not say. */
  duration = 0
  /**
   * Display order within its coded sequence (ITU-T H.264 PicOrderCnt and its kin), set by `accept`. For codecs
   * without reordering it counts up by `orderStep`.
   */
  order = 0
  /** Set by `accept`: display order starts anew here (IDR, or a recovery point after which older pictures never show). */
  restart = false
  /** Pictures may be left out before it: `accept` saw a gap in the bitstream's own counting; how many units, 0 if none. */
  gap = 0
  /**
   * Not `key`, yet a decoder that starts here shows whole pictures from here on in display order: an H.264 intra picture with
   * a recovery point message (open GOP). Muxers differ on calling these sync samples.
   */
  recovery = false
  /**
   * Set by `accept`: shown before the key picture it follows and made from pictures before that, which are not there
   * (HEVC RASL after a restart, H.264 leading pictures after a hole): decoders leave it out.
   */
  leading = false
  /** Bytes inside contradict the syntax (a zeroed tail), noticed in passing: see `Recogniser.intact` for the thorough look. */
  damaged = false
  /**
   * The bitstream itself gives `length`. False for codecs whose frames carry no length in their container (MPEG-4 part 2,
   * VP9, …): the unit reaches to the next start of a unit, or to `end` when none is seen, and `evidence` is for its start only.
   */
  lengthKnown = true
  /** Where `lengthKnown` is false: bytes that the unit has at least, by what it says of its parts. */
  leastLength = 1
  /** What starts here is not shown by itself: the next picture belongs to the same unit (VP9 superframes). */
  continues = false
  /** Its own parameter sets tell another picture size than the track's: it may belong to another track. */
  otherSize = false
  /** Free for the recogniser between `recognise` and `accept`, e.g. the slice header it parsed. */
  detail: unknown = undefined
}

/** Bytes that are summed for a checksum in the time that it takes to read a head. */
const BYTES_A_LOOK = 128

/** The work of looking for a unit at a place, in heads read: what was recognised may have been summed to its last byte. */
export function looksOf(recognised: boolean, { length }: Unit): number {
  return recognised ? 1 + Math.floor(length / BYTES_A_LOOK) : 1
}

/**
 * Reads units that carry no length as a decoder would, symbol by symbol, one after another: that shows where they end, and that
 * they are whole.
 */
export interface UnitReader {
  /**
   * Reads the unit at `offset`, which ends at `end` at the latest. It counts for those behind it once it is accepted.
   * @returns where it ends; 0 when it is none or not whole
   */
  read(reader: ByteReader, offset: number, end: number): number
  /**
   * Bytes behind what was read last that belong to it and to more before it, which was hit: it is the rest of a unit. 0 for a
   * whole one.
   */
  readonly closing: number
  /** The unit read last is one. */
  accept(): void
  /** What was read last without success may be a unit that was hit: those behind it may build on what its header says. */
  pass(): void
}

/**
 * Finds and measures coded units of one track in bytes without an index. Made from the sample's codec configuration
 * and, where the bitstream carries its own (parameter sets), kept up to date by `accept`.
 */
export interface Recogniser {
  readonly codec: string
  /** Ticks a second of `Unit.duration`; 0 when the codec has no clock. */
  readonly timescale: number
  /** Difference of `Unit.order` between neighbouring pictures in display order (H.264 frames: usually 2). Audio: 1. */
  readonly orderStep: number
  /**
   * `Unit.order` is known modulo this where units were lost, because its numbers repeat; 0 when they do not. Absent when the
   * bitstream does not number its units: then `order` counts those found.
   */
  readonly orderPeriod?: number | undefined
  /**
   * Behind lost units `order` may be too low by a multiple of this, until a later unit tells how many were lost. Absent where the
   * first one does.
   */
  readonly orderLateBy?: number | undefined
  /** True where `Unit.order` is the time at which a picture is shown, and not a count of pictures. */
  readonly orderIsTime?: boolean | undefined
  /** False where units have no syntax to check: they are found as what lies between the others. */
  readonly selfDelimiting: boolean
  /**
   * Does a unit start at `offset`, and how long is it, not reading past `end`? Fills `unit` and returns true, or returns
   * false. Does not change the recogniser's state; any bytes are safe; time in proportion to the unit's headers
   * (or its bytes, where the length is only found by parsing).
   */
  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean
  /** The unit just recognised at `offset` is part of the track, in decoding order: learn from it and set its order. */
  accept(reader: ByteReader, offset: number, unit: Unit): void
  /**
   * Optional: the bytes are exactly one unit (a sample of a healthy file). Learns the encoder's habits from it, which
   * sharpen `recognise`, and the parameter sets inside; leaves display order and counting alone.
   */
  learn?(reader: ByteReader, offset: number, length: number): void
  /**
   * Optional: reads all bytes of a recognised unit and says whether nothing in them is impossible for the codec. Finds zeroed
   * and, by chance, foreign stretches; an altered bit seldom.
   */
  intact?(reader: ByteReader, offset: number, length: number): boolean
  /**
   * Optional: bytes from `offset` on that a decoder reads of what should be a unit and is none, up to `end` at the most; 0 for
   * none. Absent where nothing tells: then all of them may be read.
   */
  readable?(reader: ByteReader, offset: number, end: number): number
  /**
   * Optional, for units without a length of their own: bits by which [offset, end) looks like a whole one because of how it ends,
   * 0 when it tells nothing.
   */
  closing?(reader: ByteReader, offset: number, end: number): number
  /**
   * Optional, for units without a length of their own: what shows where they end. Its work is taken from `allowance`, a step a
   * byte.
   */
  unitReader?(allowance: Allowance): UnitReader
  /**
   * Optional, for units whose first byte says how they are coded: the first bytes of units that an encoder may put beside one
   * with this first byte, itself left out. What the sample sounds like has decided among them.
   */
  kindred?(first: number): readonly number[]
  /** Units were lost before the next one: forget what links neighbours. */
  discontinuity(): void
  /**
   * The first offset in [from, end) where a unit may start, or `end`. Fast: tens of megabytes a second and more; never skips
   * a true start of a self-delimiting key unit; false positives are sorted out by `recognise`.
   */
  search(reader: ByteReader, from: number, end: number): number
}
