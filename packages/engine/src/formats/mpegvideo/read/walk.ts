import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { groupPicture } from '../../../codecs/mpeg12/group-times.ts'
import {
  B_PICTURE,
  emptyPicture,
  extendPicture,
  FRAME,
  REFERENCE_CYCLE,
  readPicture,
  rowsOf,
} from '../../../codecs/mpeg12/headers.ts'
import { TALL } from '../../../codecs/mpeg12/slice.ts'
import {
  EXTENSION,
  GROUP,
  LAST_SLICE,
  PICTURE,
  PICTURE_EXTENSION,
  SEQUENCE,
  USER_DATA,
} from '../../../codecs/mpeg12/unit-walker.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { addForeignBytes, headHit, shortPicture, startCodeHit, tornSlice } from '../findings.ts'
import { isMark } from '../mark.ts'
import { type Head, type Heads, headAt, isHitHead } from './heads.ts'
import { GROUP_BYTES, hiddenGroup, hitHeadAt } from './hit-head.ts'
import type { CodedPicture } from './picture.ts'
import { SliceEnds } from './slice-ends.ts'

const SEQUENCE_ERROR = 0xb4
const SEQUENCE_END = 0xb7
const CODE_BYTES = 4
/** Bytes of a header that are read. */
const HEAD_BYTES = 64
/** Zeros between pictures that are more than alignment: padding to a constant rate, or pictures that are gone. */
const PADDING = 64
/** Start codes between two breaths. */
const BREATH_CODES = 256

/** Walks a stream of MPEG-1 or MPEG-2 pictures by start codes, ITU-T H.262 (02/2012) §6.2; what belongs to none is left out. */
export class Walk {
  readonly pictures: CodedPicture[] = []
  /** Bytes in front of the first picture have no sequence header among them. */
  headless = true
  /** Pictures whose slices are there without a header, and no number of a picture behind tells of them. */
  unheaded = 0
  /** Time codes leave out numbers. */
  drops = false
  readonly #reader: ByteReader
  readonly #heads: Heads
  readonly #findings: Findings
  readonly #edits: Edits
  readonly #limit: number
  readonly #slices = new SliceEnds()
  #head: Head
  /** Where headers begin that stand in front of the next picture; -1 for none. */
  #front = -1
  #isFrontHit = false
  #group = 0
  #time = -1
  #suspect = false
  /** Zeros behind the slice read last. */
  #zeros = 0
  /** The picture whose slices come, and what is read of it. */
  #open: CodedPicture | undefined
  #coded = emptyPicture()
  #isField = false
  #fields = 0
  #row = 0
  /** Place of the last macroblock so far, from the picture's first; infinite behind a tear. */
  #reached = -1
  #slicesRead = 0
  /** Slices of another came behind all that the open picture has. */
  #hasAnother = false

  constructor(
    reader: ByteReader,
    head: Head,
    heads: Heads,
    findings: Findings,
    edits: Edits,
    mostPictures: number,
  ) {
    this.#reader = reader
    this.#head = head
    this.#heads = heads
    this.#findings = findings
    this.#edits = edits
    this.#limit = mostPictures
  }

