import type { ByteReader } from '../../../bytes/reader.ts'
import { BROADCAST } from '../assess.ts'
import { GUID, guidBytes } from '../read/guids.ts'
import {
  DATA_START,
  EXTENSION_START,
  extensionEnd,
  HEADER_START,
  type Header,
  type Part,
} from '../read/header.ts'
import type { PacketSizes } from '../read/packet.ts'

/** The file can be seeked in, §3.2. */
const SEEKABLE = 2
const FILE_PROPERTIES = 104
/** Parts that say how the recording is coded, not what it is of. */
const TECHNICAL: ReadonlySet<string> = new Set([
  GUID.streamProperties,
  GUID.headerExtension,
  GUID.codecList,
  GUID.bitrates,
])
/** Name of a repaired file, which header, data and indexes repeat, where the file's own is lost. */
const NO_ID = new Uint8Array(16)

/** What is true of the repaired file. */
export interface Truth {
  readonly fileSize: number
  readonly packets: number
  /** Bytes of all packets, and of the smallest and the largest one. */
  readonly dataSize: number
  readonly sizes: PacketSizes
  /** Milliseconds. */
  readonly preroll: number
  /** 100 ns, preroll included; and of sending. */
  readonly playDuration: number
  readonly sendDuration: number
  readonly seekable: boolean
}

/** The file's own name in its header. */
export function fileId(reader: ByteReader, header: Header): Uint8Array {
  const properties = header.parts.find(({ guid }) => guid === GUID.fileProperties)
  return properties ? reader.bytes(properties.offset + 24, 16).slice() : NO_ID
}

/**
 * The header object and the beginning of the data object. Of the file's own header all parts are kept, of a sample's those that
 * say how it is coded.
 */
export function writeHeader(reader: ByteReader, header: Header, own: boolean, truth: Truth): Uint8Array {
  const id = own ? fileId(reader, header) : NO_ID
  const parts = [fileProperties(reader, header, own, id, truth), ...keptParts(reader, header, own)]
  const size = parts.reduce((sum, part) => sum + part.length, HEADER_START)
  const bytes = new Uint8Array(size + DATA_START)
  const view = new DataView(bytes.buffer)
  bytes.set(guidBytes(GUID.header), 0)
  putLong(view, 16, size)
  view.setUint32(24, parts.length, true)
  bytes.set([1, 2], 28)
  let at = HEADER_START
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  bytes.set(guidBytes(GUID.data), at)
  putLong(view, at + 16, DATA_START + truth.dataSize)
  bytes.set(id, at + 24)
  putLong(view, at + 40, truth.packets)
  bytes.set([1, 1], at + 48)
  return bytes
}

/** How many bytes `writeHeader` makes. */
export function headerSize(reader: ByteReader, header: Header, own: boolean): number {
  const sizes = keptParts(reader, header, own).map(({ length }) => length)
  return sizes.reduce((sum, size) => sum + size, HEADER_START + FILE_PROPERTIES + DATA_START)
}

/** The parts that are written as they were, of an extension what it holds in front of bytes that are none. */
function keptParts(reader: ByteReader, { parts }: Header, own: boolean): Uint8Array[] {
  const kept = parts.filter(({ guid }) => guid !== GUID.fileProperties && (own || TECHNICAL.has(guid)))
  return kept.map((part) =>
    part.guid === GUID.headerExtension
      ? wholeExtension(reader, part)
      : reader.bytes(part.offset, part.size).slice(),
  )
}

function wholeExtension(reader: ByteReader, part: Part): Uint8Array {
  const { offset, size } = part
  const bytes = reader.bytes(offset, extensionEnd(reader, part) - offset).slice()
  if (size < EXTENSION_START || bytes.length < EXTENSION_START) return bytes
  const view = new DataView(bytes.buffer)
  putLong(view, 16, bytes.length)
  view.setUint32(EXTENSION_START - 4, bytes.length - EXTENSION_START, true)
  return bytes
}

function fileProperties(
  reader: ByteReader,
  header: Header,
  own: boolean,
  id: Uint8Array,
  truth: Truth,
): Uint8Array {
  const part = header.parts.find(({ guid }) => guid === GUID.fileProperties)
  const bytes = new Uint8Array(FILE_PROPERTIES)
  if (part) bytes.set(reader.bytes(part.offset, Math.min(FILE_PROPERTIES, part.size)))
  const view = new DataView(bytes.buffer)
  bytes.set(guidBytes(GUID.fileProperties), 0)
  putLong(view, 16, FILE_PROPERTIES)
  bytes.set(id, 24)
  putLong(view, 40, truth.fileSize)
  // when a sample was recorded says nothing of this file
  if (!own) putLong(view, 48, 0)
  putLong(view, 56, truth.packets)
  putLong(view, 64, truth.playDuration)
  putLong(view, 72, truth.sendDuration)
  const flags = part ? view.getUint32(88, true) & ~(BROADCAST | SEEKABLE) : 0
  view.setUint32(88, flags | (truth.seekable ? SEEKABLE : 0), true)
  putLong(view, 80, truth.preroll)
  view.setUint32(92, truth.sizes.least, true)
  view.setUint32(96, truth.sizes.most, true)
  return bytes
}

/** A number of 64 bits, as exact as a double is. */
export function putLong(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true)
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true)
}
