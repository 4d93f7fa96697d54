import { crc32Of } from '../../../bytes/crc32.ts'
import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { ElementHeader, readChildren, UNKNOWN_SIZE } from '../../../syntax/ebml/element.ts'
import {
  BLOCK_GROUP,
  CLUSTER,
  CRC_32,
  EBML,
  INFO,
  LEVEL_ONE,
  SEGMENT,
  SIMPLE_BLOCK,
  TIMESTAMP,
  TRACKS,
  VOID,
} from '../ids.ts'
import { BlockHead, frameCount, KEY_FLAG, lacingOf } from './block.ts'
import { BARE, BlockTable, GROUPED, HIT, KEY, LEFT_OUT, REWRITTEN } from './block-table.ts'
import { CERTAIN, Evidence } from './evidence.ts'
import { FrameChecker } from './frame-checker.ts'
import { type Info, readDocType, readInfo } from './info.ts'
import type { Gap, Run, Survey, TopElement } from './survey.ts'
import { type MatroskaTrack, readTracks } from './track.ts'

/** Elements between two pauses. */
const PAUSE_EVERY = 2048
/** Elements whose sum is checked when they are read: larger ones are attachments. */
const MOST_SUMMED = 64 * 1024 * 1024
/**
 * Clusters and parts of them that any file may have, as many as ten hours of one each quarter of a second, and bytes for each
 * further one.
 */
const MOST_RUNS = 131_072
const BYTES_A_RUN = 256
const MOST_ELEMENTS = 4096
/** Lists of tracks that are read up to one that is whole. */
const MOST_LISTS = 1_000
const MOST_CHILDREN = 1_000_000

/** First bytes of what a search stops at. */
const OPENS = new Uint8Array(256)
for (const first of [SIMPLE_BLOCK, BLOCK_GROUP, 0x1f, 0x1a, 0x18, 0x11, 0x15, 0x16, 0x1c, 0x10, 0x12, 0x19])
  OPENS[first] = 1

/**
 * Walks a file from element to element. Where the next one is none, looks for elements that follow each other; what lies between
 * is a gap. `fallback` are tracks to go by where the file's own are not found, `numbers` those of further ones of which no more
 * is known.
 */
export async function walk(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  fallback: readonly MatroskaTrack[],
  numbers: readonly number[] = [],
): Promise<Survey> {
  const walker = new Walker(reader, limits, monitor, fallback, numbers)
  await walker.run()
  return walker
}

class Walker implements Survey {
  readonly size: number
  docType: string | undefined
  segment: Survey['segment']
  readonly elements: TopElement[] = []
  info: Info | undefined
  tracks: readonly MatroskaTrack[] = []
  tracksWhole = false
  readonly runs: Run[] = []
  readonly blocks: BlockTable
  readonly gaps: Gap[] = []
  cutAt: number | undefined
  further: number | undefined
  readonly #reader: ByteReader
  readonly #limits: Limits
  readonly #monitor: Monitor
  readonly #evidence: Evidence
  readonly #header = new ElementHeader()
  readonly #block = new BlockHead()
  readonly #checkers = new Map<number, FrameChecker>()
  readonly #fallback: readonly MatroskaTrack[]
  readonly #numbers: readonly number[]
  readonly #mostRuns: number
  #run: Run | undefined
  #listsRead = 0

  constructor(
    reader: ByteReader,
    limits: Limits,
    monitor: Monitor,
    fallback: readonly MatroskaTrack[],
    numbers: readonly number[],
  ) {
    this.size = reader.size
    this.#mostRuns = MOST_RUNS + Math.floor(reader.size / BYTES_A_RUN)
    this.blocks = new BlockTable(limits.samplesPerTrack, reader.size)
    this.#reader = reader
    this.#limits = limits
    this.#monitor = monitor
    this.#fallback = fallback
    this.#numbers = numbers
    this.#evidence = new Evidence(reader)
    this.#know(fallback)
  }

