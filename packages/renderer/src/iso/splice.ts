import { closeSync, openSync, writeSync } from 'node:fs'
import { RendererError } from '../errors.ts'
import { type Box, boxesIn, makeBox, makeList } from './boxes.ts'
import type { IsoFile } from './file.ts'
import type { SampleTable } from './samples.ts'

/** Bytes that take the place of `length` bytes at `offset` of the original. */
export interface Substitution {
  readonly offset: number
  readonly length: number
  readonly size: number
  bytes(): Buffer
}

/** What becomes of one track. Boxes not named stay as they are. */
export interface TrackChange {
  readonly trak: Box
  /** New boxes of the sample table by type; undefined leaves a box out. */
  readonly tables: ReadonlyMap<string, Buffer | undefined>
  /** New boxes of other places of the track by path, e.g. `mdia/mdhd`; undefined leaves a box out. */
  readonly others?: ReadonlyMap<string, Buffer | undefined>
}

const COPY_BYTES = 4 * 1024 * 1024
const CONTAINERS: readonly string[] = ['moov', 'trak', 'mdia', 'minf', 'stbl']

/**
 * Writes a copy of `file` in which stretches of the payload and boxes of the index are exchanged. All other bytes stay in
 * their order, so chunks stay chunks: only the offsets of the index move.
 * @throws RendererError `unsupported` when the result would outgrow the number of bytes its boxes can tell
 */
export function writeSpliced(
  file: IsoFile,
  path: string,
  substitutions: readonly Substitution[],
  change: TrackChange | undefined,
  movie?: ReadonlyMap<string, Buffer>,
): void {
  const payload = [...substitutions].sort((a, b) => a.offset - b.offset)
  for (const [index, { offset, length }] of payload.entries()) {
    const next = payload[index + 1]
    if (next && next.offset < offset + length)
      throw new RendererError('unsupported', 'samples of the track share bytes')
  }
  const rebuild = (shift: (offset: number) => number, wide: boolean): Buffer =>
    rebuildBox(file.moov, file.root, '', { change, movie, shift, wide, inTrack: false })
  const growth = payload.reduce((sum, { size, length }) => sum + size - length, 0)
  const plain = rebuild((offset) => offset, false)
  const wide = file.size + growth + plain.length - file.moovBox.size > 0xffff_ffff
  const length = wide ? rebuild((offset) => offset, true).length : plain.length
  const all = [...payload, ...mediaHeaders(file, payload)]
  all.push({ offset: file.moovBox.offset, length: file.moovBox.size, size: length, bytes: () => index })
  all.sort((a, b) => a.offset - b.offset)
  const index = rebuild(shifter(all), wide)
  if (index.length !== length) throw new RendererError('crashed', 'the new index changed its size')
  write(file, path, all)
}

/** New size fields of the boxes that hold the payload. */
function mediaHeaders(file: IsoFile, payload: readonly Substitution[]): Substitution[] {
  const changed: Substitution[] = []
  for (const box of file.top) {
    if (box.type === 'moov' || box.open) continue
    const growth = payload
      .filter(({ offset }) => offset >= box.offset && offset < box.offset + box.size)
      .reduce((sum, { size, length }) => sum + size - length, 0)
    if (growth === 0) continue
    const large = box.header === 16
    const field = Buffer.alloc(large ? 8 : 4)
    if (large) field.writeBigUInt64BE(BigInt(box.size + growth))
    else if (box.size + growth <= 0xffff_ffff) field.writeUInt32BE(box.size + growth)
    else throw new RendererError('unsupported', 'the payload would outgrow its box of 4 GiB')
    changed.push({
      offset: box.offset + (large ? 8 : 0),
      length: field.length,
      size: field.length,
      bytes: () => field,
    })
  }
  return changed
}

