import type { ByteReader } from '../../bytes/reader.ts'

/** One section of the file. */
export interface Section {
  /** As the directory names it: `IMAG`, `IMA2`, `PROP`, `CAMF`. */
  readonly type: string
  /** As it names itself: `SECi`, `SECp`, `SECc`. */
  readonly sign: string
  readonly offset: number
  readonly length: number
}

/** What a section of a picture says of it. */
export interface Picture {
  readonly section: Section
  /** 2 for a picture to look at; others for the sensor's data. */
  readonly kind: number
  readonly format: number
  readonly width: number
  readonly height: number
}

/** A directory: sections, and where it stands. */
export interface Directory {
  readonly offset: number
  readonly sections: readonly Section[]
  /** Entries whose place does not begin as a section. */
  readonly broken: number
  /** Bytes that are missing in front of the file, as the directory's own place shows. */
  readonly missing: number
}

export const MAGIC = 'FOVb'
export const COLUMNS_AT = 28
const HEADER = 40
const ENTRY = 12
const FRONT = 12
const MOST_SECTIONS = 256
/** Bytes of a picture section in front of its data. */
export const PICTURE_FRONT = 28
export const JPEG_FORMAT = 18
const PREVIEW = 2
/** Sections by how they sign themselves, and the type that the directory gives them. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['SECi', 'IMA2'],
  ['SECp', 'PROP'],
  ['SECc', 'CAMF'],
])
const LOOK = 64 * 1024

export function hasMagic(reader: ByteReader): boolean {
  return reader.fourcc(0) === MAGIC
}

/** Version, 2.0 to 4.x, as the file or a section has it: the lower half behind the point. */
function isVersion(value: number): boolean {
  const major = value >>> 16
  return major >= 1 && major <= 5 && (value & 0xffff) < 16
}

/** The directory at the end of the file, ExifTool's tag documentation `SigmaRaw`; undefined where none is. */
export function readDirectory(reader: ByteReader): Directory | undefined {
  const end = reader.size
  const said = reader.u32le(end - 4)
  const at = isDirectory(reader, said, end) ? said : nearEnd(reader, end)
  if (at < 0) return undefined
  const count = reader.u32le(at + 8)
  const missing = Math.max(0, said - at)
  const sections: Section[] = []
  let broken = 0
  for (let i = 0; i < count; i++) {
    const entry = at + FRONT + i * ENTRY
    const offset = reader.u32le(entry) - missing
    const length = reader.u32le(entry + 4)
    const sign = offset >= 0 ? reader.fourcc(offset) : ''
    if (TYPES.has(sign) && offset + length <= at)
      sections.push({ type: reader.fourcc(entry + 8), sign, offset, length })
    else broken++
  }
  return { offset: at, sections, broken, missing }
}

function isDirectory(reader: ByteReader, at: number, end: number): boolean {
  if (at < 0 || at + FRONT > end || reader.fourcc(at) !== 'SECd') return false
  const count = reader.u32le(at + 8)
  return count > 0 && count <= MOST_SECTIONS && at + FRONT + count * ENTRY + 4 === end
}

/** A directory that ends the file, though what points to it counts bytes in front that are missing. */
function nearEnd(reader: ByteReader, end: number): number {
  for (let at = end - FRONT - ENTRY - 4; at >= Math.max(0, end - LOOK); at--)
    if (reader.u8(at) === 0x53 && isDirectory(reader, at, end)) return at
  return -1
}

/** Sections by their own signs, one up to the next, in a file whose directory is lost. Reads it once. */
export function findSections(reader: ByteReader): readonly Section[] {
  const found: { sign: string; offset: number }[] = []
  for (let from = 0; from < reader.size; from += PIECE) {
    const bytes = Uint8Array.from(reader.bytes(from, PIECE + 8))
    for (let i = bytes.indexOf(0x53); i >= 0 && i < PIECE; i = bytes.indexOf(0x53, i + 1)) {
      if (bytes[i + 1] !== 0x45 || bytes[i + 2] !== 0x43) continue
      const sign = reader.fourcc(from + i)
      if (sign !== 'SECd' && !TYPES.has(sign)) continue
      if (isVersion(reader.u32le(from + i + 4)) && found.length < MOST_SECTIONS)
        found.push({ sign, offset: from + i })
    }
  }
  return found.flatMap(({ sign, offset }, i) => {
    const type = TYPES.get(sign)
    return type ? [{ type, sign, offset, length: (found[i + 1]?.offset ?? reader.size) - offset }] : []
  })
}

const PIECE = 1024 * 1024

/** What a picture's section says; undefined of other sections. */
export function pictureOf(reader: ByteReader, section: Section): Picture | undefined {
  if (section.sign !== 'SECi' || section.length <= PICTURE_FRONT) return undefined
  const [kind, format, width, height] = [8, 12, 16, 20].map((at) => reader.u32le(section.offset + at))
  const fits = width > 0 && height > 0 && width < 2 ** 16 && height < 2 ** 16
  return fits ? { section, kind, format, width, height } : undefined
}

/** The sensor's data among these sections: the largest that is no picture to look at. */
export function mainPicture(reader: ByteReader, sections: readonly Section[]): Picture | undefined {
  const pictures = sections.flatMap((section) => pictureOf(reader, section) ?? [])
  return pictures
    .filter(({ kind, format }) => kind !== PREVIEW && format !== JPEG_FORMAT)
    .sort((a, b) => b.width * b.height - a.width * a.height)[0]
}

/** Bytes of the header: up to the first section. */
export function headerLength(sections: readonly Section[]): number {
  return Math.max(HEADER, Math.min(...sections.map(({ offset }) => offset)))
}
