import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { DOUBT, type Doubt, distinctDoubts, doubtsThat } from '../../model/doubt.ts'
import type { Finding } from '../../model/finding.ts'
import { movedPlaces, type PictureReport, withoutPlaces } from '../../model/photo.ts'
import { FILLED, LOST, type MendedPicture } from '../../photo/picture/picture.ts'
import type { Preview } from '../../photo/preview/preview.ts'
import { EOI, SOI } from '../../syntax/jpeg-markers/markers.ts'
import { type Analysis, NOTHING } from './analysis.ts'
import { finding } from './findings.ts'
import { type Completed, complete } from './mend/complete.ts'
import { type Parted, withoutForeign } from './mend/foreign-picture.ts'
import { foreignTables } from './mend/foreign-tables.ts'
import { type FurtherPictures, type Headless, mendFurther } from './mend/further-pictures.ts'
import { type HitTables, hitTables } from './mend/hit-tables.ts'
import { mendPicture, type Refusal, refusalOf } from './mend/mend-picture.ts'
import { type Overruled, overrule } from './mend/overrule.ts'
import { withProvenEnd } from './mend/proven-end.ts'
import { longestStretch, MAIN_PART, type Salvage, salvage } from './mend/salvage.ts'
import { isWithinHeader } from './mend/within-header.ts'
import { type ExifFacts, exifOf } from './read/exif.ts'
import { filmWithin, isFilm } from './read/film.ts'
import { ownPreviews, previewPlaces } from './read/own-previews.ts'
import { picturesWithin } from './read/previews.ts'
import { type ReadPicture, readPicture } from './read/read-picture.ts'
import { pictureDoubts, reportPicture } from './report-picture.ts'
import { isRead, nothingFound, nothingRead } from './stored-preview.ts'
import { correctFurtherPictures } from './write/further-pictures.ts'
import { lentSegments } from './write/lent-segments.ts'
import { type RebuiltHeader, rebuildHeader } from './write/rebuild-header.ts'
import { writePicture, writeRebuilt } from './write/write-picture.ts'

const REASONS: Readonly<Record<Refusal, string>> = {
  arithmetic: 'The picture is coded arithmetically or by differences, which is not supported.',
  lossless: 'The picture is coded without loss, which is not supported.',
  'too-large': 'The picture is larger than can be repaired.',
  tables: 'Tables that the picture needs are gone.',
  components: 'The picture’s header contradicts itself.',
}

/** Reads a file and puts its photo in order. Never throws for damage. */
export function analyse(bytes: Uint8Array, sampleBytes: Uint8Array | undefined): Analysis {
  const first = firstPicture(bytes)
  const film = filmWithin(bytes)
  const isApart = film !== undefined && first?.ended === true && first.end <= film && isMain(bytes, first)
  if (film === undefined || isApart) return analysePhoto(bytes, sampleBytes, first, film)
  const photo = bytes.subarray(0, film)
  const analysis = analysePhoto(photo, sampleBytes, firstPicture(photo))
  return analysis.parts ? { ...analysis, parts: [...analysis.parts, bytes.subarray(film)] } : analysis
}

/** The same of a file whose film, if its photo is a moving one, stands apart or behind the end of its picture. */
function analysePhoto(
  bytes: Uint8Array,
  sampleBytes: Uint8Array | undefined,
  first: ReadPicture | undefined,
  photosEnd = bytes.length,
): Analysis {
  // a photo that a larger one lies in is asked before either counts as the main one
  const parted = first && withoutForeign(bytes, first)
  if (parted) return ofParted(parted, sampleBytes, photosEnd)
  const sample = sampleBytes && readPicture(sampleBytes, 0)
  const picture = first && isMain(bytes, first) ? first : undefined
  const refusal = picture && refusalOf(picture)
  const small = picture && refusal === 'too-large' ? overrule(bytes, picture, sample) : undefined
  if (small) return ofBrokenHeader(bytes, sample, small)
  if (picture && refusal && refusal !== 'tables' && refusal !== 'components') {
    return {
      ...NOTHING,
      findings: [finding('unsupported', REASONS[refusal])],
      described: picture,
      reason: REASONS[refusal],
    }
  }
  const within = picture && picture.start > 0 && isWithinHeader(bytes, picture.start, picture.end)
  if (picture && !refusal && !within) {
    const places = previewPlaces(picture)
    let overruled: Overruled | undefined
    const previews = (layout: McuLayout): readonly Preview[] => ownPreviews(bytes, places, layout)
    const givenUp = (): boolean => {
      overruled = overrule(bytes, picture, sample)
      return overruled !== undefined
    }
    const mended = mendPicture(bytes, picture, previews, { givenUp })
    if (typeof mended === 'string') overruled ??= overrule(bytes, picture, sample)
    else if (mended.whole) {
      const sure = (): readonly Preview[] => ownPreviews(bytes, places, mended.layout, true)
      overruled = foreignTables(bytes, picture, mended, sure)
    }
    if (overruled) return ofBrokenHeader(bytes, sample, overruled)
    if (typeof mended !== 'string') {
      const { start, scans, end } = picture
      if (!isRead(mended)) return nothingRead(bytes, start + 2, scans[0].start, end)
      const hit = mended.whole ? hitTables(bytes, picture, mended, sample) : undefined
      const analysis = ofWholeHeader(hit?.bytes ?? bytes, picture, mended, photosEnd)
      return hit ? withMendedTables(analysis, hit) : analysis
    }
  }
  return ofBrokenHeader(bytes, sample)
}

