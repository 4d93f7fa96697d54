import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { usualName } from '../read/chunk-id.ts'
import { AFTER_HOLE, ChunkTable, DAMAGED, KEY, LOST, NAMED, REWRITTEN, SEEN } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import { type KeyTest, keyTest } from '../read/key-pictures.ts'
import type { AviStream } from '../read/stream.ts'
import type { Gap } from '../read/walk.ts'
import type { HoleLoss } from './losses.ts'
import type { Matched } from './match-index.ts'
import { wholeSize } from './torn-sound.ts'
import { UnitCheck, type UnitState } from './unit-check.ts'

/** What is going to be written, and how sure it is. */
export interface Settled {
  readonly chunks: ChunkTable
  /** How much was lost in some hole was estimated. */
  readonly estimated: boolean
  /** Bytes between chunks that are neither zeros nor anything known. */
  readonly unexplained: number
}

export interface SettleOptions {
  /** What holes cost that no index tells of, by their offsets. */
  readonly losses: ReadonlyMap<number, HoleLoss>
  /** Damaged pictures are left out. */
  readonly drop: boolean
  /** Where data begins, -1 when nothing says so: what lies in front of it costs no data. */
  readonly dataFrom: number
  /** Where data ends, by the index behind it: bytes beyond are none of the recording's. */
  readonly dataUntil: number
}

const STEPS = 256
/** Rows for what stands for lost chunks that there is room for at once. */
const SPARE_ROWS = 1024
/** Units from which a recogniser learns before it judges. */
const LEARNED = 24
/** Sound that is missing below this share of its usual chunk is not made up for. */
const WORTH = 0.5
/** Share of a chunk that is rounding. */
const ROUNDING = 0.01

/**
 * Decides what becomes of every chunk: those beside holes are looked at, those that the index alone names are taken where their
 * bytes are still units, and what is gone is given its time: empty chunks for pictures, which players show as the one before, and
 * stand-ins for sound.
 */
export async function settle(
  reader: ByteReader,
  matched: Matched,
  gaps: readonly Gap[],
  streams: readonly AviStream[],
  options: SettleOptions,
  limits: Limits,
  monitor: Monitor,
): Promise<Settled> {
  const settler = new Settler(reader, matched, gaps, streams, options, limits)
  settler.learn()
  const { chunks } = matched
  for (let row = 0; row < chunks.length; row++) {
    settler.take(row)
    if (row % STEPS !== 0) continue
    monitor.progress('recover', row / chunks.length)
    await monitor.pause()
  }
  settler.end()
  return settler
}

class Settler implements Settled {
  readonly chunks: ChunkTable
  estimated = false
  unexplained = 0
  readonly #reader: ByteReader
  readonly #from: ChunkTable
  readonly #named: boolean
  /** The index was not hit: which pictures are keys is as it says. */
  readonly #keysNamed: boolean
  readonly #gaps: readonly Gap[]
  readonly #streams: readonly AviStream[]
  readonly #checks: readonly UnitCheck[]
  readonly #losses: ReadonlyMap<number, HoleLoss>
  readonly #main: AviStream | undefined
  readonly #drop: boolean
  readonly #dataFrom: number
  readonly #dataUntil: number
  readonly #keys: readonly KeyTest[]
  /** By stream, a chunk that is whole, to stand in for lost sound. */
  readonly #standIns: { offset: number; size: number; id: number }[] = []
  /** By stream, seconds of lost sound that nothing stands in for yet; less than 0 where what does lasts longer. */
  readonly #owed: number[] = []
  #gap = 0
  /** Bytes of the largest chunk found. */
  #largest = 0
  #afterHole = false