/** New place of an offset of the original: what grew in front of it moves it. */
function shifter(all: readonly Substitution[]): (offset: number) => number {
  const growths = new Float64Array(all.length)
  let sum = 0
  for (const [i, { size, length }] of all.entries()) {
    sum += size - length
    growths[i] = sum
  }
  return (offset) => {
    let low = 0
    let high = all.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((all[middle]?.offset ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return offset + (low === 0 ? 0 : (growths[low - 1] ?? 0))
  }
}

interface Rebuild {
  readonly change: TrackChange | undefined
  readonly movie: ReadonlyMap<string, Buffer> | undefined
  readonly shift: (offset: number) => number
  readonly wide: boolean
  /** Within the changed track. */
  readonly inTrack: boolean
}

function rebuildBox(moov: Buffer, box: Box, path: string, work: Rebuild): Buffer {
  const parts: Buffer[] = []
  let at = box.content
  for (const child of boxesIn(moov, box.content, box.end)) {
    at = child.end
    const part = rebuildChild(moov, child, path, work)
    if (part) parts.push(part)
  }
  // Some writers end a list with four zero bytes; they stay.
  parts.push(moov.subarray(at, box.end))
  if (box.type === 'stbl' && work.inTrack) {
    const present = boxesIn(moov, box.content, box.end).map(({ type }) => type)
    for (const [type, bytes] of work.change?.tables ?? [])
      if (bytes && !present.includes(type)) parts.splice(-1, 0, bytes)
  }
  return makeBox(box.type, ...parts)
}

function rebuildChild(moov: Buffer, child: Box, path: string, work: Rebuild): Buffer | undefined {
  const { change, movie } = work
  const inTrack = work.inTrack || child.start === change?.trak.start
  const name = path ? `${path}/${child.type}` : child.type
  if (path === '' && movie?.has(child.type)) return movie.get(child.type)
  if (work.inTrack && change) {
    if (path === 'trak/mdia/minf/stbl' && change.tables.has(child.type)) return change.tables.get(child.type)
    const below = name.slice('trak/'.length)
    if (change.others?.has(below)) return change.others.get(below)
  }
  if (child.type === 'stco' || child.type === 'co64') return movedChunks(moov, child, work)
  if (CONTAINERS.includes(child.type)) return rebuildBox(moov, child, name, { ...work, inTrack })
  return moov.subarray(child.start, child.end)
}

function movedChunks(moov: Buffer, box: Box, { shift, wide }: Rebuild): Buffer {
  const from = box.type === 'stco' ? 4 : 8
  const to = wide ? 8 : from
  const count = Math.min(moov.readUInt32BE(box.content + 4), Math.floor((box.end - box.content - 8) / from))
  const content = Buffer.alloc(8 + count * to)
  content.writeUInt32BE(count, 4)
  for (let i = 0; i < count; i++) {
    const at = box.content + 8 + i * from
    const offset = shift(from === 4 ? moov.readUInt32BE(at) : Number(moov.readBigUInt64BE(at)))
    if (to === 4) content.writeUInt32BE(offset, 8 + i * to)
    else content.writeBigUInt64BE(BigInt(offset), 8 + i * to)
  }
  return makeBox(to === 4 ? 'stco' : 'co64', content)
}

function write(file: IsoFile, path: string, all: readonly Substitution[]): void {
  const output = openSync(path, 'w')
  const put = (bytes: Buffer): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(output, bytes, done)
  }
  const copy = (start: number, end: number): void => {
    for (let at = start; at < end; at += COPY_BYTES) put(file.read(at, Math.min(COPY_BYTES, end - at)))
  }
  try {
    let at = 0
    for (const { offset, length, bytes } of all) {
      copy(at, offset)
      put(bytes())
      at = offset + length
    }
    copy(at, file.size)
  } finally {
    closeSync(output)
  }
}

/** Sample tables for new sizes, presentation times (`dts + shifts`) and sync samples. */
export function sampleTables(
  samples: SampleTable,
  sizes: Uint32Array,
  shifts: Int32Array | undefined,
  sync: Uint8Array | undefined,
): Map<string, Buffer | undefined> {
  const tables = new Map<string, Buffer | undefined>()
  tables.set('stz2', undefined)
  tables.set('stsz', makeList('stsz', Array.from(sizes), 1, [0]))
  if (shifts) tables.set('ctts', shiftTable(shifts))
  if (sync && samples.sync) {
    const numbers: number[] = []
    for (const [i, flag] of sync.entries()) if (flag) numbers.push(i + 1)
    tables.set('stss', makeList('stss', numbers, 1))
  }
  return tables
}

/** Composition offsets run by run; version 1 when one is negative (ISO/IEC 14496-12:2022 §8.6.1.3). */
export function shiftTable(shifts: Int32Array): Buffer {
  const runs: number[] = []
  for (const shift of shifts) {
    if (runs.length > 0 && runs[runs.length - 1] === shift)
      runs[runs.length - 2] = (runs[runs.length - 2] ?? 0) + 1
    else runs.push(1, shift)
  }
  const box = makeList('ctts', runs, 2)
  if (shifts.some((shift) => shift < 0)) box[8] = 1
  return box
}