/** Of a photo that another picture's bytes came into: with those behind it. */
function ofParted(
  { bytes, at, length }: Parted,
  sampleBytes: Uint8Array | undefined,
  photosEnd: number,
): Analysis {
  const analysis = analysePhoto(bytes, sampleBytes, firstPicture(bytes), photosEnd)
  const message = `${length} bytes within the scan are another picture's: they were put behind the photo`
  const findings = [finding('foreignPicture', message, { offset: at, length }), ...analysis.findings]
  const parts = analysis.healthy ? [bytes] : analysis.parts
  const strategies = [
    { name: 'scan', outcome: `another picture taken out of it at byte ${at}` },
    ...analysis.strategies,
  ]
  return { ...analysis, findings, healthy: false, parts, strategies }
}

/**
 * The picture that begins the file, or the first behind what does not belong to it; undefined where no header leads to a scan.
 */
function firstPicture(bytes: Uint8Array): ReadPicture | undefined {
  const read = readPicture(bytes, 0) ?? picturesWithin(bytes, 0, bytes.length).at(0)
  return read && withProvenEnd(bytes, read)
}

/** Whether a file's first picture is its photo: a preview of one that lost its header is less than what no header leads to. */
function isMain(bytes: Uint8Array, { start, ended, scans }: ReadPicture): boolean {
  if (start === 0 && ended) return true
  const length = scans.reduce((most, scan) => Math.max(most, scan.end - scan.start), 0)
  // a photo that lost its header may stand in front of another
  const front = longestStretch(bytes.subarray(0, start))
  if (front && front.end - front.start > MAIN_PART * length) return false
  const stretch = longestStretch(bytes)
  return !stretch || length >= MAIN_PART * (stretch.end - stretch.start)
}

function ofWholeHeader(
  bytes: Uint8Array,
  picture: ReadPicture,
  mended: MendedPicture,
  photosEnd: number,
): Analysis {
  const findings: Finding[] = []
  const scanStart = picture.scans[0].start
  if (picture.start > 0) {
    const message = `${picture.start} bytes in front of the picture do not belong to it`
    findings.push(finding('leadingData', message, { offset: 0, length: picture.start }))
  }
  if (!mended.whole) findings.push(scanFinding(bytes, picture, mended))
  else if (!picture.ended) {
    findings.push(finding('endMissing', 'the picture has no end marker', { offset: picture.end }))
  }
  if (picture.ended && picture.end < bytes.length) {
    const length = bytes.length - picture.end
    findings.push(
      finding('trailingData', `${length} bytes follow the picture`, { offset: picture.end, length }),
    )
  }
  // photos that ran into one file are mostly of one camera
  const headless: Headless = (gap) => ofBrokenHeader(gap, picture, undefined, () => undefined)
  const further = furtherBehind(bytes, picture, true, photosEnd, headless)
  findings.push(...further.findings)
  const main = reportPicture(picture.frame, mended, exifOf(picture)?.orientation ?? 1, [])
  const healthy = mended.whole && picture.ended && picture.start === 0 && further.whole
  if (healthy) {
    const pictures = [main, ...movedPlaces(further.pictures, picture.end)]
    return { ...NOTHING, findings, healthy, described: picture, pictures }
  }
  const own = mended.whole
    ? [
        bytes.subarray(
          picture.start,
          picture.ended ? picture.end : picture.scans[picture.scans.length - 1].end,
        ),
      ]
    : writePicture(bytes, picture, mended)
  const end = mended.whole && !picture.ended ? [Uint8Array.of(0xff, 0xd9)] : []
  const first = [...own, ...end]
  const firstLength = lengthOf(first)
  const previewOnly = isLittleOf(bytes, picture, further.length)
  return {
    findings,
    healthy,
    described: picture,
    parts: [
      ...correctFurtherPictures(bytes.subarray(picture.start, picture.end), first, further.grown),
      ...further.parts,
    ],
    firstLength,
    pictures: [main, ...(previewOnly ? withoutPlaces : movedPlaces)(further.pictures, firstLength)],
    doubts: distinctDoubts([...doubtsThat({ previewOnly }), ...pictureDoubts(mended), ...further.doubts]),
    strategies: [
      { name: 'scan', outcome: `entropy-coded data from byte ${scanStart} on read and put in order` },
    ],
    sampleUsed: [],
  }
}