  async run(): Promise<void> {
    let at = 0
    for (let count = 0; at < this.size && this.further === undefined; count++) {
      if (count % PAUSE_EVERY === 0) {
        this.#monitor.progress('survey', at / this.size)
        await this.#monitor.pause()
      }
      const next = this.#take(at)
      if (next > at) {
        if (this.#run) this.#run.end = next
        at = next
        continue
      }
      const from = next < 0 ? -next : at + 1
      at = await this.#skipGap(from, at)
    }
    this.#closeRun()
  }

  /** Takes the element at `at` and returns where the next one is to be; else minus the offset from which to search, or 0. */
  #take(at: number): number {
    const header = this.#header
    const reader = this.#reader
    if (!header.read(reader, at, this.size)) return 0
    const { id, body, end } = header
    const known = header.size !== UNKNOWN_SIZE
    if (id === SIMPLE_BLOCK || id === BLOCK_GROUP) return this.#takeBlock(at)
    if (id === SEGMENT) {
      this.#closeRun()
      this.segment ??= { offset: at, body, end: known ? end : undefined }
      return body
    }
    if (id === CLUSTER) {
      this.#closeRun()
      this.#open(at, body, header.size, true)
      return body
    }
    if (!known) return 0
    if (id === EBML || LEVEL_ONE.has(id)) return this.#takeTop(id, at, body, end)
    // what fills up space behind a Cluster is no part of it
    if (id === VOID && this.#run && at === this.#run.body + this.#run.size) this.#closeRun()
    const run = this.#run
    if (end > this.size || !this.#evidence.follows(end)) return 0
    const head = run?.headed && run.firstRow === this.blocks.length
    if (head && id === TIMESTAMP && header.size <= 8) {
      run.time = 0
      for (let i = body; i < end; i++) run.time = run.time * 256 + reader.u8(i)
    }
    if (head && id === CRC_32 && header.size === 4 && at === run.body) {
      run.sum = this.#sumAt(body)
      run.sumFrom = end
    }
    return end
  }

  #takeTop(id: number, at: number, body: number, end: number): number {
    const reader = this.#reader
    if (end > this.size) {
      // only what stands at the very end is cut off by it: elsewhere the size is wrong
      this.cutAt ??= at
      return 0
    }
    if (id === EBML && this.segment) {
      const { end: stated } = this.segment
      if (this.blocks.length > 0 && (stated === undefined || at >= stated)) {
        this.further = at
        return end
      }
    }
    const { children, whole } = readChildren(reader, body, end, MOST_CHILDREN)
    const [first] = children
    let sound = whole
    if (whole && first?.id === CRC_32 && first.end - first.body === 4 && end - body <= MOST_SUMMED)
      sound = crc32Of(reader, first.end, end) === this.#sumAt(first.body)
    if (!this.#evidence.follows(end)) {
      // its size may be what is wrong
      if (!whole) return 0
    }
    this.#closeRun()
    const element = { id, offset: at, body, end, filled: whole, whole: sound }
    if (this.elements.length < MOST_ELEMENTS) this.elements.push(element)
    if (id === EBML) this.docType ??= readDocType(reader, element)
    if (id === INFO && (sound || !this.info)) this.info = readInfo(reader, element) ?? this.info
    if (id === TRACKS && !this.tracksWhole && ++this.#listsRead <= MOST_LISTS) {
      const { tracks, whole: read } = readTracks(reader, element, this.#limits.tracks)
      this.tracks = tracks
      this.tracksWhole = read && sound
      this.#know(this.tracksWhole ? tracks : [...tracks, ...this.#fallback])
    }
    return end
  }

  #know(tracks: readonly MatroskaTrack[]): void {
    this.#evidence.numbers = new Set([...tracks.map(({ number }) => number), ...this.#numbers])
    for (const track of tracks)
      if (!this.#checkers.has(track.number) || tracks === this.tracks)
        this.#checkers.set(track.number, new FrameChecker(this.#reader, track))
  }

  #takeBlock(at: number): number {
    const block = this.#block
    if (this.#evidence.blockAt(at) === 0 || !block.read(this.#reader, at, this.size)) return 0
    if (block.elementEnd <= this.size && this.#evidence.follows(block.elementEnd)) {
      this.#push(block.elementEnd, 0)
      return block.elementEnd
    }
    return -block.payload
  }

  /** Writes down the block just read. */
  #push(end: number, flags: number): number {
    const block = this.#block
    const { blocks } = this
    if (!this.#run) this.#open(block.offset, block.offset, 0, false)
    const row = blocks.push()
    blocks.offset[row] = block.offset
    blocks.size[row] = end - block.offset
    blocks.payload[row] = block.payload
    blocks.end[row] = block.grouped ? block.end : end
    blocks.track[row] = block.track
    blocks.relative[row] = block.relative
    blocks.duration[row] = block.duration
    blocks.head[row] = block.flags
    const frames = frameCount(this.#reader, block.flags, block.payload, blocks.end[row])
    blocks.frames[row] = frames ?? 1
    blocks.flags[row] = (block.grouped ? GROUPED : 0) | (block.key ? KEY : 0) | flags | (frames ? 0 : HIT)
    return row
  }

  /** Writes down the Block of the group just read without what is torn of the group behind it. */
  #pushBare(): void {
    const { blocks } = this
    const row = this.#push(this.#block.end, this.#block.added ? HIT : 0)
    blocks.flags[row] = (blocks.flags[row] & ~GROUPED) | BARE
    blocks.offset[row] = blocks.payload[row]
    blocks.size[row] = blocks.end[row] - blocks.payload[row]
    if (blocks.is(row, KEY)) blocks.head[row] |= KEY_FLAG
  }

  /** Writes down the block just read, which is there up to `end`: samples that are stored as they are stay, of others nothing. */
  #pushTorn(end: number): void {
    const { track, payload, end: stated, grouped, flags } = this.#block
    const sample = grouped || lacingOf(flags) > 0 ? 0 : (this.#checkers.get(track)?.sampleBytes ?? 0)
    const there = end - payload
    if (sample > 0 && there * 2 >= stated - payload) this.#push(end - (there % sample), HIT | REWRITTEN)
    else this.#push(end, HIT | LEFT_OUT)
  }

  /** Searches for what follows a break at `at`, from `from` on, and settles what becomes of the block in front of it. */
  async #skipGap(from: number, at: number): Promise<number> {
    const broken = from > at + 1
    const { offset, elementEnd, end: dataEnd } = this.#block
    const isBlock = broken && offset === at
    const candidates = { count: 0 }
    let next = await this.#search(from, isBlock ? elementEnd : from, candidates)
    let gapAt = at
    if (isBlock) {
      if (next === this.size && elementEnd > this.size) {
        this.cutAt ??= at
        if (this.#block.grouped && dataEnd <= this.size) this.#pushBare()
        else this.#pushTorn(this.size)
      } else if (this.#isSize(next)) {
        this.#push(next, REWRITTEN)
        return next
      } else if (next >= elementEnd) {
        const row = this.#push(elementEnd, 0)
        const { payload, end } = this.blocks
        if (this.#checker(row)?.isHit(payload[row], end[row] - payload[row])) this.blocks.flags[row] |= HIT
        gapAt = elementEnd
      } else {
        if (this.#block.followed && dataEnd <= next) this.#pushBare()
        else this.#pushTorn(next)
        gapAt = dataEnd
        if (gapAt > next) gapAt = next
      }
    }
    next = Math.max(next, gapAt)
    if (this.#run && gapAt > at) this.#run.end = gapAt
    this.gaps.push({ offset: gapAt, length: next - gapAt, candidates: candidates.count })
    if (this.#run) this.#run.altered = true
    this.#closeRun()
    return next
  }

  /** Whether the block read last is whole up to `next` and only its size has a bit that is wrong. */
  #isSize(next: number): boolean {
    const block = this.#block
    if (block.grouped || next === this.size) return false
    const head = this.#header
    if (!head.read(this.#reader, block.offset, this.size)) return false
    const wanted = next - head.body
    const bytes = head.body - head.offset - 1
    if (wanted <= 0 || wanted >= 2 ** (7 * bytes) - 1 || !isPower(wanted, head.size)) return false
    const checker = this.#checkers.get(block.track)
    return checker !== undefined && checker.bits(block.payload, next - block.payload) >= 1
  }

  #checker(row: number): FrameChecker | undefined {
    return this.#checkers.get(this.blocks.track[row])
  }

  /**
   * The first offset from `from` on where elements follow each other, or the end of the file. A block by itself will do where its
   * codec shows it; from `blockEnd` on one that nothing shows is counted.
   */
  async #search(from: number, blockEnd: number, candidates: { count: number }): Promise<number> {
    const reader = this.#reader
    const evidence = this.#evidence
    for (const { at, bytes } of searchPieces(reader, from, this.size, 0)) {
      for (let i = 0; i < bytes.length; i++) {
        if (OPENS[bytes[i]] === 0) continue
        const bits = evidence.chain(at + i)
        if (bits >= CERTAIN) return at + i
        if (bits === 0 || (bytes[i] !== SIMPLE_BLOCK && bytes[i] !== BLOCK_GROUP)) continue
        const alone = this.#alone(at + i)
        if (alone >= CERTAIN) return at + i
        if (alone > 0 && at + i >= blockEnd) candidates.count++
      }
      await this.#monitor.pause()
    }
    return this.size
  }

  /** Bits by which a block stands at `at`, by its head and by its codec. */
  #alone(at: number): number {
    const block = new BlockHead()
    const bits = this.#evidence.blockAt(at)
    if (bits === 0 || !block.read(this.#reader, at, this.size) || block.elementEnd > this.size) return 0
    const frames = frameCount(this.#reader, block.flags, block.payload, block.end)
    const checker = this.#checkers.get(block.track)
    if (frames !== 1 || !checker) return 0
    const more = checker.bits(block.payload, block.end - block.payload)
    return more === 0 ? 0 : bits + more
  }

  #open(offset: number, body: number, size: number, headed: boolean): void {
    if (this.runs.length >= this.#mostRuns) throw new LimitError(`more than ${this.#mostRuns} clusters`)
    const last = this.gaps.length - 1
    const gap = last >= 0 && this.gaps[last].offset + this.gaps[last].length === offset ? last : -1
    const firstRow = this.blocks.length
    this.#run = {
      ...{ offset, headed, body, size, time: undefined, sum: 0, sumFrom: -1 },
      ...{ firstRow, endRow: firstRow, gap, end: body, altered: false },
    }
    this.runs.push(this.#run)
  }

  #closeRun(): void {
    if (this.#run) this.#run.endRow = this.blocks.length
    this.#run = undefined
  }

  #sumAt(offset: number): number {
    return this.#reader.u32le(offset)
  }
}

/** Whether two numbers differ in one bit. */
function isPower(a: number, b: number): boolean {
  const difference = Math.abs(a - b)
  if (Math.max(a, b) >= 2 ** 32) return false
  const bits = (a ^ b) >>> 0
  return difference > 0 && (bits & (bits - 1)) === 0
}
