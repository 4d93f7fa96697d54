import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { isZero } from '../../bytes/zeros.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { finding } from './findings.ts'
import { holesOf } from './holes.ts'
import { findPutIn } from './put-in.ts'
import {
  FILE_HEADER,
  findInfo,
  type Info,
  isCoded,
  isForeign,
  isSigned,
  leastOffset,
  paletteStart,
  plainBytes,
  strideOf,
} from './read.ts'
import { type Runs, readRuns } from './run-lengths.ts'
import { findShift, type Shift, standsToItsEnd } from './shift.ts'

/** Where the pixels lie in a file, by a header that still tells. */
export interface Placed {
  readonly info: Info
  /** Where the header begins. */
  readonly at: number
  readonly offset: number
  /** Whether two facts agree about it. */
  readonly sure: boolean
  /** Bytes of the pixels when whole; of run-length codes those that can be read. */
  readonly length: number
  readonly runs: Runs | undefined
  /** Stretches that were never written. */
  readonly holes: readonly Region[]
  readonly paletteLost: boolean
  readonly profileCut: boolean
  /** Pixels that were put in or are missing among the others. */
  readonly shift?: Shift
  /** Whether bytes may have been put in among the pixels without anything showing where. */
  readonly unclear?: boolean
}

export interface Assessment {
  readonly findings: Findings
  readonly placed: Placed | undefined
  /** Bits of a pixel where the rest of the header is not to be believed. */
  readonly depth: number | undefined
  readonly healthy: boolean
  /** Whether its pixels are coded in a way not known here. */
  readonly foreign: boolean
}

/** Said of a bitmap that is coded in a way not known here. */
export const FOREIGN = 'The pixels are coded in a way that is not supported.'

/** Gap in front of the first pixel that is believed. */
const MOST_GAP = 1 << 16