/**
 * Whether a picture was stored with another or in something else: one that lost its header ends in front of it, or what stands
 * around it is more than it, and nothing of a photo, as `further` bytes of it are.
 */
function isLittleOf(bytes: Uint8Array, { start, end }: ReadPicture, further: number): boolean {
  if (start === 0) return false
  if (bytes[start - 2] === 0xff && bytes[start - 1] === EOI) return true
  const leading = bytes.subarray(0, start).findLastIndex((byte) => byte !== 0) + 1
  const kept = (bytes[end] === 0xff && bytes[end + 1] === SOI) || isFilm(bytes, end)
  const trailing = kept ? 0 : bytes.subarray(end).findLastIndex((byte) => byte !== 0) + 1
  return leading + Math.max(0, trailing - further) > end - start
}

/** Of a photo in whose quantisation tables values were put right. */
function withMendedTables(
  analysis: Analysis,
  { bytes, offset, length, changed, proven, from }: HitTables,
): Analysis {
  const message = `${changed} values of the quantisation tables contradict the others and the picture`
  const rebuilt = { part: 'quantisation tables', from }
  return {
    ...analysis,
    findings: [finding('quantisationDamaged', message, { offset, length }), ...analysis.findings],
    healthy: false,
    parts: analysis.healthy ? [bytes] : analysis.parts,
    pictures: analysis.pictures.map((picture, i) =>
      i === 0 ? { ...picture, rebuilt: [rebuilt, ...picture.rebuilt] } : picture,
    ),
    doubts: distinctDoubts([...analysis.doubts, ...doubtsThat({ quantisation: !proven })]),
    strategies: [
      ...analysis.strategies,
      { name: 'tables', outcome: `${changed} values of the quantisation tables put right` },
    ],
    sampleUsed: from === 'sample' ? ['quantisation tables'] : analysis.sampleUsed,
  }
}

/** What follows the picture and is no part of its scan: further pictures, a film. */
function furtherBehind(
  bytes: Uint8Array,
  picture: ReadPicture,
  sure: boolean,
  photosEnd: number,
  headless: Headless,
): FurtherPictures {
  const { end, ended } = picture
  const from = ended || (bytes[end] === 0xff && bytes[end + 1] === SOI) ? end : bytes.length
  return mendFurther(bytes, picture, sure, from, Math.max(from, photosEnd), headless)
}

function scanFinding(bytes: Uint8Array, picture: ReadPicture, mended: MendedPicture): Finding {
  const { states } = mended
  let missing = 0
  for (const state of states) if (state === LOST || state === FILLED) missing++
  const { start } = picture.scans[0]
  const end = picture.scans[picture.scans.length - 1].end
  const place = { offset: start, length: end - start }
  if (!picture.ended && end === bytes.length && states[states.length - 1] !== 0) {
    return finding(
      'truncated',
      `the picture breaks off: ${missing} of ${states.length} MCUs are missing`,
      place,
    )
  }
  return finding('scanDamaged', `the scan is damaged: ${missing} of ${states.length} MCUs are lost`, place)
}

