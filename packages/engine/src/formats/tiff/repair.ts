import { PatchedSource } from '../../bytes/patched-source.ts'
import { ByteReader } from '../../bytes/reader.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { PictureReport } from '../../model/photo.ts'
import { largestJpeg, storedJpegs } from '../../photo/raw/stored-jpegs.ts'
import { BIGTIFF_MAGIC, readTiffHeader, TIFF_MAGIC, tiffHeaderBytes } from '../../syntax/tiff-ifd/header.ts'
import { numberOf } from '../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../syntax/tiff-ifd/tags.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess, type CheckedImage } from './assess.ts'
import { cutEnd } from './mend/cut-end.ts'
import { fieldsFromSample } from './mend/fields-from-sample.ts'
import { fillPalette, isPalette } from './mend/fill-palette.ts'
import { headFromSample } from './mend/head-from-sample.ts'
import { MOST_MOVED } from './mend/moved.ts'
import { rebuildUnits } from './mend/rebuild-units.ts'
import { tailFromSample } from './mend/tail-from-sample.ts'
import { ARW, compressionOf, SENSOR, UNCOMPRESSED, unpacks } from './read/compression.ts'
import { isExplained } from './read/explained.ts'
import { isBeginningHit } from './read/hit-beginning.ts'
import { countsTag } from './read/image.ts'
import { placeOfField } from './read/lost-fields.ts'
import { mainImage, pictureReports } from './report.ts'
import { Patches } from './write/patches.ts'

const NOTHING =
  'What says how the pixels lie in the file is gone, and nothing else tells it: a photo of the same camera as a sample may help.'
const FIELDS = 'fields of directories'
const NO_FIELDS: ReadonlyMap<number, number> = new Map()
const NONE = 'No part of the picture survives.'
/**
 * Bits that take turns, in place of code that is not read here and was cut off: zeros say one difference again and again, which
 * leads out of the range of values, and decoders refuse that. Sony's blocks are not of this kind.
 */
const ALTERNATING = 0x55
/** Numbers behind the byte order that cameras write instead of 42. */
const MAGIC_OF: Readonly<Record<string, number>> = { orf: 0x4f52, rw2: 0x0055 }

/** Repairs a file by what survives of its directories; a sample's where none does. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const own = await assess(job.damaged.reader, job.limits, job.monitor)
  const strategies: { name: string; outcome: string }[] = []
  const taken = own.searched || mayLackFields(own) ? await fieldsFromSample(job) : NO_FIELDS
  const filled =
    taken.size > 0 ? await assess(patched(job.damaged.reader, taken), job.limits, job.monitor) : own
  const spliced = filled.searched
    ? ((await tailFromSample(job, own)) ?? (await headFromSample(job, own)))
    : undefined
  const fieldsTaken = taken.size > 0 && !filled.searched
  const assessment: Assessment = spliced?.assessment ?? (fieldsTaken ? filled : own)
  const { findings } = own
  const base = { findings: findings.list, omittedFindings: findings.omitted, strategies, sampleUsed: [] }
  if (own.healthy) return { ...base, verdict: 'healthy', pictures: pictureReports(own.images, []) }
  const { numbers, root, images, cut } = assessment
  if (!numbers || !root) return { ...base, ...(await lost(job, NOTHING)) }
  const patches = new Patches(numbers.reader)
  const rebuilt: PictureReport['rebuilt'][number][] = []
  let beginningHit = false
  if (spliced) {
    rebuilt.push({ part: 'header and directories', from: 'sample' })
    strategies.push({ name: 'sample-head', outcome: 'header and directories taken from the sample' })
  } else if (fieldsTaken) {
    rebuilt.push({ part: FIELDS, from: 'sample' })
    strategies.push({ name: 'sample-fields', outcome: `${FIELDS} taken from the sample` })
  } else if (assessment.searched) {
    const { little } = numbers
    const magic = assessment.big ? BIGTIFF_MAGIC : magicOf(job)
    const header = tiffHeaderBytes({ little, big: assessment.big, magic, firstIfd: root.offset })
    beginningHit =
      assessment.shift === 0 &&
      assessment.structure !== undefined &&
      isBeginningHit(numbers, assessment.structure, images, header)
    patches.put(0, header)
    rebuilt.push({ part: 'header', from: 'file' })
    strategies.push({ name: 'find-directories', outcome: `the first directory found at ${root.offset}` })
  }
  const unreached = spliced ? 0 : mendPointers(assessment, patches)
  const palettes = cut.filter(isPalette)
  const { size } = numbers.reader
  const pieces = images.flatMap(({ units }) => units.map(({ unit }) => unit))
  const colours = palettes.map(({ valueAt, bytes }) => ({ offset: valueAt, bytes }))
  patches.padding = cutEnd(Math.max(size, spliced?.least ?? 0), [...pieces, ...colours]) - size
  if (spliced?.apply(patches) !== false)
    for (const { image, units } of images)
      rebuildUnits(numbers, image, units, assessment.lostFields.get(image.ifd.offset) ?? [], patches)
  for (const palette of palettes) fillPalette(numbers, palette, patches)
  const pictures = pictureReports(images, rebuilt)
  const main = mainImage(images)
  const none = !main || main.units.every(({ state, rows }) => state !== 'whole' && rows === 0)
  if (none || isCodeCut(numbers, main)) {
    const nothing = await lost(job, NONE)
    if (none || nothing.instead) return { ...base, ...nothing }
    const { compression } = main.image
    if (compression !== ARW && !unpacks(compression)) patches.filling = ALTERNATING
  }
  await patches.write(sink, job.monitor)
  const doubts = doubtsThat({
    areasLost: pictures.some(({ lost }) => lost > 0),
    colour: palettes.length > 0,
    metadata:
      spliced !== undefined ||
      fieldsTaken ||
      assessment.shift > 0 ||
      mayLackFields(assessment) ||
      cut.length > palettes.length,
    placement: spliced?.guessed ?? (!assessment.shiftProven || assessment.placesGuessed),
    moved: assessment.moved !== undefined || assessment.mayHideBytes || (!spliced && mayBeMoved(assessment)),
    missing: unreached > 0,
    beginningHit,
    unexplained: !spliced && assessment.searched && !isExplained(numbers, assessment.structure),
  })
  return {
    ...base,
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    pictures,
    sampleUsed: rebuilt.flatMap(({ part, from }) => (from === 'sample' ? [part] : [])),
  }
}

/** The damaged file with some bytes as they should be. */
function patched({ source }: ByteReader, bytes: ReadonlyMap<number, number>): ByteReader {
  return new ByteReader(new PatchedSource(source, bytes))
}