  constructor(
    reader: ByteReader,
    matched: Matched,
    gaps: readonly Gap[],
    streams: readonly AviStream[],
    { losses, drop, dataFrom, dataUntil }: SettleOptions,
    limits: Limits,
  ) {
    this.#reader = reader
    this.#from = matched.chunks
    this.#named = matched.agreed > 0
    this.estimated = matched.isOpen
    this.#keysNamed = matched.unnamed + matched.missing + matched.differing === 0
    this.#gaps = gaps
    this.#streams = streams
    this.#drop = drop
    this.#dataFrom = dataFrom
    this.#dataUntil = dataUntil
    this.#keys = streams.map(({ description }) =>
      description.kind === 'video' ? keyTest(reader, description) : () => true,
    )
    this.#checks = streams.map((stream) => new UnitCheck(reader, stream))
    this.chunks = new ChunkTable(limits.samplesPerTrack, matched.chunks.length + SPARE_ROWS)
    this.#main = streams.find(({ description }) => description.kind === 'video') ?? streams[0]
    this.#losses = losses
  }

  learn(): void {
    for (let row = 0; row < this.#from.length; row++)
      if (!(this.#from.flags[row] & LOST)) this.#largest = Math.max(this.#largest, this.#from.size[row])
    const { length, stream, flags, offset, size, id } = this.#from
    const learned = this.#streams.map(() => 0)
    for (let row = 0; row < Math.min(length, STEPS); row++) {
      const number = stream[row]
      if (flags[row] & (LOST | DAMAGED | REWRITTEN) || number >= learned.length) continue
      if (size[row] > 0) this.#standIns[number] ??= { offset: offset[row], size: size[row], id: id[row] }
      if (learned[number]++ > LEARNED) continue
      this.#checks[number].learn(offset[row], size[row])
    }
  }

  take(row: number): void {
    this.#passGaps(row)
    const from = this.#from
    const stream = from.stream[row]
    const size = from.size[row]
    let flags = from.flags[row]
    const offset = from.offset[row]
    if (stream >= this.#streams.length) return
    const lastOne = row === from.length - 1 && offset + size >= this.#reader.size
    if (lastOne && flags & DAMAGED) {
      this.#keepStart(row)
      return
    }
    if (flags & (LOST | DAMAGED)) {
      // a chunk that the walk made shorter than it says lacks bytes
      const torn = (flags & (LOST | DAMAGED | REWRITTEN)) === (DAMAGED | REWRITTEN)
      const state = this.#stateOf(stream, offset, size, flags, torn)
      flags &= ~(LOST | DAMAGED)
      if (state === 'hit') flags |= DAMAGED
      if (state === 'none') flags |= LOST
      if (from.flags[row] & LOST) flags |= REWRITTEN
    } else if (!(flags & SEEN) && this.#checks[stream].hasHole(offset, size))
      flags |= this.#checks[stream].state(offset, size) === 'none' ? LOST : DAMAGED
    else if (this.#checks[stream].isMisread(offset, size)) flags |= DAMAGED
    if (flags & DAMAGED && this.#drop && this.#kind(stream) === 'video') flags |= LOST
    if (flags & LOST) this.#lose(stream, this.#lostBytes(row), from.id[row])
    else {
      this.#keep(offset, size, from.id[row], stream, flags)
      this.#makeWhole(row)
    }
  }

  /** Gives plain sound that a chunk lacks its time. */
  #makeWhole(row: number): void {
    const stream = this.#from.stream[row]
    const { kind, codec } = this.#streams[stream].description
    if (kind !== 'audio' || codec !== 'pcm') return
    const last = this.#standIns[stream]?.size ?? 0
    const lacking = wholeSize(this.#reader, this.#from, row, last) - this.#from.size[row]
    if (lacking > 0) this.#silence(stream, 0, lacking)
  }

  /** Of sound in samples or blocks of one size that the end of the file cut off, those that are there. */
  #keepStart(row: number): void {
    const { offset, size, id, stream, flags } = this.#from
    const { description, wave, header } = this.#streams[stream[row]]
    const align = Math.max(1, wave?.blockAlign ?? 1)
    const whole = Math.floor(size[row] / align) * align
    const inBlocks = description.kind === 'audio' && align > 1 && header.sampleSize === align
    if ((description.codec !== 'pcm' && !inBlocks) || whole === 0) return
    this.#keep(offset[row], whole, id[row], stream[row], (flags[row] & ~DAMAGED) | REWRITTEN)
  }

  end(): void {
    this.#passGaps(this.#from.length)
  }

  /** Plain sound that only the index names is there, whatever its bytes. */
  #stateOf(stream: number, offset: number, size: number, flags: number, torn: boolean): UnitState {
    const { kind, codec } = this.#streams[stream].description
    if (kind === 'audio' && codec === 'pcm' && flags & LOST)
      return offset >= 0 && offset + size <= this.#reader.size && !isZero(this.#reader, offset, offset + size)
        ? 'hit'
        : 'none'
    return this.#checks[stream].state(offset, size, torn)
  }

  #kind(stream: number): string {
    return this.#streams[stream].description.kind
  }

  #keep(offset: number, size: number, id: number, stream: number, flags: number): void {
    if (this.#afterHole) flags |= AFTER_HOLE
    this.#afterHole = false
    const isTold = flags & NAMED ? this.#keysNamed : (flags & SEEN) > 0
    if (!isTold) flags = (flags & ~KEY) | (this.#keys[stream](offset, size) ? KEY : 0)
    this.chunks.push(offset, size, id, stream, flags & ~LOST)
    if (size > 0 && this.#kind(stream) === 'audio' && !(flags & DAMAGED))
      this.#standIns[stream] = { offset, size, id }
  }

  /** Bytes that a lost chunk had: of sound that was made shorter as many as the last one. */
  #lostBytes(row: number): number {
    const { size, flags, stream } = this.#from
    const isShorter = (flags[row] & DAMAGED) !== 0 && this.#kind(stream[row]) === 'audio'
    return isShorter ? Math.max(size[row], this.#standIns[stream[row]]?.size ?? 0) : size[row]
  }

  /** Gives a lost chunk of the index its time. */
  #lose(stream: number, size: number, id: number): void {
    this.#afterHole = true
    if (this.#kind(stream) === 'audio') {
      this.#silence(stream, secondsOf(this.#streams[stream], size), size)
      return
    }
    this.chunks.push(-1, 0, id, stream, LOST)
  }

  /** Stands in for lost sound: plain sound by silence, other sound by repeating what came before it. */
  #silence(stream: number, seconds: number, bytes?: number): void {
    const { header, description, wave } = this.#streams[stream]
    const align = Math.max(1, wave?.blockAlign ?? 1)
    const standIn = this.#standIns[stream]
    const id = standIn?.id ?? usualName(stream, true)
    if (description.codec === 'pcm') {
      const wanted =
        bytes ??
        Math.round((seconds * header.rate) / Math.max(1, header.scale)) * Math.max(1, header.sampleSize)
      const size = Math.floor(wanted / align) * align
      if (size > 0) this.chunks.push(-1, size, id, stream, LOST | KEY)
      return
    }
    const each = standIn ? secondsOf(this.#streams[stream], standIn.size) : 0
    let owed = (this.#owed[stream] ?? 0) + seconds
    if (standIn && each > 0)
      for (; owed > each * WORTH; owed -= each)
        this.chunks.push(standIn.offset, standIn.size, id, stream, LOST | KEY)
    this.#owed[stream] = owed
  }

  /** Holes in front of a row that no index tells of. */
  #passGaps(row: number): void {
    while (this.#gap < this.#gaps.length && this.#isBefore(this.#gaps[this.#gap], row)) {
      const { offset, end } = this.#gaps[this.#gap++]
      if (end <= this.#dataFrom) continue
      const last = row >= this.#from.length
      const loss = last || this.#named ? undefined : this.#losses.get(offset)
      const hidden = last ? offset < this.#dataUntil : !this.#named && loss?.certain !== true
      if (hidden && !isZero(this.#reader, offset, end) && !this.#isRemainder(offset, end))
        this.unexplained += end - offset
      // an index that does not name what follows a hole tells nothing of what was in it
      if (!last && this.#named && !(this.#from.flags[row] & NAMED)) this.estimated = true
      if (last || this.#named || !this.#main) continue
      this.#afterHole = true
      if (!loss) continue
      this.estimated ||= !loss.certain
      const { number } = this.#main
      const { pictures, others } = this.chunks.length === 0 ? this.#aligned(loss, this.#main) : loss
      for (let i = 0; i < pictures; i++) this.chunks.push(-1, 0, usualName(number, false), number, LOST)
      for (const [stream, seconds] of others) this.#silence(stream, seconds)
    }
  }

  /**
   * What was lost of a beginning, so that sound of long chunks and pictures lie to each other as they did: with sound up to a
   * whole chunk, and pictures to make up for it.
   */
  #aligned({ pictures, others }: HoleLoss, main: AviStream): Pick<HoleLoss, 'pictures' | 'others'> {
    const each = secondsOf(main, 0)
    for (const [stream, seconds] of others) {
      const standIn = this.#standIns[stream]
      const chunk = standIn ? secondsOf(this.#streams[stream], standIn.size) : 0
      if (this.#streams[stream].description.codec === 'pcm' || chunk <= each || each <= 0) continue
      const whole = Math.ceil(seconds / chunk - ROUNDING) * chunk
      const more = Math.round((whole - seconds) / each)
      const rest = more * each
      return {
        pictures: pictures + more,
        others: new Map([...others].map(([other, time]) => [other, other === stream ? whole : time + rest])),
      }
    }
    return { pictures, others }
  }

  /** Whether a gap is zeros with the rest of one lost chunk behind them. */
  #isRemainder(from: number, end: number): boolean {
    const rest = Math.max(from, end - this.#largest)
    return rest > from && isZero(this.#reader, from, rest)
  }

  #isBefore({ row, offset }: Gap, until: number): boolean {
    // rows that only the index names move those behind them
    return until >= this.#from.length || (row <= until && offset <= this.#from.offset[until])
  }
}