/** Of a file whose header does not lead to its scan, or is overruled by it. */
function ofBrokenHeader(
  bytes: Uint8Array,
  sample: ReadPicture | undefined,
  overruled?: Overruled,
  headless: Headless = (gap) => ofBrokenHeader(gap, sample, undefined, () => undefined),
): Analysis {
  const found = overruled?.found ?? salvage(bytes)
  if (!found) return nothingFound(bytes)
  const own = rebuildHeader(bytes, found)
  const header = overruled?.foreign ? { ...own, whole: false } : own
  const exif = exifOf(header)
  const hints =
    exif?.width && exif.height
      ? [
          { width: exif.width, height: exif.height },
          { width: exif.height, height: exif.width },
        ]
      : []
  // from behind its own start of image: what the photo's segments still lead to is no preview of it
  const places = { from: 2, to: found.start, behind: found.end }
  const preview = (layout: McuLayout): readonly Preview[] => ownPreviews(bytes, places, layout)
  const completed = complete(bytes, found, hints, sample, preview, overruled)
  if (!completed) return nothingFound(bytes)
  if (completed === 'unreadable') return nothingRead(bytes, 2, found.start, found.end, unreadable(found))
  const { picture, frontLost } = completed
  const shown = (layout: McuLayout): readonly Preview[] => ownPreviews(bytes, previewPlaces(picture), layout)
  const mended = mendPicture(bytes, picture, shown, { frontLost })
  if (typeof mended === 'string') {
    return {
      ...NOTHING,
      findings: [finding('noPicture', REASONS[mended])],
      described: undefined,
      reason: REASONS[mended],
    }
  }
  if (!isRead(mended)) return nothingRead(bytes, 2, found.start, found.end)
  const further = furtherBehind(bytes, picture, header.whole, bytes.length, headless)
  const lent = lentSegments(header, picture, bytes.subarray(0, found.start), sample)
  const first = writeRebuilt(picture, mended, [...header.kept, ...lent.segments])
  const firstLength = lengthOf(first)
  return {
    findings: [...headerFindings(bytes, found, mended, picture, overruled), ...further.findings],
    healthy: false,
    described: picture,
    parts: [...first, ...further.parts],
    firstLength,
    pictures: [
      reportPicture(
        picture.frame,
        mended,
        exif?.orientation ?? lent.orientation ?? 1,
        rebuiltParts(completed, header),
      ),
      ...movedPlaces(further.pictures, firstLength),
    ],
    doubts: distinctDoubts([...headerDoubts(completed, header, exif, mended, overruled), ...further.doubts]),
    strategies: [{ name: 'header', outcome: 'header put together anew around the scan' }],
    sampleUsed: [...completed.sampleUsed, ...lent.names],
  }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/** What is wrong where the tables are gone and no others read the data. */
function unreadable({ start, end }: Salvage): Finding {
  const message =
    'The photo’s Huffman tables are gone, and neither those of a sample nor usual ones read it: they were made for it alone.'
  return finding('huffmanMissing', message, { offset: start, length: end - start })
}

function rebuiltParts({ rebuilt }: Completed, header: RebuiltHeader): PictureReport['rebuilt'] {
  return header.whole ? rebuilt : [{ part: 'header', from: 'file' }, ...rebuilt]
}

function headerDoubts(
  completed: Completed,
  header: RebuiltHeader,
  exif: ExifFacts | undefined,
  mended: MendedPicture,
  overruled: Overruled | undefined,
): Doubt[] {
  const ofPicture = pictureDoubts(mended)
  return [
    ...ofPicture,
    ...doubtsThat({
      placement: !completed.startSure && ofPicture.length === 0,
      quantisation: completed.quantisationEstimated,
      colour: !completed.levelsSure && ofPicture.every(({ code }) => code !== DOUBT.colour.code),
      size: completed.sizeEstimated,
      orientation: !header.whole && (overruled !== undefined || exif?.orientation === undefined),
      metadata: !header.whole,
    }),
  ]
}

function headerFindings(
  bytes: Uint8Array,
  found: Salvage,
  mended: MendedPicture,
  picture: ReadPicture,
  overruled: Overruled | undefined,
): Finding[] {
  const findings: Finding[] = []
  if (overruled) {
    findings.push(finding('headerBroken', overruled.contradiction, { offset: 0 }))
  } else if (bytes[0] !== 0xff || bytes[1] !== SOI) {
    findings.push(finding('startMissing', 'the file does not begin with a start of image', { offset: 0 }))
  } else findings.push(finding('headerBroken', 'the header does not lead to the scan', { offset: 0 }))
  if (!found.frame) findings.push(finding('frameMissing', 'no frame header: size and sampling are not told'))
  if (!found.header) findings.push(finding('scanHeaderMissing', 'no scan header in front of the data'))
  if (found.quantisation.length === 0) findings.push(finding('quantisationMissing', 'no quantisation tables'))
  if (found.tables.all().length === 0) findings.push(finding('huffmanMissing', 'no Huffman tables'))
  if (!mended.whole) findings.push(scanFinding(bytes, picture, mended))
  return findings
}
