import type { ByteReader } from '../../bytes/reader.ts'
import { isFourcc, readBox } from '../../syntax/iso-boxes/box.ts'
import type { InputFile, Probe } from '../format.ts'
import { MOVIE_CHILDREN, TOP_LEVEL } from './read/box-types.ts'

/** Bytes looked at in the middle and at the tail, each. */
const WINDOW = 128 * 1024
/** Types that open files of this family and hardly any other bytes. */
const HEAD_TYPES: ReadonlySet<string> = new Set([
  'ftyp',
  'styp',
  'moov',
  'mdat',
  'wide',
  'skip',
  'free',
  'moof',
  'sidx',
  'pnot',
])

/**
 * Judges whether a file is ISO BMFF or QuickTime: a chain of top-level boxes at the head is near certain; where the
 * head is gone, a movie box, fragments or a media data header anywhere in middle or tail speak for it.
 */
export function probe(file: InputFile): Probe {
  const { reader } = file
  const reasons: string[] = []
  let score = headScore(reader, reasons)
  if (score < 90) {
    const tail = Math.max(0, reader.size - WINDOW)
    const middle = Math.max(0, Math.floor(reader.size / 2) - WINDOW / 2)
    score = Math.max(score, signatureScore(reader, 0, WINDOW, 'head', reasons))
    score = Math.max(score, signatureScore(reader, tail, reader.size, 'tail', reasons))
    score = Math.max(score, signatureScore(reader, middle, middle + WINDOW, 'middle', reasons) - 10)
  }
  return { score, reasons }
}

function headScore(reader: ByteReader, reasons: string[]): number {
  const first = readBox(reader, 0, reader.size)
  if (!first || !HEAD_TYPES.has(first.type)) {
    reasons.push('head: no known box')
    return 0
  }
  if (first.type === 'ftyp') {
    const brand = reader.fourcc(first.offset + 8)
    if (!isFourcc(brand) || first.size > 4096) {
      reasons.push('head: ftyp with a damaged body')
      return 60
    }
    reasons.push(`head: ftyp ${brand}`)
    return PHOTO_BRANDS.has(brand) ? 5 : 98
  }
  const second = readBox(reader, first.end, reader.size)
  if (second && TOP_LEVEL.has(second.type)) {
    reasons.push(`head: ${first.type} then ${second.type}`)
    return 95
  }
  if (first.type === 'moov' && MOVIE_CHILDREN.has(reader.fourcc(first.offset + first.header + 4))) {
    reasons.push('head: moov with a known child')
    return 95
  }
  reasons.push(`head: ${first.type} alone`)
  return first.type === 'mdat' || first.type === 'moov' || first.type === 'moof' ? 70 : 30
}

/** HEIC, AVIF, CR3 and other still pictures share the box structure but belong to the photo formats. */
const PHOTO_BRANDS: ReadonlySet<string> = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'mif1',
  'mif2',
  'mif3',
  'avif',
  'crx ',
  'jpx ',
  'jp2 ',
])

function signatureScore(
  reader: ByteReader,
  from: number,
  to: number,
  place: string,
  reasons: string[],
): number {
  const end = Math.min(to, reader.size)
  for (let at = from; at + 16 <= end; at++) {
    const code = reader.u8(at + 4)
    if (code !== 0x6d && code !== 0x66) continue
    const type = reader.fourcc(at + 4)
    const size = reader.u32(at)
    if (type === 'moov' && size >= 16 && MOVIE_CHILDREN.has(reader.fourcc(at + 12))) {
      reasons.push(`${place}: moov at ${at}`)
      return 90
    }
    if (type === 'moof' && size >= 16 && reader.fourcc(at + 12) === 'mfhd') {
      reasons.push(`${place}: moof at ${at}`)
      return 85
    }
    if (type === 'mdat' && (size < 2 || size >= 8) && at < 65_536) {
      reasons.push(`${place}: mdat header at ${at}`)
      return 40
    }
    if (type === 'ftyp' && size >= 16 && size <= 4096 && isFourcc(reader.fourcc(at + 8))) {
      reasons.push(`${place}: ftyp at ${at}`)
      return 60
    }
  }
  return 0
}
