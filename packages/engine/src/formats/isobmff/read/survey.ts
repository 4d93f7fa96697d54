import type { ByteReader } from '../../../bytes/reader.ts'
import { joinNearest, mergeRegions, type Region } from '../../../bytes/regions.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { type Box, bodyOf, isCut } from '../../../syntax/iso-boxes/box.ts'
import { mediaBehind } from '../boxes/mdat.ts'
import { foreignData, headLost, mdatSize, trailingData, vendorTrailer } from '../findings.ts'
import { certainTrack } from './orphan-tracks.ts'
import { believableBox, certainBox } from './plausible.ts'
import { SignatureScanner } from './scan.ts'
import { trailerName } from './trailers.ts'

/** What one pass over a file's top level saw. */
export interface Survey {
  /** Believable top-level boxes in file order; sizes of media data corrected where the next box shows them wrong. */
  readonly boxes: readonly Box[]
  /** Stretches that are no box. */
  readonly gaps: readonly Region[]
  /**
   * Everything that can hold samples: bodies of media data and gaps, in file order; not zeros before all media data. Where these
   * are more than a recording of so many bytes has, the nearest are joined with what lies between.
   */
  readonly payload: readonly Region[]
  /** Bytes that media data boxes are longer (or, negative, shorter) than they declare: hints at insertions and deletions. */
  readonly displacements: readonly number[]
}

/** Boxes at the top at most: a day in fragments of a second has 180,000. */
const MAX_BOXES = 1_000_000
/**
 * The same of a smaller file: so many, and one for so many bytes. A fragment of one packet of sound and its media data take 260.
 */
const FEW_BOXES = 100_000
const BYTES_A_BOX = 128
/**
 * Places of any file, and of one of so many bytes, from which the next header is looked for. What is hit more often than that
 * shows nothing at its top level: the rest of it is one stretch.
 */
const FEW_SEARCHES = 4_000
const BYTES_A_SEARCH = 1 << 14
/**
 * Stretches of payload at most, and bytes for each further one: what is looked for in them is looked for anew in each. Writers of
 * plain files begin media data a few times; those of fragments may for each picture, and sound takes less for a packet each.
 */
const PLAIN_PAYLOAD = { few: 2_000, bytesEach: 1 << 16 }
const FRAGMENTED_PAYLOAD = { few: 20_000, bytesEach: 1 << 11 }
/** Boxes between two looks at the world outside: a step over a small one takes less time than the look. */
const PAUSE_EVERY = 64
/** A box's size, in front of its type. */
const SIZE_BYTES = 4
/** How far before the believed end of media data the next box is looked for, for the case that bytes were deleted. */
const LOOK_BACK = 16 * 1024 * 1024
const RESYNC = new SignatureScanner([
  'moov',
  'moof',
  'mdat',
  'ftyp',
  'free',
  'skip',
  'udta',
  'uuid',
  'mfra',
  'styp',
  'sidx',
  'wide',
  'meta',
])

/**
 * Walks the top level of a file. Where a header is impossible, the next one is found by its signature; media data that
 * swallows a movie box because its size is wrong is cut short. Time in proportion to the damaged stretches, at most one
 * pass over the file.
 */
export async function survey(reader: ByteReader, findings: Findings, monitor: Monitor): Promise<Survey> {
  const boxes: Box[] = []
  const gaps: Region[] = []
  const displacements: number[] = []
  const most = mostBoxes(reader)
  const searches = new Allowance(FEW_SEARCHES + Math.floor(reader.size / BYTES_A_SEARCH))
  let at = 0
  for (let step = 1; at < reader.size && boxes.length < most; step++) {
    const box = believableBox(reader, at)
    const sane = box && !isCut(box) && box.form !== 'to-end'
    if (sane || (box && box.type !== 'mdat')) {
      boxes.push(box)
      at = box.end
    } else if (!searches.take()) {
      break
    } else if (box) {
      const next = await findNext(reader, bodyOf(box), monitor)
      const end = next ?? reader.size
      if (next !== undefined && box.form !== 'to-end') displacements.push(end - box.offset - box.size)
      if (isCut(box) || next !== undefined) findings.add(mdatSize(box.offset, box.size, end - box.offset))
      boxes.push({ ...box, size: end - box.offset, end })
      at = end
    } else {
      at = await resynchronise(reader, at, boxes, gaps, findings, displacements, monitor)
    }
    if (step % PAUSE_EVERY > 0) continue
    await monitor.pause()
    monitor.progress('survey', at / reader.size)
  }
  if (at < reader.size) gaps.push({ offset: at, length: reader.size - at })
  reportGaps(reader, boxes, gaps, findings)
  monitor.progress('survey', 1)
  const bodies = boxes
    .filter((box) => box.type === 'mdat')
    .map((box) => ({ offset: bodyOf(box), length: box.end - bodyOf(box) }))
  const isZeroed = zeroedIndexes(reader, boxes)
  const holding = gaps.filter((gap) => !isZeroed(gap))
  const { few, bytesEach } = boxes.some(({ type }) => type === 'moof') ? FRAGMENTED_PAYLOAD : PLAIN_PAYLOAD
  const payload = joinNearest(
    mergeRegions([...bodies, ...holding]),
    few + Math.floor(reader.size / bytesEach),
  )
  return { boxes, gaps, payload, displacements }
}

