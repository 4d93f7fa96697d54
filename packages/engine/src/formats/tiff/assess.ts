import type { Limits } from '../../bytes/limits.ts'
import { PatchedSource } from '../../bytes/patched-source.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { ShiftedSource } from '../../bytes/shifted-source.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { readTiffHeader, type TiffHeader } from '../../syntax/tiff-ifd/header.ts'
import { type Ifd, type IfdEntry, readIfd } from '../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../syntax/tiff-ifd/numbers.ts'
import {
  bytesMoved,
  directoryLost,
  fieldsLost,
  headCut,
  headerLost,
  lengthUnclear,
  noDirectory,
  placesLost,
  unitBroken,
  unitsCut,
  unitsMissing,
  valuesCut,
} from './findings.ts'
import { findRoot } from './mend/find-root.ts'
import { PlaceInference } from './mend/infer-places.ts'
import type { Moved } from './mend/moved.ts'
import { movedBehind, movedDirectory } from './mend/moved-place.ts'
import { regainPlaces } from './mend/regain-places.ts'
import { type CheckedUnit, checkUnits, unpackedWithin } from './read/check-units.ts'
import { cutValues } from './read/cut-values.ts'
import { emptyHead, withoutEmptied } from './read/empty-head.ts'
import type { TiffImage } from './read/image.ts'
import { lostFields } from './read/lost-fields.ts'
import { isPlausible, readStructure, type Structure } from './read/structure.ts'
import { unexplainedEnd } from './read/unexplained-end.ts'

/** A picture with each of its strips or tiles held against the bytes. */
export interface CheckedImage {
  readonly image: TiffImage
  readonly units: readonly CheckedUnit[]
}

/** A file read as far as it can be. */
export interface Assessment {
  readonly findings: Findings
  /** The file as its pointers have it: bytes that are missing in front are zeros. Undefined without any directory. */
  readonly numbers: TiffNumbers | undefined
  readonly big: boolean
  /** The header as it stands, right or wrong. */
  readonly header: TiffHeader | undefined
  readonly root: Ifd | undefined
  /** The first directory was looked for: the header did not tell it. */
  readonly searched: boolean
  /** Bytes missing in front of the file. */
  readonly shift: number
  /** Whether anything shows that. */
  readonly shiftProven: boolean
  /** Bytes that came in or went behind the header: `numbers` are as though they had not. */
  readonly moved: Moved | undefined
  readonly structure: Structure | undefined
  readonly images: readonly CheckedImage[]
  /** Directories that nothing points to. */
  readonly strays: readonly Ifd[]
  /** Fields besides those of strips and tiles whose values are not all there. */
  readonly cut: readonly IfdEntry[]
  /** Where fields stood that were overwritten, by the place of their directory. */
  readonly lostFields: ReadonlyMap<number, readonly number[]>
  /** Bytes may have come in among pixels that do not show it. */
  readonly mayHideBytes: boolean
  /** Nothing shows that strips or tiles lie where they are taken to. */
  readonly placesGuessed: boolean
  readonly healthy: boolean
}

/** Reads a file and holds every strip and tile against its bytes. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const header = readTiffHeader(reader)
  const stands = header && new TiffNumbers(reader, header.little)
  const {
    numbers: known,
    first,
    told,
    regained,
  } = header && stands ? await readFirst(stands, header, limits, monitor) : NOTHING_READ
  if (regained) findings.add(fieldsLost(regained, 1))
  let place: Place | undefined
  if (header && known && first && told && told.images.length > 0) {
    const own = { numbers: known, root: first, structure: told, moved: undefined }
    const strays = told.broken.length > 0 ? await straysOf(known, header.big, told, monitor) : []
    const behind = movedBehind(known, header, first, told, limits)
    place = { ...where(header), ...(behind ?? { ...own, strays }) }
  } else {
    const moved = header && known && (await movedDirectory(known, header, limits, monitor))
    place = moved
      ? { ...where(header), ...moved }
      : await search(reader, known, limits, findings, header, monitor)
  }
  const base = { findings, header }
  if (!place) {
    findings.add(noDirectory())
    return {
      ...base,
      ...{
        numbers: undefined,
        big: false,
        root: undefined,
        searched: true,
        shift: 0,
        shiftProven: false,
        moved: undefined,
        structure: undefined,
      },
      ...{
        images: [],
        strays: [],
        cut: [],
        lostFields: new Map<number, readonly number[]>(),
        mayHideBytes: false,
        placesGuessed: false,
        healthy: false,
      },
    }
  }
  if (place.moved) findings.add(bytesMoved(place.moved))
  for (const { at, to } of place.structure.broken) findings.add(directoryLost(at, to))
  const cut = cutValues(place.numbers, place.structure)
  for (const { tag, at, bytes } of cut) findings.add(valuesCut(tag, at, bytes))
  const lost = new Map(
    place.structure.directories.map((ifd) => [ifd.offset, lostFields(place.numbers, ifd, place.big)]),
  )
  for (const [, [at, ...more]] of lost) if (at !== undefined) findings.add(fieldsLost(at, more.length + 1))
  const images: CheckedImage[] = []
  let placesGuessed = false
  const inference = new PlaceInference(place.numbers, place.structure)
  const allowance = unpackedWithin(reader.size)
  const empty = place.searched && place.shift === 0 ? emptyHead(reader) : 0
  for (const given of place.structure.images) {
    const inferred = inference.infer(given)
    const image = inferred?.image ?? given
    // readers take units without a field of lengths as they are taken here; values behind the file's end are cut off, and told of
    // so
    const { counts } = image
    const named = counts && counts.valueAt + counts.bytes <= place.numbers.reader.size
    if (inferred && (named || inferred.placeless || lost.get(image.ifd.offset)?.length))
      findings.add(placesLost(image.kind, inferred.count, image.offsets.at))
    if (inferred?.proven === false) placesGuessed = true
    const checked = await checkUnits(place.numbers, image, monitor, allowance)
    const units = withoutEmptied(image, checked, empty)
    report(image, units, place.numbers.reader.size, findings)
    images.push({ image, units })
  }
  // only where nothing else is wrong do pointers tell what they leave out
  const end = findings.healthy ? unexplainedEnd(place.numbers, place.structure) : undefined
  if (end) findings.add(lengthUnclear(end.offset, end.length))
  return {
    ...base,
    ...place,
    images,
    cut,
    lostFields: lost,
    mayHideBytes: end !== undefined,
    placesGuessed,
    healthy: findings.healthy,
  }
}

interface FirstRead {
  readonly numbers: TiffNumbers | undefined
  readonly first: Ifd | undefined
  readonly told: Structure | undefined
  /** Where the field of where strips or tiles lie was overwritten, if one was and is put in again. */
  readonly regained: number | undefined
}