/** Reads a file's headers and holds sizes and places against each other. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  await monitor.pause()
  monitor.progress('diagnose', 1)
  if (isForeign(reader)) {
    findings.add(finding('unsupported', FOREIGN, { offset: FILE_HEADER }))
    return { findings, placed: undefined, depth: undefined, healthy: false, foreign: true }
  }
  const found = findInfo(reader)
  const lost = (message: string, depth?: number): Assessment => {
    findings.add(finding('header', message, { offset: Math.min(FILE_HEADER, reader.size) }))
    return { findings, placed: undefined, depth, healthy: false, foreign: false }
  }
  if (!found) return lost('no header tells how the pixels lie')
  const { at, info } = found
  const { size } = reader
  const whole = at === FILE_HEADER
  if (!whole || !isSigned(reader))
    findings.add(finding('fileHeader', 'the file does not begin with its header', { offset: 0, length: at }))
  const declared = whole ? reader.u32le(2) : 0
  if (info.coloursOdd)
    findings.add(finding('colours', 'a palette that no pixel could name', { offset: at + 32, length: 4 }))
  const { offset, right, sure } = placePixels(reader, at, info, declared)
  if (!right) findings.add(finding('pixelOffset', `the pixels begin at ${offset}`, { offset: 0 }))
  const runs = isCoded(info) ? await readRuns(reader, info, offset, monitor) : undefined
  const length = runs ? runs.end - offset : plainBytes(info)
  const end = offset + length
  const stride = strideOf(info)
  const otherSize = declared === size && (end - size >= stride || isLonger(info, size - offset))
  if (!runs && otherSize) return lost('width and height do not fit the bytes that are there', info.bits)
  // a file that is longer or shorter than it says, and whose pixels are as many as it says, may differ in their midst
  const said = Math.max(declared, end)
  const change = runs ? 0 : size > end ? Math.max(0, size - said) : declared === end ? size - end : 0
  const { shift, unclear } = await findChange(reader, info, offset, change, monitor)
  if (shift) {
    const where = shift.at === offset ? 'in front of' : 'among'
    const which = shift.bytes > 0 ? `put in ${where}` : 'missing among'
    const message = `${Math.abs(shift.bytes)} bytes were ${which} the pixels`
    findings.add(finding('shifted', message, { offset: shift.at }))
  } else if (runs ? !isComplete(runs, info, declared, size) : end > size)
    findings.add(finding('truncated', 'the pixels break off', { offset: Math.min(end, size) }))
  const profileEnd = info.profile ? at + info.profile.offset + info.profile.length : 0
  const profileCut = profileEnd > size
  const last = Math.max(end, profileCut ? 0 : profileEnd)
  if (profileCut) findings.add(finding('beside', 'the colour profile breaks off', { offset: size }))
  const few = declared > size && last < size && declared - size <= MOST_GAP
  if (few) findings.add(finding('beside', 'what stood behind the pixels breaks off', { offset: size }))
  // programs of OS/2 write the size of the headers there
  const headers = declared === FILE_HEADER + info.bytes
  if (whole && end <= size && !(declared >= last && declared <= size) && !few && !headers)
    findings.add(finding('fileSize', `the size of the file is not ${declared}`, { offset: 2, length: 4 }))
  const room = Math.max(size, few || end > size ? declared : 0) - offset
  if (info.imageSize !== 0 && (info.imageSize < length || info.imageSize > Math.max(length, room)))
    // no program asks for it where rows tell
    findings.add({
      ...finding('imageSize', `the size of the image is not ${info.imageSize}`, {
        offset: at + 20,
        length: 4,
      }),
      ...(runs ? {} : { severity: 'info' }),
    })
  if (unclear) {
    const message = `${change} bytes more than the pixels need, which may lie among them`
    findings.add(finding('unclear', message, { offset: last }))
  } else if (last < size && !shift)
    findings.add(finding('trailing', `${size - last} bytes behind the image`, { offset: last }))
  const from = at + paletteStart(info)
  const to = Math.min(offset, from + info.colours * info.colourBytes)
  const paletteLost = info.bits <= 8 && to - from > info.colourBytes && isZero(reader, from, to)
  if (paletteLost)
    findings.add(finding('palette', 'the palette is nothing but zeros', { offset: from, length: to - from }))
  const holes = runs || shift ? [] : await holesOf(reader, { offset, length }, stride, monitor)
  for (const hole of holes) findings.add(finding('data', 'pixels were never written', hole))
  const placed = {
    info,
    at,
    offset,
    sure,
    length,
    runs,
    holes,
    paletteLost,
    profileCut,
    ...(shift ? { shift } : {}),
    ...(unclear ? { unclear } : {}),
  }
  return { findings, placed, depth: info.bits, healthy: findings.healthy, foreign: false }
}

/** Where bytes were put in among the pixels or are missing there, by how rows go together, or whether that remains open. */
async function findChange(
  reader: ByteReader,
  info: Info,
  offset: number,
  bytes: number,
  monitor: Monitor,
): Promise<{ readonly shift?: Shift; readonly unclear: boolean }> {
  if (bytes === 0) return { unclear: false }
  const at = bytes > 0 ? await findPutIn(reader, info, offset, bytes, monitor) : 'nowhere'
  if (typeof at === 'number') return { shift: { at, bytes }, unclear: false }
  const shift = await findShift(reader, info, offset, bytes, monitor)
  if (shift) return { shift, unclear: false }
  return { unclear: at === 'unclear' && !(await standsToItsEnd(reader, info, offset, bytes, monitor)) }
}

/** Whether more pixels are there than width and height ask for, by the image's own size. */
function isLonger(info: Info, there: number): boolean {
  return info.imageSize === there && there - plainBytes(info) >= strideOf(info)
}

function isComplete(runs: Runs, { height }: Info, declared: number, size: number): boolean {
  return runs.ended || (runs.rows === height && declared === size)
}

/** The first pixel as the file header names it, else behind the palette. */
function placePixels(
  reader: ByteReader,
  at: number,
  info: Info,
  declared: number,
): { readonly offset: number; readonly right: boolean; readonly sure: boolean } {
  const least = at + leastOffset(info)
  const whole = at === FILE_HEADER
  const own = whole ? reader.u32le(10) : 0
  if (whole && own === least) return { offset: least, right: true, sure: true }
  const length = isCoded(info) ? info.imageSize : plainBytes(info)
  const fits = (offset: number): boolean =>
    length > 0 && (offset + length === reader.size || offset + length === declared)
  if (!whole) return { offset: least, right: true, sure: fits(least) }
  const near = own >= at + paletteStart(info) && own <= least + MOST_GAP && own < reader.size
  if (near && (fits(own) || (own > least && own + length <= reader.size && !fits(least))))
    return { offset: own, right: true, sure: true }
  return { offset: least, right: false, sure: fits(least) }
}
