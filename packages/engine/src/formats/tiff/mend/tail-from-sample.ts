import { Findings } from '../../../model/finding.ts'
import { blankFields, personalFields } from '../../../photo/raw/personal-fields.ts'
import { readTiffHeader, tiffHeaderBytes } from '../../../syntax/tiff-ifd/header.ts'
import { type Ifd, numbersOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import type { RepairJob } from '../../format.ts'
import { type Assessment, assess } from '../assess.ts'
import { checkUnits, unpackedWithin } from '../read/check-units.ts'
import { mainImage } from '../report.ts'
import type { SplicedHead } from './head-from-sample.ts'
import { isFixed } from './place-pixels.ts'

/** Largest tail that is taken over. */
const MOST_TAIL = 64 * 1024 * 1024

/**
 * Directories of a sample behind the damaged file's own pixels, which begin where the sample's do and are as long: of a file
 * whose directories stood at its end, and are gone with it.
 */
export async function tailFromSample(job: RepairJob, own: Assessment): Promise<SplicedHead | undefined> {
  if (!job.sample || own.numbers) return undefined
  const sample = await assess(job.sample.reader, job.limits, job.monitor)
  const main = mainImage(sample.images)?.image
  const { numbers: theirs, root, header, structure } = sample
  if (!theirs || !root || !header || !main || !structure || !sample.healthy || !isFixed(main))
    return undefined
  const { reader } = job.damaged
  const head = readTiffHeader(reader)
  // without its head, nothing shows that the file is in its place
  if (!head || head.little !== header.little || head.magic !== header.magic) return undefined
  const end = main.units.reduce((most, { offset, bytes }) => Math.max(most, offset + bytes), 0)
  const { size } = theirs.reader
  if (structure.directories.every((ifd) => ifd.offset < end) || size - end > MOST_TAIL) return undefined
  const numbers = new TiffNumbers(reader, theirs.little)
  // those that stand in front must be there, and lead to the same places
  const stands = (ifd: Ifd): boolean => ifd.offset >= end || leadsAlike(theirs, ifd, numbers)
  if (!structure.directories.every(stands)) return undefined
  const tail = Uint8Array.from(theirs.reader.bytes(end, size - end))
  blankFields(
    tail,
    personalFields(theirs, root, sample.big).flatMap(({ offset, length }) =>
      offset < end ? [] : [{ offset: offset - end, length }],
    ),
  )
  // smaller pictures behind the large one show another photo
  for (const { image, units } of sample.images)
    for (const { unit } of image === main ? [] : units)
      if (unit.offset >= end) tail.fill(0, unit.offset - end, unit.offset - end + unit.bytes)
  const units = await checkUnits(numbers, main, job.monitor, unpackedWithin(reader.size))
  return {
    guessed: false,
    least: size,
    assessment: {
      ...sample,
      findings: new Findings(0),
      numbers,
      images: [{ image: main, units }],
      healthy: false,
    },
    apply: (patches) => {
      patches.put(end, tail)
      if (root.offset >= end) patches.put(0, tiffHeaderBytes(header))
      return true
    },
  }
}

const MOST_POINTERS = 64

/** Whether a file has a directory where another has one, with the same fields and pointers. */
function leadsAlike(theirs: TiffNumbers, ifd: Ifd, numbers: TiffNumbers): boolean {
  const mine = readIfd(numbers, ifd.offset, false)
  const pointers = (of: TiffNumbers, { next, entries }: Ifd): string =>
    [...entries.keys(), next, ...numbersOf(of, entries.get(TAG.subIfds), MOST_POINTERS)].join()
  return mine !== undefined && pointers(numbers, mine) === pointers(theirs, ifd)
}
