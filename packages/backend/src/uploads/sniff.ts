import type { Product } from '@mendframe/contract'

/** Bytes from the start of a file that decide. */
export const SNIFF_BYTES = 4096

/**
 * Whether the head of an upload is positively something else than the product repairs: a program, a text, an archive, a
 * document, another kind of medium. Zeroed, garbled and unknown heads pass: they are what people come with.
 */
export function isForeign(product: Product, head: Uint8Array): boolean {
  if (head.length === 0) return false
  if (isProgram(head) || isText(head) || OTHERS.some((mark) => matches(head, mark))) return true
  return product === 'video' ? isPicture(head) : isRecording(head)
}

interface Mark {
  readonly at: number
  readonly bytes: string
}

/** Archives, documents, sound, databases. */
const OTHERS: readonly Mark[] = [
  { at: 0, bytes: 'PK\x03\x04' },
  { at: 0, bytes: 'PK\x05\x06' },
  { at: 0, bytes: '\x1f\x8b\x08' },
  { at: 0, bytes: '7z\xbc\xaf\x27\x1c' },
  { at: 0, bytes: 'Rar!\x1a\x07' },
  { at: 0, bytes: '\xfd7zXZ\x00' },
  { at: 0, bytes: '\x28\xb5\x2f\xfd' },
  { at: 257, bytes: 'ustar' },
  { at: 0, bytes: '%PDF-' },
  { at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { at: 0, bytes: 'SQLite format 3\x00' },
  { at: 0, bytes: 'fLaC' },
  { at: 0, bytes: 'ID3' },
  { at: 8, bytes: 'WAVEfmt ' },
]

const PROGRAMS: readonly Mark[] = [
  { at: 0, bytes: '\x7fELF' },
  { at: 0, bytes: '\xcf\xfa\xed\xfe' },
  { at: 0, bytes: '\xce\xfa\xed\xfe' },
  { at: 0, bytes: '\xca\xfe\xba\xbe' },
  { at: 0, bytes: '\x00asm\x01\x00\x00\x00' },
]

/** Pictures other than those inside an ISO file. */
const PICTURES: readonly Mark[] = [
  { at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { at: 0, bytes: '\xff\xd8\xff' },
  { at: 0, bytes: 'GIF87a' },
  { at: 0, bytes: 'GIF89a' },
  { at: 0, bytes: 'II\x2a\x00' },
  { at: 0, bytes: 'MM\x00\x2a' },
  { at: 8, bytes: 'WEBPVP8' },
  { at: 0, bytes: 'FUJIFILMCCD-RAW' },
  { at: 0, bytes: '\x00MRM' },
  { at: 6, bytes: 'HEAPCCDR' },
  { at: 0, bytes: 'FOVb' },
]

const RECORDINGS: readonly Mark[] = [
  { at: 8, bytes: 'AVI LIST' },
  { at: 0, bytes: '\x1a\x45\xdf\xa3' },
  { at: 0, bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11' },
  { at: 0, bytes: 'FLV\x01' },
  { at: 0, bytes: '\x00\x00\x01\xba' },
]

/** Brands of ISO files that hold pictures, ISO/IEC 23008-12 §10 and the raw formats built on it. */
const PICTURE_BRANDS = ['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'avif', 'crx ']

function isPicture(head: Uint8Array): boolean {
  const brand = isoBrand(head)
  if (brand !== undefined) return PICTURE_BRANDS.includes(brand)
  return PICTURES.some((mark) => matches(head, mark))
}

function isRecording(head: Uint8Array): boolean {
  const brand = isoBrand(head)
  if (brand !== undefined)
    return ['isom', 'iso2', 'mp41', 'mp42', 'avc1', 'qt  ', 'M4V ', '3gp4', '3gp5'].includes(brand)
  return RECORDINGS.some((mark) => matches(head, mark))
}

function isProgram(head: Uint8Array): boolean {
  if (PROGRAMS.some((mark) => matches(head, mark))) return true
  if (!matches(head, { at: 0, bytes: 'MZ' }) || head.length < 64) return false
  const at = new DataView(head.buffer, head.byteOffset).getUint32(60, true)
  return matches(head, { at, bytes: 'PE\x00\x00' })
}

/** Text: valid UTF-8 (a character cut by the end of the head allowed) of printable characters and line ends only. */
function isText(head: Uint8Array): boolean {
  const printable = (byte: number) =>
    (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10 || byte === 12 || byte === 13
  if (!head.every(printable)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length === SNIFF_BYTES })
    return true
  } catch {
    return false
  }
}

function isoBrand(head: Uint8Array): string | undefined {
  if (!matches(head, { at: 4, bytes: 'ftyp' }) || head.length < 12) return undefined
  return String.fromCharCode(...head.subarray(8, 12))
}

function matches(head: Uint8Array, mark: Mark): boolean {
  if (head.length < mark.at + mark.bytes.length) return false
  for (let index = 0; index < mark.bytes.length; index++) {
    if (head[mark.at + index] !== mark.bytes.charCodeAt(index)) return false
  }
  return true
}