/** Whether fields are lost beside those of where units lie, which come back. */
function mayLackFields({ lostFields, images }: Assessment): boolean {
  const back = new Set(
    images
      .filter(({ image: { ifd, offsets, counts } }) => {
        const lost = lostFields.get(ifd.offset) ?? []
        return !counts && placeOfField(ifd, lost, countsTag(offsets)) !== undefined
      })
      .map(({ image }) => image.ifd.offset),
  )
  return [...lostFields].some(([at, { length }]) => length > (back.has(at) ? 1 : 0))
}

/**
 * Whether the first directory lies a little beside where the header has it, and pixels of a code that is not read here may have
 * moved with it.
 */
function mayBeMoved({ header, root, searched, shift, images }: Assessment): boolean {
  if (!searched || shift !== 0 || !header || !root || header.firstIfd === 0) return false
  const near = Math.abs(root.offset - header.firstIfd) <= MOST_MOVED
  return (
    near && images.some(({ image: { compression } }) => compression !== UNCOMPRESSED && !unpacks(compression))
  )
}

/**
 * Whether no strip or tile of a raw picture is whole, and where the code of those that are cut off ends is not known by the row:
 * decoders of raw photos may refuse it, and a smaller picture shows more.
 */
function isCodeCut(numbers: TiffNumbers, { image, units }: CheckedImage): boolean {
  const shown = numberOf(numbers, image.ifd, TAG.photometric, SENSOR) <= MOST_SHOWN
  return (
    !shown &&
    image.compression !== UNCOMPRESSED &&
    compressionOf(image.compression) === undefined &&
    units.every(({ state }) => state !== 'whole') &&
    units.some(({ state }) => state === 'cut')
  )
}

/** The largest photometric interpretation of a picture to be shown: ITU L*a*b*, TIFF Technical Note 4. */
const MOST_SHOWN = 10

/**
 * Of a photo whose pixels cannot be brought back: a raw one may hold a smaller picture. Strips of any other that are JPEG streams
 * are none.
 */
async function lost(
  { damaged: { reader, extension }, monitor }: RepairJob,
  reason: string,
): Promise<Pick<PhotoOutcome, 'verdict' | 'pictures' | 'reason' | 'instead'>> {
  const found = PLAIN.includes(extension)
    ? undefined
    : largestJpeg(await storedJpegs(reader, 0, reader.size, monitor))
  return {
    ...{ verdict: 'unrepairable', pictures: [], reason },
    ...(found ? { instead: { offset: found.offset, length: found.length } } : {}),
  }
}

/** The number behind the byte order: a sample's, else what cameras write in files of this extension. */
function magicOf({ damaged, sample }: RepairJob): number {
  const theirs = sample && sample.extension === damaged.extension && readTiffHeader(sample.reader)
  return (theirs && !theirs.big ? theirs.magic : undefined) ?? MAGIC_OF[damaged.extension] ?? TIFF_MAGIC
}

const PLAIN: readonly string[] = ['tif', 'tiff']

/**
 * Points what names a directory that is gone to one that nothing names, in file order, else nowhere. Answers how many stay
 * unnamed or gone.
 */
function mendPointers({ structure, strays, numbers, big, shift }: Assessment, patches: Patches): number {
  if (!structure || !numbers) return 0
  const left = [...strays]
  let gone = 0
  for (const { at } of structure.broken) {
    const to = left.shift()
    const bytes = new Uint8Array(big ? 8 : 4)
    const view = new DataView(bytes.buffer)
    const target = to ? to.offset + shift : 0
    if (big) view.setBigUint64(0, BigInt(target), numbers.little)
    else view.setUint32(0, target, numbers.little)
    patches.put(at, bytes)
    gone++
  }
  // what nothing points to in a file whose pointers all lead somewhere was left behind by whoever wrote it anew
  return structure.broken.length > 0 ? gone + left.length : 0
}