const NOTHING_READ: FirstRead = { numbers: undefined, first: undefined, told: undefined, regained: undefined }

/** What the header leads to. */
async function readFirst(
  numbers: TiffNumbers,
  { firstIfd, big }: TiffHeader,
  limits: Limits,
  monitor: Monitor,
): Promise<FirstRead> {
  const first = readIfd(numbers, firstIfd, big)
  const told = first && isPlausible(first) ? readStructure(numbers, first, big, limits) : undefined
  const fields = told && (await regainPlaces(numbers, told.directories, big, monitor))
  const [regained] = fields?.keys() ?? []
  if (!fields || regained === undefined) return { numbers, first, told, regained }
  const { source } = numbers.reader
  const mended = new TiffNumbers(new ByteReader(new PatchedSource(source, fields)), numbers.little)
  const root = readIfd(mended, firstIfd, big)
  return { numbers: mended, first: root, told: root && readStructure(mended, root, big, limits), regained }
}

type Place = Pick<Assessment, 'big' | 'searched' | 'shift' | 'shiftProven' | 'moved' | 'strays'> & {
  readonly numbers: TiffNumbers
  readonly root: Ifd
  readonly structure: Structure
}

/** What a file is like whose header is believed. */
function where({ big }: TiffHeader) {
  return { big, shift: 0, shiftProven: true, searched: false, strays: [] as readonly Ifd[] }
}

async function search(
  reader: ByteReader,
  known: TiffNumbers | undefined,
  limits: Limits,
  findings: Findings,
  header: TiffHeader | undefined,
  monitor: Monitor,
): Promise<Place | undefined> {
  const found =
    (known && (await findRoot(known, reader, monitor))) ?? (await findRoot(undefined, reader, monitor))
  if (!found) return undefined
  const { shift, shiftProven, big, strays } = found
  const moved = shift === 0 ? reader : new ByteReader(new ShiftedSource(reader.source, shift))
  const numbers = new TiffNumbers(moved, found.numbers.little)
  const root = readIfd(numbers, found.root.offset + shift, big)
  if (!root) return undefined
  const structure = readStructure(numbers, root, big, limits)
  if (structure.images.length === 0) return undefined
  if (shift > 0) findings.add(headCut(shift))
  else
    findings.add(
      headerLost(
        header
          ? `the header points to ${header.firstIfd}, where no directory is`
          : 'the file does not begin as TIFF',
      ),
    )
  return { numbers, big, root, shift, shiftProven, moved: undefined, structure, strays, searched: true }
}

async function straysOf(
  numbers: TiffNumbers,
  big: boolean,
  { directories }: Structure,
  monitor: Monitor,
): Promise<readonly Ifd[]> {
  const found = await findRoot(numbers, numbers.reader, monitor)
  if (!found || found.big !== big || found.shift !== 0) return []
  const reached = new Set(directories.map(({ offset }) => offset))
  return [found.root, ...found.strays].filter(({ offset }) => !reached.has(offset))
}

function report(image: TiffImage, units: readonly CheckedUnit[], size: number, findings: Findings): void {
  const cut = units.filter(({ state }) => state === 'cut')
  if (cut.length > 0) findings.add(unitsCut(image.kind, cut.length, Math.min(size, cut[0].unit.offset)))
  for (const { unit, state, rows } of units)
    if (state === 'broken')
      findings.add(unitBroken(image.kind, { ...unit, offset: Math.min(unit.offset, size) }, rows))
  if (image.named < image.expected)
    findings.add(unitsMissing(image.kind, image.named, image.expected, image.ifd.offset))
}
