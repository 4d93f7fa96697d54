import type { Product } from './products.ts'

/** The 17 video extensions, without their dot, in the specification's order. */
export const VIDEO_EXTENSIONS = [
  'mov',
  'mp4',
  'f4v',
  'm4v',
  '3g2',
  '3gp',
  'avi',
  'divx',
  'flv',
  'mpg',
  'mpeg',
  'mkv',
  'webm',
  'mts',
  'asf',
  'wmv',
  'dat',
] as const

/** The photo extensions of Free. */
export const FREE_PHOTO_EXTENSIONS = ['jpg', 'jpeg'] as const

/** Every photo extension, those of Free first. */
export const PHOTO_EXTENSIONS = [
  ...FREE_PHOTO_EXTENSIONS,
  'heic',
  'heif',
  'hif',
  'avif',
  'png',
  'webp',
  'gif',
  'bmp',
  'tif',
  'tiff',
  'dng',
  'gpr',
  'cr2',
  'cr3',
  'crw',
  'nef',
  'nrw',
  'arw',
  'sr2',
  'srf',
  'orf',
  'rw2',
  'raf',
  'pef',
  'srw',
  'erf',
  'mrw',
  'kdc',
  'dcr',
  '3fr',
  'iiq',
  'x3f',
] as const

export type VideoExtension = (typeof VIDEO_EXTENSIONS)[number]
export type PhotoExtension = (typeof PHOTO_EXTENSIONS)[number]

/** The extensions of a product, without dots. */
export function extensionsOf(product: Product): readonly string[] {
  return product === 'video' ? VIDEO_EXTENSIONS : PHOTO_EXTENSIONS
}

/** An extension as people and clients write it (`.MP4`, `mp4`), brought to `mp4`. */
export function normaliseExtension(extension: string): string {
  return extension.trim().replace(/^\./, '').toLowerCase()
}

/** The normalised extension of a file name; empty when it has none. */
export function extensionOfName(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : normaliseExtension(name.slice(dot))
}

/** Whether the product repairs files with this extension, in any case, with or without its dot. */
export function isSupportedExtension(product: Product, extension: string): boolean {
  return extensionsOf(product).includes(normaliseExtension(extension))
}

/** Whether the Free photo plan takes the extension. */
export function isFreePhotoExtension(extension: string): boolean {
  return ['jpg', 'jpeg'].includes(normaliseExtension(extension))
}

/** Extensions whose preview plays inline on the page. */
export function previewsInline(extension: string): boolean {
  return normaliseExtension(extension) === 'mp4'
}

const MEDIA_TYPES: Readonly<Record<VideoExtension | PhotoExtension, string>> = {
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  f4v: 'video/mp4',
  m4v: 'video/x-m4v',
  '3g2': 'video/3gpp2',
  '3gp': 'video/3gpp',
  avi: 'video/x-msvideo',
  divx: 'video/x-msvideo',
  flv: 'video/x-flv',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  mkv: 'video/matroska',
  webm: 'video/webm',
  mts: 'video/mp2t',
  asf: 'video/x-ms-asf',
  wmv: 'video/x-ms-wmv',
  dat: 'video/mpeg',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  heic: 'image/heic',
  heif: 'image/heif',
  hif: 'image/heif',
  avif: 'image/avif',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  dng: 'image/x-adobe-dng',
  gpr: 'image/x-gopro-gpr',
  cr2: 'image/x-canon-cr2',
  cr3: 'image/x-canon-cr3',
  crw: 'image/x-canon-crw',
  nef: 'image/x-nikon-nef',
  nrw: 'image/x-nikon-nrw',
  arw: 'image/x-sony-arw',
  sr2: 'image/x-sony-sr2',
  srf: 'image/x-sony-srf',
  orf: 'image/x-olympus-orf',
  rw2: 'image/x-panasonic-rw2',
  raf: 'image/x-fuji-raf',
  pef: 'image/x-pentax-pef',
  srw: 'image/x-samsung-srw',
  erf: 'image/x-epson-erf',
  mrw: 'image/x-minolta-mrw',
  kdc: 'image/x-kodak-kdc',
  dcr: 'image/x-kodak-dcr',
  '3fr': 'image/x-hasselblad-3fr',
  iiq: 'image/x-phaseone-iiq',
  x3f: 'image/x-sigma-x3f',
}

/** Media type of an extension; `application/octet-stream` for one that is not ours. */
export function mediaTypeOf(extension: string): string {
  const known = new Map<string, string>(Object.entries(MEDIA_TYPES))
  return known.get(normaliseExtension(extension)) ?? 'application/octet-stream'
}