  /** Reads the whole file. @throws LimitError, AbortedError */
  async run(monitor: Monitor): Promise<void> {
    const reader = this.#reader
    const { size } = reader
    let at = nextStartCode(reader, 0, size)
    if (at > 0 && !isZero(reader, 0, at)) this.#foreign(0, at)
    for (let codes = 1; at < size; codes++) {
      const next = nextStartCode(reader, at + CODE_BYTES - 1, size)
      this.#structure(at, next)
      if (codes % BREATH_CODES === 0) {
        monitor.progress('survey', at / size)
        await monitor.pause()
      }
      at = next
    }
    this.#close()
    if (this.#hasAnother) this.unheaded++
    // headers that no picture follows
    if (this.#front >= 0) this.#edits.drop(this.#front, size - this.#front)
  }

  #structure(at: number, next: number): void {
    const value = this.#reader.u8(at + CODE_BYTES - 1)
    const follows = this.#valueAt(next)
    if (value !== PICTURE && value !== GROUP && this.#hitHead(at, next)) return
    if (value > PICTURE && value <= LAST_SLICE) this.#slice(at, next, value)
    else if (value === SEQUENCE) this.#sequence(at, next, follows)
    else if (value === GROUP) this.#groupHead(at, next, follows)
    else if (value === PICTURE) this.#picture(at, next, follows)
    else if (value === EXTENSION || value === USER_DATA) this.#further(at, next)
    else if (value === SEQUENCE_END || value === SEQUENCE_ERROR) this.#end(at, next)
    else this.#foreign(at, next)
  }

  /** The value of the start code at `at`; -1 where the file ends. */
  #valueAt(at: number): number {
    return at + CODE_BYTES <= this.#reader.size ? this.#reader.u8(at + CODE_BYTES - 1) : -1
  }

  /** Takes a header up to `next` whose start code was hit; false where there is none. */
  #hitHead(at: number, next: number): boolean {
    const follows = this.#valueAt(next)
    const hit = hitHeadAt(this.#reader, at, next, follows, this.#head.sequence.mpeg1)
    if (!hit) return false
    this.#findings.add(startCodeHit(at))
    this.#edits.replace(at, CODE_BYTES, hit.code)
    if (hit.value === GROUP) this.#groupHead(at, next, follows)
    else this.#picture(at, next, follows)
    return true
  }

  #sequence(at: number, next: number, follows: number): void {
    const { usual } = this.#heads
    const leads = follows === EXTENSION || follows === USER_DATA || follows === GROUP || follows === PICTURE
    const group = hiddenGroup(this.#reader, at, next, follows)
    const head = leads || group >= 0 ? headAt(this.#reader, at) : undefined
    const isOwn = head && !isHitHead(head, this.#heads)
    if (isOwn && group >= 0) {
      this.#sequence(at, group, GROUP)
      this.#hitHead(group, next)
      return
    }
    if (!leads) {
      this.#foreign(at, next)
      return
    }
    this.#close()
    if (isOwn) this.#head = head
    else if (usual) {
      const end = next + (head ? head.bytes.length - (next - at) : 0)
      this.#findings.add(headHit(at))
      this.#edits.replace(at, Math.max(next, end) - at, usual.bytes)
      this.#head = usual
    }
    this.#begin(at)
    if (this.pictures.length === 0) this.headless = false
  }

  #groupHead(at: number, next: number, follows: number): void {
    const end = at + GROUP_BYTES
    if (end < next && hitHeadAt(this.#reader, end, next, follows, this.#head.sequence.mpeg1)) {
      this.#groupHead(at, end, PICTURE)
      this.#hitHead(end, next)
      return
    }
    if (follows !== PICTURE && follows !== USER_DATA && follows !== EXTENSION) {
      this.#foreign(at, next)
      return
    }
    this.#close()
    this.#begin(at)
    this.#group++
    const body = this.#bytes(at, next)
    this.drops ||= body[0] >> 7 === 1
    this.#time = groupPicture(body, this.#head.sequence.frameRateCode)
  }

  #picture(at: number, next: number, follows: number): void {
    const { sequence } = this.#head
    const coded = emptyPicture()
    const isHeader = readPicture(this.#bytes(at, next), coded)
    // what follows has to be what follows a picture's header
    const isFollowed = sequence.mpeg1
      ? follows === USER_DATA || (follows > PICTURE && follows <= LAST_SLICE)
      : follows === EXTENSION && this.#readExtension(next, coded)
    if (!isHeader || !isFollowed) {
      if (this.#open && this.#slicesRead > 0) this.#open.followed = true
      this.#close()
      if (follows === EXTENSION || (follows > PICTURE && follows <= LAST_SLICE)) this.unheaded++
      this.#foreign(at, next)
      return
    }
    if (this.#isSecondField(coded)) {
      this.#checkEnd()
      this.#coded = coded
      this.#fields = 2
      this.#row = 0
      this.#reached = -1
      return
    }
    this.#close()
    this.#begin(at)
    this.#coded = coded
    this.#isField = coded.structure !== FRAME
    this.#fields = 1
    this.#row = 0
    this.#reached = -1
    this.#slicesRead = 0
    this.#hasAnother = false
    this.#open = {
      start: this.#front,
      header: at,
      body: next,
      end: next,
      sequence,
      type: coded.type,
      reference: coded.temporalReference,
      group: this.#group,
      time: this.#time,
      suspect: this.#suspect || this.#isBehindZeroed(coded.type, coded.temporalReference),
      isFrontHit: this.#isFrontHit,
      torn: false,
      isMarked: false,
      behindTear: -1,
      isLed: false,
      isGone: false,
      followed: false,
    }
    this.#suspect = false
    this.#front = -1
    this.#time = -1
  }

  /** A picture behind zeros that is shown before what came before it in its group: the zeros began another group. */
  #isBehindZeroed(type: number, reference: number): boolean {
    const before = this.pictures.at(-1)
    if (!before || this.#zeros < PADDING || before.group !== this.#group) return false
    if (type !== B_PICTURE || before.type !== B_PICTURE) return false
    return (reference - before.reference + REFERENCE_CYCLE) % REFERENCE_CYCLE > REFERENCE_CYCLE / 2
  }

  #readExtension(at: number, coded: ReturnType<typeof emptyPicture>): boolean {
    const body = this.#reader.bytes(at + CODE_BYTES, HEAD_BYTES)
    return body[0] >> 4 === PICTURE_EXTENSION && extendPicture(body, coded)
  }

  #isSecondField(coded: ReturnType<typeof emptyPicture>): boolean {
    if (!this.#open || !this.#isField || this.#fields !== 1 || this.#front >= 0) return false
    const { temporalReference, structure } = this.#coded
    return coded.temporalReference === temporalReference && coded.structure === FRAME - structure
  }

  #further(at: number, next: number): void {
    // those of sequences were read with their header, those of pictures with theirs
    const open = this.#open
    const group = open ? -1 : hiddenGroup(this.#reader, at, next, this.#valueAt(next))
    if (group >= 0) {
      this.#further(at, group)
      this.#hitHead(group, next)
      return
    }
    if (!open && this.#front < 0) {
      this.#foreign(at, next)
      return
    }
    if (!open || this.#slicesRead > 0) return
    open.end = next
    open.body = next
    if (isMark(this.#reader.bytes(at, Math.min(next - at, HEAD_BYTES)))) open.isMarked = true
  }

  #slice(at: number, next: number, value: number): void {
    const open = this.#open
    if (!open) {
      this.#foreign(at, next)
      return
    }
    const { sequence } = open
    const isTall = sequence.height > TALL
    const row = value + (isTall ? (this.#reader.u8(at + CODE_BYTES) >> 5) * 128 : 0)
    const rows = rowsOf(sequence, this.#coded)
    const columns = Math.ceil(sequence.width / 16)
    const first = (row - 1) * columns
    // slices follow each other: what is coded already is of another picture, whose header is gone
    const isCoded = Number.isFinite(this.#reached) && this.#reached >= first + columns - 1
    if (row > rows || row < this.#row || isCoded) {
      open.followed = true
      this.#hasAnother ||= isCoded && this.#reached >= rows * columns - 1
      this.#foreign(at, next)
      return
    }
    if (first > this.#reached + 1) this.#short(at)
    const { end, last } = this.#slices.read(this.#reader, at, next, row, rows, sequence, this.#coded)
    const torn = last < 0
    this.#reached = torn ? Number.POSITIVE_INFINITY : first + last
    if (torn) {
      open.torn = true
      this.#findings.add(tornSlice(at, next - at))
      this.#suspect = true
      open.behindTear = -1
    }
    if (end > at) {
      this.#row = row
      this.#slicesRead++
      open.end = end
      if (!torn && open.torn && open.behindTear < 0) open.behindTear = at
      else open.isLed ||= open.behindTear < 0
    }
    this.#zeros = 0
    if (end < next && (torn || !this.#hitHead(end, next))) this.#cut(at, end, next, torn)
  }

  /** Macroblocks of the open picture in front of `at` are missing: bytes are gone, or a slice went out of step. */
  #short(at: number): void {
    const open = this.#open
    if (!open || open.torn || open.isMarked) return
    open.torn = true
    this.#findings.add(shortPicture(at))
    this.#suspect = true
  }

  #checkEnd(): void {
    const open = this.#open
    if (!open || this.#slicesRead === 0) return
    const macroblocks = rowsOf(open.sequence, this.#coded) * Math.ceil(open.sequence.width / 16)
    if (this.#reached < macroblocks - 1) this.#short(open.end)
  }

  /** Leaves out what follows the whole part of a slice. */
  #cut(at: number, end: number, next: number, torn: boolean): void {
    if (isZero(this.#reader, end, next) && !torn) {
      this.#zeros = next - end
      return
    }
    if (!torn) this.#note(end, next)
    const part = torn && end > at ? this.#slices.lastByte : -1
    if (part >= 0) this.#edits.replace(end - 1, next - end + 1, Uint8Array.of(part))
    else this.#edits.drop(end, next - end)
  }

  #end(at: number, next: number): void {
    this.#close()
    const end = at + CODE_BYTES
    if (end < next && !isZero(this.#reader, end, next)) this.#foreign(end, next)
  }

  #foreign(at: number, next: number): void {
    this.#note(at, next)
    this.#edits.drop(at, next - at)
  }

  #note(from: number, to: number): void {
    addForeignBytes(this.#findings, this.#reader, from, to)
    this.#suspect = true
  }

  #begin(at: number): void {
    if (this.#front >= 0) return
    this.#front = at
    this.#isFrontHit = this.#suspect
  }

  #close(): void {
    const open = this.#open
    this.#checkEnd()
    this.#open = undefined
    if (!open) return
    if (this.#slicesRead === 0) {
      // a header alone shows nothing; what stands in front of it holds for the next
      if (open.header > open.start) this.#front = open.start
      this.#time = open.time
      this.#edits.drop(open.header, open.end - open.header)
      this.#suspect = true
      return
    }
    if (this.pictures.length >= this.#limit) throw new LimitError(`more than ${this.#limit} pictures`)
    this.pictures.push(open)
  }

  #bytes(at: number, next: number): Uint8Array {
    return this.#reader.bytes(at + CODE_BYTES, Math.min(HEAD_BYTES, next - at - CODE_BYTES))
  }
}
