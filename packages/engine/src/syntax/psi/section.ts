import { crc32 } from './crc32.ts'

/** Tables that every transport stream has, ISO/IEC 13818-1:2022 Table 2-31. */
export const PROGRAM_ASSOCIATION = 0
export const PROGRAM_MAP = 2

/** A section with the long syntax, §2.4.4.11. */
export interface Section {
  readonly tableId: number
  /** transport_stream_id or program_number. */
  readonly extension: number
  readonly version: number
  /** What follows the header, without the checksum. */
  readonly body: Uint8Array
}

/** Bytes up to and with section_length, of the rest of the header, and of the checksum. */
const PREFIX = 3
const HEADER = 5
const CHECKSUM = 4
/** Longest section of these tables. */
export const LONGEST_SECTION = 1024

/** Bytes of the section at `at`, or 0 when its length breaks the rules. */
export function sectionLength(bytes: Uint8Array, at: number): number {
  if (at + PREFIX > bytes.length) return 0
  const length = PREFIX + (((bytes[at + 1] & 0x0f) << 8) | bytes[at + 2])
  return length <= LONGEST_SECTION && length >= PREFIX + HEADER + CHECKSUM ? length : 0
}

/** Reads a section of one part that is in force; undefined when its checksum fails. */
export function parseSection(bytes: Uint8Array): Section | undefined {
  const length = sectionLength(bytes, 0)
  if (length === 0 || length > bytes.length || (bytes[1] & 0x80) === 0) return undefined
  if (crc32(bytes, 0, length) !== 0 || (bytes[5] & 1) === 0) return undefined
  return {
    tableId: bytes[0],
    extension: (bytes[3] << 8) | bytes[4],
    version: (bytes[5] >> 1) & 31,
    body: bytes.slice(PREFIX + HEADER, length - CHECKSUM),
  }
}

/** Writes a section with its checksum. */
export function writeSection({ tableId, extension, version, body }: Section): Uint8Array {
  const length = HEADER + body.length + CHECKSUM
  const bytes = new Uint8Array(PREFIX + length)
  bytes.set([tableId, 0xb0 | (length >> 8), length & 0xff])
  bytes.set([extension >> 8, extension & 0xff, 0xc1 | (version << 1), 0, 0], PREFIX)
  bytes.set(body, PREFIX + HEADER)
  const crc = crc32(bytes, 0, bytes.length - CHECKSUM)
  new DataView(bytes.buffer).setUint32(bytes.length - CHECKSUM, crc)
  return bytes
}
