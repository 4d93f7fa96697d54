/** What decodes a photo. `unknown`: nothing here does. */
export type PhotoKind = 'bmp' | 'common' | 'heif' | 'raw' | 'tiff-raw' | 'unknown'

/** Extensions of cameras' raw formats that are built as TIFF: as TIFF, only their thumbnail would be seen. */
const TIFF_RAWS: ReadonlySet<string> = new Set([
  ...['dng', 'cr2', 'nef', 'nrw', 'arw', 'sr2', 'srf', 'orf', 'rw2', 'pef', 'srw', 'erf', 'kdc', 'dcr'],
  ...['3fr', 'iiq', 'gpr'],
])
/** File types of ISO/IEC 23008-12 with HEVC pictures. */
const HEIF_BRANDS: ReadonlySet<string> = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
])

/** Bytes of the headers that bitmaps have. */
const BITMAP_HEADERS: ReadonlySet<number> = new Set([12, 40, 52, 56, 64, 108, 124])

/** Tells by the first bytes what decodes a photo; the extension tells raws from TIFF. */
export function kindOfPhoto(head: Uint8Array, extension: string): PhotoKind {
  const text = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to))
  if (text(4, 8) === 'ftyp') {
    if (text(8, 12) === 'crx ') return 'raw'
    if (hasBrand(head, 'avif') || hasBrand(head, 'avis')) return 'common'
    return HEIF_BRANDS.has(text(8, 12)) ? 'heif' : 'unknown'
  }
  if (text(0, 15) === 'FUJIFILMCCD-RAW' || text(0, 4) === '\0MRM' || text(6, 14) === 'HEAPCCDR') return 'raw'
  if (text(0, 4) === 'FOVb') return 'raw'
  const order = text(0, 2)
  if (order === 'II' || order === 'MM') {
    const magic = order === 'II' ? head[2] : head[3]
    if (magic !== 42 && magic !== 43) return 'raw'
    return TIFF_RAWS.has(extension) ? 'tiff-raw' : 'common'
  }
  const common = head[0] === 0xff && head[1] === 0xd8
  if (common || text(1, 4) === 'PNG' || text(0, 4) === 'GIF8' || text(8, 12) === 'WEBP') return 'common'
  // two characters are little: the header behind them has to be one of a bitmap, or the extension
  if (order === 'BM' && (extension === 'bmp' || BITMAP_HEADERS.has(head[14] ?? 0))) return 'bmp'
  return 'unknown'
}

/**
 * Whether a file type box is of a brand: the main one, or one of those it names behind its version. ISO/IEC 14496-12:2022 §4.3.
 */
function hasBrand(head: Uint8Array, brand: string): boolean {
  const [, , high = 0, low = 0] = head
  const end = Math.min(head.length, (high << 8) | low)
  for (let at = 8; at + 4 <= end; at += 4)
    if (at !== 12 && String.fromCharCode(...head.subarray(at, at + 4)) === brand) return true
  return false
}
