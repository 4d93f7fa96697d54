import { RendererError } from '../errors.ts'
import { type Box, boxesIn, findBox, makeBox, makeList } from './boxes.ts'
import type { IsoFile } from './file.ts'
import { shiftTable, type TrackChange } from './splice.ts'

/** A constant rate: pictures of `delta` ticks with `timescale` ticks a second. */
export interface ConstantTime {
  readonly timescale: number
  readonly delta: number
}

/** Ticks that fit the fields of all versions of the boxes. */
const TICK_LIMIT = 0xffff_ffff

/**
 * The boxes of a track, and of the movie, that give its samples a constant rate in the order `rank` (place in display order
 * by place in decoding order). A late start of the track is kept.
 * @throws RendererError `unsupported` when the track's headers are not complete or the times too long
 */
export function constantTimes(
  file: IsoFile,
  trak: Box,
  rank: Uint32Array,
  { timescale, delta }: ConstantTime,
): { readonly change: TrackChange; readonly movie: ReadonlyMap<string, Buffer> } {
  const { moov, root } = file
  const mvhd = findBox(moov, root, 'mvhd')
  const tkhd = findBox(moov, trak, 'tkhd')
  const mdhd = findBox(moov, trak, 'mdia', 'mdhd')
  if (!mvhd || !tkhd || !mdhd || mvhd.end - mvhd.content < 32 || mdhd.end - mdhd.content < 24)
    throw new RendererError('unsupported', 'the headers of the track are not complete')
  const ticks = rank.length * delta
  const movieScale = moov.readUInt32BE(mvhd.content + (isWide(moov, mvhd) ? 20 : 12))
  const length = Math.round((ticks / timescale) * movieScale)
  if (ticks > TICK_LIMIT || length > TICK_LIMIT)
    throw new RendererError('unsupported', 'the times of the track would be too long')
  const edts = findBox(moov, trak, 'edts')
  const wait = edts ? emptyEdits(moov, edts) : []
  let late = 0
  if (edts) for (const [i, place] of rank.entries()) late = Math.max(late, i - place)
  const shifts = new Int32Array(rank.length)
  for (const [i, place] of rank.entries()) shifts[i] = (place + late - i) * delta
  const total = wait.reduce((sum, [duration = 0]) => sum + duration, length)
  const longest = Math.max(total, ...otherLengths(file, trak))
  return {
    change: {
      trak,
      tables: new Map([
        ['stts', makeList('stts', [rank.length, delta], 2)],
        ['ctts', shifts.some((shift) => shift !== 0) ? shiftTable(shifts) : undefined],
      ]),
      others: new Map([
        ['tkhd', withNumber(moov, tkhd, isWide(moov, tkhd) ? 28 : 20, total)],
        ['mdia/mdhd', withNumber(moov, mdhd, isWide(moov, mdhd) ? 24 : 16, ticks, timescale)],
        ['edts', makeBox('edts', makeList('elst', [...wait, [length, late * delta, 0x1_0000]].flat(), 3))],
      ]),
    },
    movie: new Map([['mvhd', withNumber(moov, mvhd, isWide(moov, mvhd) ? 24 : 16, longest)]]),
  }
}

function isWide(moov: Buffer, box: Box): boolean {
  return moov[box.content] === 1
}

/** A copy of a header box with the duration at `at` bytes of its content, and the timescale in front of it, changed. */
function withNumber(moov: Buffer, box: Box, at: number, duration: number, timescale?: number): Buffer {
  const copy = Buffer.from(moov.subarray(box.start, box.end))
  const place = box.content - box.start + at
  if (isWide(moov, box)) copy.writeBigUInt64BE(BigInt(duration), place)
  else copy.writeUInt32BE(duration, place)
  if (timescale !== undefined) copy.writeUInt32BE(timescale, place - 4)
  return copy
}

/** The edits in front that show nothing: duration, media time −1, rate (ISO/IEC 14496-12:2022 §8.6.6). */
function emptyEdits(moov: Buffer, edts: Box): number[][] {
  const elst = findBox(moov, edts, 'elst')
  if (!elst) return []
  const wide = isWide(moov, elst)
  const edits: number[][] = []
  const count = moov.readUInt32BE(elst.content + 4)
  let at = elst.content + 8
  for (let left = count; left > 0 && at + (wide ? 20 : 12) <= elst.end; left--) {
    const duration = wide ? Number(moov.readBigUInt64BE(at)) : moov.readUInt32BE(at)
    const time = wide ? Number(moov.readBigInt64BE(at + 8)) : moov.readInt32BE(at + 4)
    if (time !== -1 || duration > TICK_LIMIT) break
    edits.push([duration, 0xffff_ffff, 0x1_0000])
    at += wide ? 20 : 12
  }
  return edits
}

/** Lengths of the other tracks in ticks of the movie. */
function otherLengths({ moov, root }: IsoFile, trak: Box): number[] {
  return boxesIn(moov, root.content, root.end)
    .filter(({ type, start }) => type === 'trak' && start !== trak.start)
    .map((other) => {
      const tkhd = findBox(moov, other, 'tkhd')
      if (!tkhd || tkhd.end - tkhd.content < 36) return 0
      return isWide(moov, tkhd)
        ? Number(moov.readBigUInt64BE(tkhd.content + 28))
        : moov.readUInt32BE(tkhd.content + 20)
    })
    .filter((length) => length < TICK_LIMIT)
}
