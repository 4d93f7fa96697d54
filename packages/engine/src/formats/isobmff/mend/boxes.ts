import type { ByteReader } from '../../../bytes/reader.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, isFourcc } from '../../../syntax/iso-boxes/box.ts'
import { boxSize, headerMended } from '../findings.ts'
import { differByOneBit, differingBits, flip } from './bits.ts'
import { AMBIGUOUS, EXACT, FILLED, HANDLER_OF, MISPLACED, REPEATED, TWINS, WEAK } from './box-links.ts'
import { mendSampleDescription } from './entries.ts'
import {
  ALTERNATIVE,
  CHILDREN,
  ENTRY_BYTES,
  HEADER_SIZES,
  HOLDERS,
  isKnown,
  isMisplaced,
  meant,
  OPTIONAL,
  REQUIRED,
} from './known-boxes.ts'
import { Patches } from './patched-source.ts'
import { isHandler } from './registered.ts'
import { unnamedRuns } from './run-tables.ts'
import { mendSoundChannels } from './sound-channels.ts'

/** One box as it was found among its siblings. */
interface Child {
  offset: number
  size: number
  type: string
}

/** Boxes of one parent that are looked at. */
const MAX_CHILDREN = 4096
/** Boxes of all parents together: a hundred tracks have some thousands. */
const MAX_BOXES = 100_000
/** Containers within containers that are entered: the deepest known, the sample table, is the fourth within the movie box. */
const MAX_DEPTH = 6

/**
 * Mends flipped bits in the headers of the boxes of a movie box or fragment: a size that leads nowhere where one bit of it leads
 * to the next box, a type that nothing knows where one bit of it or what the box holds makes one that is missing, a version that
 * disagrees with the size, a count that disagrees with it. What agrees is never touched. @param work boxes that are looked at.
 * @returns the file as it should be read
 */
export function mendBoxes(
  reader: ByteReader,
  box: Box,
  findings: Findings,
  work = new Allowance(MAX_BOXES),
): ByteReader {
  const patches = new Patches(reader)
  new BoxMender(patches, findings, work).children(box.type, bodyOf(box), box.end, '', MAX_DEPTH)
  return patches.reader()
}

class BoxMender {
  readonly #patches: Patches
  readonly #findings: Findings
  readonly #boxes: Allowance

  constructor(patches: Patches, findings: Findings, boxes: Allowance) {
    this.#boxes = boxes
    this.#patches = patches
    this.#findings = findings
  }

  /**
   * Mends what lies in [start, end) of a box of a type, and in containers in it down to `depth` more; `handler` is that of the
   * media, if it is known yet.
   */
  children(parent: string, start: number, end: number, handler: string, depth: number): void {
    const found = this.#walk(parent, start, end)
    this.#name(parent, found)
    let media = handler
    for (const child of found) {
      const body = child.offset + 8
      const last = child.offset + child.size
      if (child.type === 'hdlr' && parent === 'mdia') media = this.#handler(child, found)
      if (CHILDREN[child.type]) {
        if (depth > 0) this.children(child.type, body, last, media, depth - 1)
      } else this.#leaf(child, media)
    }
    const [description, sizes] = ['stsd', 'stsz'].map((type) => found.find((child) => child.type === type))
    if (media === 'soun' && description && description.size >= 52 && sizes && sizes.size >= 20)
      mendSoundChannels(this.#patches, description.offset, sizes.offset, this.#findings)
  }

  /** Follows the sizes, and mends those that lead nowhere. */
  #walk(parent: string, start: number, end: number): Child[] {
    const found: Child[] = []
    const patches = this.#patches
    for (let at = start; at + 8 <= end && found.length < MAX_CHILDREN && this.#boxes.take(); ) {
      const declared = patches.u32(at)
      const type = patches.fourcc(at + 4)
      // A 32-bit zero closes a list in QuickTime, unless a name follows; 64-bit sizes occur nowhere in a movie box.
      if (declared <= 1 && !CHILDREN[parent]?.has(type)) break
      let size = declared
      const kind = meant(parent, type)
      // A size may lead past a whole sibling by chance: what a table counts is nearer evidence.
      const filling = this.#fills(kind, at, size, end) ? size : this.#filling(kind, at, end)
      const swallows = filling > 0 && filling !== size && this.#link(parent, at + filling, end) === EXACT
      const link = size >= 8 && !swallows ? this.#link(parent, at + size, end) : 0
      if (filling !== size && link < WEAK) {
        const mended = this.#mendedSize(parent, at, declared, kind, end, link)
        if (mended === 0) break
        if (mended !== declared) this.#findings.add(boxSize(type, at, declared, mended))
        patches.put32(at, mended)
        size = mended
      }
      found.push({ offset: at, size, type })
      at += size
    }
    return found
  }

