import { MAX_AREAS, type PhotoArea, type PictureReport } from '../../model/photo.ts'
import type { CheckedImage } from './assess.ts'

const COMPRESSION_NAMES: Readonly<Record<number, string>> = {
  ...{
    1: 'uncompressed',
    2: 'CCITT RLE',
    3: 'CCITT G3',
    4: 'CCITT G4',
    5: 'LZW',
    6: 'JPEG',
    7: 'JPEG',
    8: 'Deflate',
  },
  ...{
    32773: 'PackBits',
    32946: 'Deflate',
    34712: 'JPEG 2000',
    34892: 'JPEG',
    34713: 'NEF',
    32767: 'ARW',
    9: 'VC-5',
    32867: 'Kodak RADC',
    34316: 'Panasonic RAW',
    65535: 'PEF',
  },
}

/** What became of each picture of a file. */
export function pictureReports(
  images: readonly CheckedImage[],
  rebuilt: PictureReport['rebuilt'],
): PictureReport[] {
  const main = mainImage(images)
  const ordered = main ? [main, ...images.filter((image) => image !== main)] : []
  return ordered.map((checked) => pictureReport(checked, checked === main, rebuilt))
}

/** The picture of full size: the largest that is not a smaller version of another. */
export function mainImage(images: readonly CheckedImage[]): CheckedImage | undefined {
  const size = ({ image }: CheckedImage): number => image.width * image.height * (image.reduced ? 1e-6 : 1)
  return [...images].sort((a, b) => size(b) - size(a))[0]
}

function pictureReport(
  { image, units }: CheckedImage,
  main: boolean,
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  const recovered = units.filter(({ state, gone }) => state === 'whole' && gone === undefined).length
  const areas: PhotoArea[] = []
  for (const { unit, state, rows: read, gone } of units) {
    const { x, y, width, height, offset, bytes } = unit
    // where all rows can be read, the damage lies at any of them
    const rows = read < height ? read : 0
    if (gone !== undefined && areas.length < MAX_AREAS)
      areas.push({ x, y, width, height: gone, state: 'lost', offset, length: bytes })
    if (state === 'whole') continue
    const last = areas.at(-1)
    const joins =
      last && last.x === x && last.width === width && last.y + last.height === y + rows && rows === 0
    if (joins) areas[areas.length - 1] = { ...last, height: last.height + height }
    else if (areas.length < MAX_AREAS)
      areas.push({ x, y: y + rows, width, height: height - rows, state: 'lost', offset, length: bytes })
  }
  return {
    role: main ? 'main' : image.reduced ? 'preview' : 'further',
    codec: COMPRESSION_NAMES[image.compression] ?? `compression ${image.compression}`,
    width: image.width,
    height: image.height,
    orientation: image.orientation,
    layout: image.kind === 'tile' ? 'tiles' : 'strips',
    unit: image.kind,
    total: image.expected,
    recovered,
    estimated: 0,
    lost: image.expected - recovered,
    areas,
    rebuilt: main ? rebuilt : [],
  }
}