/** Boxes that a file may have at its top. */
export function mostBoxes(reader: ByteReader): number {
  return Math.min(MAX_BOXES, FEW_BOXES + Math.floor(reader.size / BYTES_A_BOX))
}

/**
 * Tells zeros of a plain file before the header of its first media data, or from where media data say they end, be it behind a
 * size that is theirs: an index or free space stood there, and no sample was lost.
 */
function zeroedIndexes(reader: ByteReader, boxes: readonly Box[]): (gap: Region) => boolean {
  const media = boxes.filter(({ type }) => type === 'mdat')
  if (media.length === 0 || boxes.some(({ type }) => type === 'moof')) return () => false
  const ends = new Set(media.map(({ end }) => end))
  return ({ offset, length }) => {
    if (!ends.has(offset) && offset + length > media[0].offset) return false
    const from = length > SIZE_BYTES && reader.u32(offset) === length ? offset + SIZE_BYTES : offset
    return isZero(reader, from, offset + length)
  }
}

/**
 * Where the last media data of a plain file end whose boxes follow each other from its first byte on: what stands behind that was
 * no media. Undefined without any.
 */
export function mediaEnd(reader: ByteReader): number | undefined {
  let media: Box | undefined
  let at = 0
  for (let boxes = 0; at < reader.size && boxes < FEW_BOXES; boxes++) {
    const box = believableBox(reader, at)
    if (!box || isCut(box) || box.form === 'to-end') break
    if (box.type === 'moof') return undefined
    if (box.type === 'mdat') media = box
    at = box.end
  }
  return media?.end
}

/** Goes on after an impossible header at `at`: back into the media data before it, else forward. @returns where. */
async function resynchronise(
  reader: ByteReader,
  at: number,
  boxes: Box[],
  gaps: Region[],
  findings: Findings,
  displacements: number[],
  monitor: Monitor,
): Promise<number> {
  const last = boxes.at(-1)
  if (last?.type === 'mdat' && last.end === at) {
    const from = Math.max(bodyOf(last), at - LOOK_BACK)
    const back = await findNext(reader, from, monitor, at)
    if (back !== undefined) {
      findings.add(mdatSize(last.offset, last.size, back - last.offset))
      displacements.push(back - at)
      boxes[boxes.length - 1] = { ...last, size: back - last.offset, end: back }
      return back
    }
  }
  const next = (await findNext(reader, at, monitor)) ?? reader.size
  if (last?.type === 'mdat' && last.end === at && next < reader.size) {
    findings.add(mdatSize(last.offset, last.size, next - last.offset))
    displacements.push(next - at)
    boxes[boxes.length - 1] = { ...last, size: next - last.offset, end: next }
  } else gaps.push({ offset: at, length: next - at })
  return next
}

/** Offset of the first certain box header in [from, to). */
async function findNext(
  reader: ByteReader,
  from: number,
  monitor: Monitor,
  to = reader.size,
): Promise<number | undefined> {
  let result: number | undefined
  await RESYNC.scan(
    reader,
    from,
    Math.min(reader.size, to + 4),
    monitor,
    (code) => {
      const offset = code - 4
      if (offset < from || !certainBox(reader, offset)) return code + 1
      result = offset
      return -1
    },
    { name: 'survey', from: from / reader.size, to: 1 },
  )
  return result
}

/** What QuickTime's recorders rename the movie box to that they began with once they have finished the file. */
export const SPENT_MOVIE = 'hoov'

/**
 * Searches media data for movie boxes and fragments that the walk passed over, and for tracks outside movie boxes, for files
 * without a usable one. One pass over the regions, up to the box that is the last of the `most` wanted.
 */
export async function findSwallowed(
  reader: ByteReader,
  regions: readonly Region[],
  monitor: Monitor,
  most = mostBoxes(reader),
): Promise<Box[]> {
  const found: Box[] = []
  const scanner = new SignatureScanner(['moov', SPENT_MOVIE, 'moof', 'trak'])
  for (const region of regions) {
    await scanner.scan(reader, region.offset, region.offset + region.length, monitor, (code) => {
      const box =
        code < 4
          ? undefined
          : reader.fourcc(code) === 'trak'
            ? certainTrack(reader, code - 4)
            : certainBox(reader, code - 4)
      if (box) found.push(box.type === SPENT_MOVIE ? { ...box, type: 'moov' } : box)
      return found.length >= most ? -1 : box ? Math.min(box.end, region.offset + region.length) : code + 1
    })
  }
  return found
}

/** The bytes of boxes that were found among media data, with the header of those that go on behind each, joined. */
export function boxRegions(reader: ByteReader, boxes: readonly Box[]): Region[] {
  return mergeRegions(boxes.map(({ offset, end }) => ({ offset, length: mediaBehind(reader, end) - offset })))
}

function reportGaps(
  reader: ByteReader,
  boxes: readonly Box[],
  gaps: readonly Region[],
  findings: Findings,
): void {
  for (const gap of gaps) {
    const end = gap.offset + gap.length
    const zeros = isZero(reader, gap.offset, end)
    if (gap.offset === 0) findings.add(headLost(gap.length))
    else if (end < reader.size || boxes.length === 0) findings.add(foreignData(gap.offset, gap.length, zeros))
    else {
      const vendor = gap.length < 8 ? 'stray' : trailerName(reader, gap.offset)
      findings.add(
        vendor ? vendorTrailer(gap.offset, gap.length, vendor) : trailingData(gap.offset, gap.length, zeros),
      )
    }
  }
}