  /**
   * The size that leads to a sibling or to the end: with one bit flipped, else to where the next sibling stands; 0 for none.
   * @param link how well the size declared leads on
   */
  #mendedSize(parent: string, at: number, declared: number, type: string, end: number, link: number): number {
    let best = link > 0 ? declared : 0
    let quality = link
    let rivals = 0
    for (let bit = 0; bit < 32; bit++) {
      const size = flip(declared, bit)
      if (size < 8 || at + size > end) continue
      const other = this.#fills(type, at, size, end) ? FILLED : this.#link(parent, at + size, end)
      if (other > quality) {
        best = size
        quality = other
        rivals = 0
      } else if (other === quality) rivals++
    }
    if (link > 0 && quality < EXACT) return declared
    // A link that is weak must at least be the only one.
    if (quality === WEAK && rivals > 0) best = 0
    if (best > 0 || !CHILDREN[parent]?.has(type)) return best
    for (let next = at + 8; next + 8 <= end; next++) {
      if (!AMBIGUOUS.has(this.#patches.fourcc(next + 4)) && this.#link(parent, next, end) >= EXACT)
        return next - at
    }
    return 0
  }

  /** True for the size that what is in a box asks for: the entries it counts, the fields it has, the boxes it holds. */
  #fills(type: string, at: number, size: number, end: number): boolean {
    if (at + size > end) return false
    const count = this.#patches.u32(at + 12)
    // of the samples' sizes, where they have not all the one that stands in the place of others' counts
    if (type === 'stsz') return size === 20 + (count === 0 ? this.#patches.u32(at + 16) * 4 : 0)
    if (type === 'stsd') return count === 1 && size === 16 + this.#patches.u32(at + 16)
    const entry = ENTRY_BYTES[type]
    if (entry !== undefined) return count > 0 && size === 16 + count * entry
    const children = CHILDREN[type]
    if (children) return this.#isFull(children, at + 8, at + size)
    return HEADER_SIZES[type]?.includes(size) ?? false
  }

  /** True where known boxes lie one behind the other from a container's start to its end. */
  #isFull(known: ReadonlySet<string>, start: number, end: number): boolean {
    let at = start
    for (let count = 0; at + 8 <= end && count < MAX_CHILDREN; count++) {
      const size = this.#patches.u32(at)
      if (size < 8 || !known.has(this.#patches.fourcc(at + 4))) return false
      at += size
    }
    return at === end && end > start
  }

  /** The size that one flipped bit makes of a box's and that what is in it asks for; 0 for none. */
  #filling(type: string, at: number, end: number): number {
    for (let bit = 0; bit < 32; bit++) {
      const size = flip(this.#patches.u32(at), bit)
      if (size >= 8 && this.#fills(type, at, size, end)) return size
    }
    return 0
  }

  /** How well a box among the children of `parent` may start at an offset: 0 not at all. */
  #link(parent: string, at: number, end: number): number {
    if (at === end) return EXACT
    if (at + 4 <= end && at + 8 > end) return this.#patches.u32(at) === 0 ? WEAK : 0
    if (at + 8 > end) return 0
    const size = this.#patches.u32(at)
    const type = this.#patches.fourcc(at + 4)
    const fits = size >= 8 && at + size <= end
    const known = CHILDREN[parent]
    if (known?.has(type)) return fits ? EXACT : 2
    if (fits && isMisplaced(parent, type)) return MISPLACED
    if ((size === 0 && at + 8 >= end) || (fits && isFourcc(type))) return WEAK
    if (fits && this.#contained(parent, { offset: at, size, type })) return 2
    for (const other of known ?? []) if (differingBits(type, other) === 1) return fits ? 2 : 0
    return 0
  }

  /** Gives boxes their types back: those that are missing, by the one that differs least from their type. */
  #name(parent: string, found: Child[]): void {
    const known = CHILDREN[parent]
    if (!known) return
    for (const type of REQUIRED[parent] ?? []) {
      const other = ALTERNATIVE[type]
      if (found.some((child) => child.type === type || child.type === other)) continue
      this.#rename(parent, found, [type, ...(other ? [other] : [])], 2, true)
    }
    for (const type of OPTIONAL[parent] ?? []) {
      if (!REPEATED.has(type) && found.some((child) => child.type === type)) continue
      this.#rename(parent, found, [type], ENTRY_BYTES[type] === undefined ? 1 : 2, false)
    }
    for (const child of found) {
      const type = this.#contained(parent, child)
      if (type && (REPEATED.has(type) || !found.some((other) => other.type === type)))
        this.#retype(child, type)
    }
    if (parent === 'stbl')
      for (const { box, type } of unnamedRuns(this.#patches, found)) this.#retype(box, type)
    this.#nameByShape(parent, found)
    // A sync table whose type became that of the chunk map, and the like: the second one of a kind is the missing kind.
    const seen = new Set<string>()
    for (const child of found) {
      if (!seen.has(child.type)) {
        seen.add(child.type)
        continue
      }
      const twin = TWINS[child.type]
      if (!twin || found.some(({ type }) => type === twin)) continue
      const wrong = found.filter(({ type }) => type === child.type).find((one) => this.#hasShape(one, twin))
      if (wrong) this.#retype(wrong, twin)
    }
  }

  /**
   * A box whose type is destroyed is the header that its parent must have and has not, where its size and version are that one's;
   * else it is passed over, so that it costs nothing but itself.
   */
  #nameByShape(parent: string, found: Child[]): void {
    const destroyed = found.filter(({ type }) => !isFourcc(type))
    for (const type of REQUIRED[parent] ?? []) {
      const sizes = HEADER_SIZES[type]
      if (!sizes || found.some((child) => child.type === type)) continue
      const alike = destroyed.filter(({ size, offset }) => sizes[this.#patches.u8(offset + 8)] === size)
      if (alike.length === 1) this.#retype(alike[0], type)
    }
    for (const child of destroyed)
      if (!isFourcc(child.type) && child !== found.at(-1)) this.#retype(child, 'free')
  }

  #rename(parent: string, found: Child[], types: readonly string[], most: number, required: boolean): void {
    const known = CHILDREN[parent]
    const kinds = [...new Set(found.map(({ type }) => type))]
    for (let bits = 1; bits <= most; bits++) {
      for (const type of types) {
        if (!kinds.some((kind) => differingBits(kind, type) === bits)) continue
        for (const child of found) {
          if (differingBits(child.type, type) !== bits || !this.#hasShape(child, type)) continue
          if (
            bits > 1 &&
            !required &&
            !this.#fills(type, child.offset, child.size, child.offset + child.size)
          )
            continue
          // A known box is another's damaged header only where that one must be.
          if (known?.has(child.type) && !(required && bits === 1 && this.#isSpare(parent, found, child)))
            continue
          this.#retype(child, type)
          if (!REPEATED.has(type)) return
        }
      }
    }
  }

  /** True for a known box that its parent need not have, or has twice. */
  #isSpare(parent: string, found: readonly Child[], child: Child): boolean {
    return (
      !(REQUIRED[parent] ?? []).includes(child.type) ||
      found.filter(({ type }) => type === child.type).length > 1
    )
  }

  #retype(child: Child, type: string): void {
    this.#findings.add(headerMended(child.offset, child.type, type))
    this.#patches.putFourcc(child.offset + 4, type)
    child.type = type
  }

  /** Whether a box has the size, and a container the first child, that its type asks for. */
  #hasShape(child: Child, type: string): boolean {
    const inner = CHILDREN[type]
    if (inner) {
      const first = this.#patches.fourcc(child.offset + 12)
      return (
        child.size >= 16 && (inner.has(first) || [...inner].some((one) => differingBits(one, first) === 1))
      )
    }
    const sizes = HEADER_SIZES[type]
    if (sizes) return sizes.includes(child.size)
    const entry = ENTRY_BYTES[type]
    if (entry === undefined) return child.size >= 12
    const count = this.#patches.u32(child.offset + 12)
    const room = (child.size - 16) / entry
    return room === count || (Number.isInteger(room) && differByOneBit(room, count))
  }

  /**
   * The container that a box of a type which nothing knows is, by its content: nothing but what it may hold, and all that it
   * must.
   */
  #contained(parent: string, { offset, size, type }: Child): string | undefined {
    if (isKnown(type)) return undefined
    for (const container of HOLDERS[parent] ?? []) {
      const required = REQUIRED[container]
      if (!this.#isFull(CHILDREN[container], offset + 8, offset + size)) continue
      const inside = new Set<string>()
      for (let at = offset + 8; at < offset + size; at += this.#patches.u32(at))
        inside.add(this.#patches.fourcc(at + 4))
      if (required.every((one) => inside.has(one) || inside.has(ALTERNATIVE[one] ?? one))) return container
    }
    return undefined
  }

  /** The handler type of a media, mended where one bit makes it the one that the media header beside it asks for. */
  #handler(child: Child, siblings: readonly Child[]): string {
    const at = child.offset + 16
    const type = this.#patches.fourcc(at)
    if (child.size < 20 || isHandler(type)) return type
    const information = siblings.find((one) => one.type === 'minf')
    const header = information ? this.#patches.fourcc(information.offset + 12) : ''
    const wanted = Object.entries(HANDLER_OF).find(([name]) => differingBits(name, header) <= 1)?.[1]
    if (wanted === undefined || differingBits(wanted, type) !== 1) return type
    this.#findings.add(headerMended(at - 16, type, wanted))
    this.#patches.putFourcc(at, wanted)
    return wanted
  }

  #leaf(child: Child, handler: string): void {
    const sizes = HEADER_SIZES[child.type]
    if (sizes) this.#version(child, sizes)
    else if (child.type === 'elst') this.#editCount(child)
    else if (child.type === 'stsd')
      mendSampleDescription(this.#patches, child.offset, child.size, handler, this.#findings)
    else if (child.type === 'stsz') this.#sizeTable(child)
    else {
      const entry = ENTRY_BYTES[child.type]
      if (entry !== undefined) this.#count(child, child.offset + 12, (child.size - 16) / entry)
    }
  }

  /** The size of a header tells its version. */
  #version(child: Child, sizes: readonly [number, number]): void {
    const version = sizes.indexOf(child.size)
    const was = this.#patches.u8(child.offset + 8)
    if (version < 0 || was === version) return
    this.#findings.add(headerMended(child.offset, `version ${was} of '${child.type}'`, `${version}`))
    this.#patches.put8(child.offset + 8, version)
  }

  #editCount(child: Child): void {
    const count = this.#patches.u32(child.offset + 12)
    const bytes = child.size - 16
    const version = this.#patches.u8(child.offset + 8)
    const rooms = [bytes / 12, bytes / 20]
    if (rooms[version] === count) return
    const other = rooms.indexOf(count)
    if (other >= 0) {
      this.#findings.add(headerMended(child.offset, `version ${version} of 'elst'`, `${other}`))
      this.#patches.put8(child.offset + 8, other)
    } else this.#count(child, child.offset + 12, rooms[version] ?? bytes / 12)
  }

  /** A table of single sizes has no size for all; its box tells how many there are. */
  #sizeTable(child: Child): void {
    const { offset, size } = child
    const constant = this.#patches.u32(offset + 12)
    const room = (size - 20) / 4
    if (room < 1) return
    const count = this.#patches.u32(offset + 16)
    const agrees = count === room || differByOneBit(count, room)
    if (constant !== 0 && differByOneBit(constant, 0) && agrees) {
      this.#findings.add(headerMended(offset, `constant ${constant} of 'stsz'`, '0'))
      this.#patches.put32(offset + 12, 0)
    }
    this.#count(child, offset + 16, room)
  }

  /** A count that differs from the box's room in one bit is wrong, unless what it leaves out is empty. */
  #count(child: Child, at: number, room: number): void {
    const count = this.#patches.u32(at)
    if (count === room || !Number.isInteger(room) || room < 0 || !differByOneBit(count, room)) return
    const last = child.offset + child.size
    if (count < room && this.#patches.u32(last - 4) === 0 && this.#patches.u32(last - 8) === 0) return
    this.#findings.add(headerMended(child.offset, `count ${count} of '${child.type}'`, `${room}`))
    this.#patches.put32(at, room)
  }
}
