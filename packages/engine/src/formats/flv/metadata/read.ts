import type { ByteReader } from '../../../bytes/reader.ts'
import { SCRIPT, TAG_HEADER, type TagTable } from '../read/tag-table.ts'
import { readNumber, readNumbers, readObject } from './amf0.ts'

/** Metadata beyond this are not read as such: an index of a whole day's key pictures takes two megabytes. */
const LONGEST = 4 * 1024 * 1024
/** `onMetaData` as a string value. */
const NAME = [2, 0, 10, 0x6f, 0x6e, 0x4d, 0x65, 0x74, 0x61, 0x44, 0x61, 0x74, 0x61]
/** Key pictures of an index that are compared with the file. */
const MOST_CHECKED = 100_000

/** A value that is kept as it is. */
export interface KeptProperty {
  readonly name: string
  readonly value: Uint8Array
}

/** The file's `onMetaData`, Adobe Flash Video File Format Specification 10.1 Annex E.5. */
export interface Metadata {
  /** Its tag. */
  readonly row: number
  readonly properties: readonly KeptProperty[]
  /** Seconds and bytes, as stated. */
  readonly duration: number | undefined
  readonly fileSize: number | undefined
  /** Offsets and seconds of key pictures, where there is an index. */
  readonly positions: readonly number[] | undefined
}

/** Finds and reads the first metadata of a file; what cannot be read is as if there were none. */
export function readMetadata(reader: ByteReader, table: TagTable): Metadata | undefined {
  for (let row = 0; row < table.length; row++) {
    if (table.kind[row] !== SCRIPT || table.size[row] > LONGEST) continue
    const bytes = reader.bytes(table.offset[row] + TAG_HEADER, table.size[row]).slice()
    if (!NAME.every((byte, i) => bytes[i] === byte)) continue
    const found = readObject(bytes, NAME.length)
    if (!found) continue
    const number = (name: string): number | undefined => {
      const property = found.find((candidate) => candidate.name === name)
      return property && readNumber(bytes, property.from)
    }
    const keyframes = found.find(({ name }) => name === 'keyframes')
    const index = keyframes && readObject(bytes, keyframes.from)
    const places = index?.find(({ name }) => name === 'filepositions')
    return {
      row,
      properties: found.map(({ name, from, to }) => ({ name, value: bytes.slice(from, to) })),
      duration: number('duration'),
      fileSize: number('filesize'),
      positions: places && readNumbers(bytes, places.from)?.slice(0, MOST_CHECKED),
    }
  }
  return undefined
}

/** Type of a string in AMF 0, which every script tag begins with, Annex E.4.4.2. */
const STRING = 2

/** Rows of script tags that hold no script data: what was in them is lost. */
export function brokenScripts(reader: ByteReader, table: TagTable): number[] {
  const rows: number[] = []
  for (let row = 0; row < table.length; row++)
    if (table.kind[row] === SCRIPT && reader.u8(table.offset[row] + TAG_HEADER) !== STRING) rows.push(row)
  return rows
}
