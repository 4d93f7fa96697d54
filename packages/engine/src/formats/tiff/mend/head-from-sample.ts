import { ByteReader } from '../../../bytes/reader.ts'
import { ShiftedSource } from '../../../bytes/shifted-source.ts'
import { Findings } from '../../../model/finding.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import type { RepairJob } from '../../format.ts'
import { type Assessment, assess } from '../assess.ts'
import { checkUnits, unpackedWithin } from '../read/check-units.ts'
import { JPEG_COMPRESSIONS, UNCOMPRESSED } from '../read/compression.ts'
import { imageOf, type TiffImage } from '../read/image.ts'
import { mainImage } from '../report.ts'
import type { Patches } from '../write/patches.ts'
import { putNumber } from './rebuild-units.ts'

/** The damaged file's pixels behind the sample's header and directories. */
export interface SplicedHead {
  readonly assessment: Assessment
  /** Where the pixels begin was guessed. */
  readonly guessed: boolean
  apply(patches: Patches): void
}

/** Bytes by which the first units of two photos of a camera agree: a lossless JPEG's tables. */
const SAME_START = 12
/** Largest head that is taken over. */
const MOST_HEAD = 64 * 1024 * 1024

/** Header and directories of a sample in front of the damaged file's own pixels, where the sample tells how those lie. */
export async function headFromSample(job: RepairJob): Promise<SplicedHead | undefined> {
  if (!job.sample) return undefined
  const sample = await assess(job.sample.reader, job.limits, job.monitor)
  const main = mainImage(sample.images)?.image
  if (!sample.numbers || !sample.root || !main || !sample.healthy) return undefined
  const starts = main.units.map(({ offset }) => offset)
  const first = Math.min(...starts)
  const end = structureEnd(sample)
  // directories behind the pixels are spliced behind them: only those in front are taken over here
  if (end > first || end > MOST_HEAD) return undefined
  const { reader } = job.damaged
  const found = JPEG_COMPRESSIONS.includes(main.compression)
    ? await jpegUnits(job, sample.numbers.reader, main)
    : undefined
  const place = found ? found[0] : placeOf(main, job.sample.reader.size, reader.size)
  const shift = first - place
  const moved = new ByteReader(shift === 0 ? reader.source : new ShiftedSource(reader.source, shift))
  const head = Uint8Array.from(sample.numbers.reader.bytes(0, end))
  blankPreviews(head, sample, main)
  const size = moved.size
  const offsets = found?.map((at) => at + shift)
  const lengths = found?.map((at, i) => (found[i + 1] ?? reader.size) - at)
  const single = main.units.length === 1 && main.compression !== UNCOMPRESSED && !found
  const image: TiffImage = {
    ...main,
    units: main.units.map((unit, i) => ({
      ...unit,
      offset: offsets?.[i] ?? unit.offset,
      bytes: lengths?.[i] ?? (single ? size - unit.offset : unit.bytes),
    })),
  }
  const numbers = new TiffNumbers(moved, sample.numbers.little)
  const units = await checkUnits(numbers, image, job.monitor, unpackedWithin(size))
  return {
    guessed: !found && main.compression !== UNCOMPRESSED,
    assessment: {
      ...sample,
      findings: new Findings(0),
      numbers,
      shift: 0,
      searched: false,
      structure: sample.structure && { ...sample.structure, broken: [] },
      strays: [],
      images: [{ image, units }],
      healthy: false,
    },
    apply: (patches) => {
      patches.put(0, head)
      for (const unit of image.units) {
        putNumber(numbers, main.offsets, unit.index, unit.offset, patches)
        if (main.counts) putNumber(numbers, main.counts, unit.index, unit.bytes, patches)
      }
    },
  }
}

/** Where header, directories and their values end; the pixels and previews lie elsewhere. */
function structureEnd({ structure }: Assessment): number {
  let end = 8
  for (const ifd of structure?.directories ?? []) {
    end = Math.max(end, ifd.end)
    for (const { inline, valueAt, bytes } of ifd.entries.values())
      if (!inline) end = Math.max(end, valueAt + bytes)
  }
  return end
}

/** Zeros where the sample's own smaller pictures lie: they show another photo. */
function blankPreviews(head: Uint8Array, { structure, numbers }: Assessment, main: TiffImage): void {
  if (!structure || !numbers) return
  for (const ifd of structure.directories) {
    const image = imageOf(numbers, ifd)
    if (!image || image.offsets.at === main.offsets.at) continue
    for (const { offset, bytes } of image.units)
      head.fill(0, Math.min(offset, head.length), Math.min(offset + bytes, head.length))
  }
}

/** Where pixels begin that are not marked: as far from the end as the sample's, or, compressed, as far from the start. */
function placeOf(main: TiffImage, sampleSize: number, size: number): number {
  const first = Math.min(...main.units.map(({ offset }) => offset))
  if (main.compression !== UNCOMPRESSED && main.units.length === 1) return first
  const place = size - (sampleSize - first)
  return place > 0 ? place : first
}

const PIECE = 1024 * 1024

/** Where as many JPEG streams begin as the sample's picture has units, each as one of the sample's does; undefined where there are not so many. */
async function jpegUnits(
  job: RepairJob,
  sample: ByteReader,
  main: TiffImage,
): Promise<readonly number[] | undefined> {
  const start = Uint8Array.from(sample.bytes(main.units[0].offset, SAME_START))
  const { reader } = job.damaged
  const found: number[] = []
  for (let from = 0; from < reader.size; from += PIECE) {
    const bytes = Uint8Array.from(reader.bytes(from, PIECE + SAME_START))
    for (let i = bytes.indexOf(start[0]); i >= 0 && i < PIECE; i = bytes.indexOf(start[0], i + 1))
      if (start.every((byte, at) => bytes[i + at] === byte)) found.push(from + i)
    await job.monitor.pause()
  }
  return found.length === main.units.length ? found : undefined
}
