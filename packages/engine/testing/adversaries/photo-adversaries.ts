import { deflateSync } from 'node:zlib'
import { noise } from '../hostile-sources.ts'
import type { Adversary } from './adversary.ts'
import { box, fullBox, joined, repeated, text, words } from './bytes.ts'
import { fixtureBytes } from './fixture-bytes.ts'

/** Where two bytes stand one after another. */
function placeOf(bytes: Uint8Array, marker: number): number {
  const at = bytes.findIndex((byte, i) => byte === marker >> 8 && bytes[i + 1] === (marker & 255))
  if (at < 0) throw new Error(`no ${marker.toString(16)}`)
  return at
}

/** A JPEG file's header that claims another size, and any bytes for its scan. */
function claiming(
  fixture: string,
  side: number,
  progressive: boolean,
  scan: (own: Uint8Array) => Uint8Array,
): Uint8Array {
  const bytes = fixtureBytes('jpeg', fixture)
  const start = placeOf(bytes, 0xffda)
  const head = bytes.slice(0, start + 2 + bytes[start + 2] * 256 + bytes[start + 3])
  const frame = placeOf(head, 0xffc0)
  if (progressive) {
    head[frame + 1] = 0xc2
    // spectral selection of a scan of DC alone
    head[head.length - 2] = 0
  }
  head.set([side >> 8, side & 255, side >> 8, side & 255], frame + 5)
  return joined([head, scan(bytes.subarray(head.length, bytes.length - 2)), Uint8Array.of(0xff, 0xd9)])
}

const SCANS: Readonly<Record<string, (bytes: number) => (own: Uint8Array) => Uint8Array>> = {
  zeros: (bytes) => () => new Uint8Array(bytes),
  ones: (bytes) => () => repeated(Uint8Array.of(0xff, 0), bytes),
  noise: (bytes) => () => noise(bytes, 3).map((byte) => (byte === 0xff ? 0xfe : byte)),
  'its own bytes over and over': (bytes) => (own) => repeated(own, bytes),
  'its own bytes in pieces': (bytes) => (own) =>
    repeated(joined([own.subarray(0, 200), noise(30, 4), own.subarray(300, 520), noise(9, 8)]), bytes),
  'restart markers': (bytes) => () =>
    repeated(Uint8Array.of(0xff, 0xd0, 0x12, 0xff, 0xd3, 0x55, 0xff, 0xd1), bytes),
  'scans of nothing': (bytes) => () =>
    repeated(Uint8Array.of(0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0, 0, 0x11), bytes),
  'scans of one coefficient': (bytes) => () =>
    repeated(Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 1, 1, 0x10, 0x7f), bytes),
}

/** Squares of so many pixels a side: small, of a camera, nearly the largest taken, the largest that can be said. */
const SIDES = [64, 4_000, 10_300, 65_500]

const JPEG_ADVERSARIES: readonly Adversary[] = ['baseline-420', 'restart-422'].flatMap((fixture) =>
  [false, true].flatMap((progressive) =>
    SIDES.flatMap((side) =>
      Object.entries(SCANS).map(([name, scan]) => ({
        name: `jpeg: ${side} by ${side}${progressive ? ', progressive' : ''}, its scan ${name} (${fixture})`,
        make: (bytes: number) => ({
          damaged: claiming(fixture, side, progressive, scan(bytes)),
          extension: 'jpg',
          megapixels: side ** 2 / 1e6,
        }),
      })),
    ),
  ),
)

/** Field of a directory: tag, type (3: 16 bits, 4: 32 bits), count, value or place. */
type Field = readonly [number, number, number, number]

/** A directory, TIFF 6.0 §2, little-endian. */
function directory(fields: readonly Field[], next: number): Uint8Array {
  const bytes = new Uint8Array(2 + fields.length * 12 + 4)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, fields.length, true)
  fields.forEach(([tag, type, count, value], i) => {
    view.setUint16(2 + i * 12, tag, true)
    view.setUint16(4 + i * 12, type, true)
    view.setUint32(6 + i * 12, count, true)
    view.setUint32(10 + i * 12, value, true)
  })
  view.setUint32(2 + fields.length * 12, next, true)
  return bytes
}

const TIFF_HEAD = Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0)

function littleWords(count: number, value: (index: number) => number): Uint8Array {
  const bytes = new Uint8Array(count * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) view.setUint32(i * 4, value(i), true)
  return bytes
}

interface TiffShape {
  readonly width: number
  readonly height: number
  readonly rows: number
  readonly compression: number
  readonly samples?: number
  readonly data: Uint8Array
  /** Strips, all of which are `data`. */
  readonly strips: number
  readonly directories?: number
}

const FIELDS = 10

/** Directories that all name the same strips, and strips that are all the same bytes. */
function tiff({
  width,
  height,
  rows,
  compression,
  samples = 3,
  data,
  strips,
  directories = 1,
}: TiffShape): Uint8Array {
  const length = 2 + FIELDS * 12 + 4
  const offsetsAt = 8 + length * directories
  const countsAt = offsetsAt + strips * 4
  const dataAt = countsAt + strips * 4
  const parts = Array.from({ length: directories }, (_, i) =>
    directory(
      [
        [254, 4, 1, 0],
        [256, 4, 1, width],
        [257, 4, 1, height],
        [258, 3, 1, 8],
        [259, 3, 1, compression],
        [262, 3, 1, 2],
        [273, 4, strips, offsetsAt],
        [277, 4, 1, samples],
        [278, 4, 1, rows],
        [279, 4, strips, countsAt],
      ],
      i + 1 < directories ? 8 + length * (i + 1) : 0,
    ),
  )
  return joined([
    TIFF_HEAD,
    ...parts,
    littleWords(strips, () => dataAt),
    littleWords(strips, () => data.length),
    data,
  ])
}

const megapixels = (width: number, height: number): number => (width * height) / 1e6
const DEFLATE = 8
const LZW = 5
const PACKBITS = 32_773

/** LZW that says the code 256 (clear) and a run, over and over. */
const lzwRun = (bytes: number): Uint8Array => repeated(Uint8Array.of(0x80, 0x00, 0x20, 0x50, 0x38), bytes)

const TIFF_ADVERSARIES: readonly Adversary[] = [
  ...[DEFLATE, LZW, PACKBITS].flatMap((compression) => {
    const data = (bytes: number): Uint8Array =>
      compression === DEFLATE
        ? deflateSync(new Uint8Array(bytes))
        : compression === LZW
          ? lzwRun(bytes / 60)
          : repeated(Uint8Array.of(0x81, 0), bytes / 60)
    return [
      {
        name: `tiff: strips that are all the same bytes, packed by ${compression}`,
        make: (bytes: number) => {
          const strips = Math.floor(bytes / 8)
          return {
            damaged: tiff({ width: 8_000, height: strips, rows: 1, compression, data: data(24_000), strips }),
            extension: 'tif',
            megapixels: megapixels(8_000, strips),
          }
        },
      },
      {
        name: `tiff: strips that unpack to much, packed by ${compression}`,
        make: (bytes: number) => {
          const side = Math.floor(Math.sqrt((bytes * 1000) / 3))
          return {
            damaged: tiff({
              width: side,
              height: side,
              rows: side,
              compression,
              data: data(Math.min(3e8, side * side * 3)),
              strips: 1,
            }),
            extension: 'tif',
            megapixels: megapixels(side, side),
          }
        },
      },
      {
        name: `tiff: many directories of the same strips, packed by ${compression}`,
        make: (bytes: number) => {
          const directories = Math.min(4_096, Math.floor(bytes / 260))
          const strips = Math.floor((bytes - directories * 126) / 8)
          return {
            damaged: tiff({
              width: 1_000,
              height: strips,
              rows: 1,
              compression,
              data: data(3_000),
              strips,
              directories,
            }),
            extension: 'tif',
            megapixels: megapixels(1_000, strips),
          }
        },
      },
      {
        name: `tiff: noise in strips of 16 rows, packed by ${compression}`,
        make: (bytes: number) => ({
          damaged: tiff({
            width: 4_000,
            height: 3_200,
            rows: 16,
            compression,
            data: noise(bytes, 6),
            strips: 200,
          }),
          extension: 'tif',
          megapixels: megapixels(4_000, 3_200),
        }),
      },
    ]
  }),
  {
    name: 'tiff: samples without number',
    make: (bytes) => ({
      damaged: tiff({
        width: 10,
        height: 10,
        rows: 10,
        compression: 1,
        samples: 0x7fff_ffff,
        data: new Uint8Array(bytes),
        strips: 1,
      }),
      extension: 'tif',
      megapixels: 0,
    }),
  },
  {
    name: 'tiff: directories in a circle',
    make: (bytes) => {
      const length = 2 + 12 + 4
      const count = Math.floor(bytes / length)
      const parts = Array.from({ length: count }, (_, i) =>
        directory([[256, 4, 1, 9]], 8 + length * ((i + 1) % count)),
      )
      return { damaged: joined([TIFF_HEAD, ...parts]), extension: 'tif', megapixels: 0 }
    },
  },
  {
    name: 'tiff: directories everywhere, none named',
    make: (bytes) => {
      const one = tiff({
        width: 64,
        height: 64,
        rows: 64,
        compression: DEFLATE,
        data: deflateSync(noise(12_288, 2)),
        strips: 1,
      })
      return {
        damaged: joined([new Uint8Array(8), repeated(one.subarray(8), bytes)]),
        extension: 'tif',
        megapixels: 1,
      }
    },
  },
]

/** A `meta` box of such items, ISO/IEC 14496-12:2022 §8.11. */
function heif(items: number, extents: number, to: number, payload: Uint8Array, side: number): Uint8Array {
  const infe = (id: number, type: string): Uint8Array =>
    fullBox('infe', 0, Uint8Array.of(id >> 8, id & 255, 0, 0), text(type), new Uint8Array(1))
  const two = (value: number): Uint8Array => Uint8Array.of((value >> 8) & 255, value & 255)
  const version2 = (bytes: Uint8Array): Uint8Array => {
    bytes[8] = 2
    return bytes
  }
  const ids = Array.from({ length: items }, (_, i) => i + 1)
  const extent = words([0, payload.length])
  const iloc = fullBox(
    'iloc',
    0,
    Uint8Array.of(0x44, 0),
    two(items),
    joined(ids.map((id) => joined([two(id), two(0), two(extents), repeated(extent, extents * 8)]))),
  )
  const ispe = fullBox('ispe', 0, words([side, side]))
  const meta = fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, words([0]), text('pict'), words([0, 0, 0]), new Uint8Array(1)),
    fullBox('pitm', 0, two(1)),
    fullBox('iinf', 0, two(items), joined(ids.map((id) => version2(infe(id, id === 1 ? 'grid' : 'hvc1'))))),
    fullBox(
      'iref',
      0,
      box(
        'dimg',
        two(1),
        two(to),
        joined(Array.from({ length: to }, (_, i) => two(2 + (i % Math.max(1, items - 1))))),
      ),
    ),
    box(
      'iprp',
      box('ipco', ispe),
      fullBox('ipma', 0, words([items]), joined(ids.map((id) => joined([two(id), Uint8Array.of(1, 1)])))),
    ),
    iloc,
  )
  return joined([box('ftyp', text('heic'), words([0]), text('mif1heic')), meta, box('mdat', payload)])
}

const HEIF_ADVERSARIES: readonly Adversary[] = [
  {
    name: 'heif: items that are all of the file many times over',
    make: (bytes) => {
      const items = Math.max(2, Math.min(60_000, Math.floor(bytes / 16_000)))
      return { damaged: heif(items, 1_000, 1, noise(bytes / 2, 4), 512), extension: 'heic', megapixels: 0.3 }
    },
  },
  {
    name: 'heif: items in one place',
    make: (bytes) => {
      const items = Math.max(2, Math.min(65_000, Math.floor(bytes / 100)))
      const payload = repeated(joined([words([40]), Uint8Array.of(0x26, 1), noise(38, 4)]), bytes / 2)
      return { damaged: heif(items, 1, items - 1, payload, 512), extension: 'heic', megapixels: 0.3 }
    },
  },
  {
    name: 'heif: units of no length',
    make: (bytes) => {
      const items = Math.max(2, Math.min(65_000, Math.floor(bytes / 100)))
      const payload = new Uint8Array(bytes / 2)
      return { damaged: heif(items, 1, items - 1, payload, 512), extension: 'heic', megapixels: 0.3 }
    },
  },
  {
    name: 'heif: a grid of the same tiles',
    make: (bytes) => {
      const payload = repeated(joined([words([40]), Uint8Array.of(0x26, 1), noise(38, 4)]), bytes)
      return { damaged: heif(3, 1, 65_000, payload, 16), extension: 'heic', megapixels: 17 }
    },
  },
  {
    name: 'heif: items without number',
    make: (bytes) => {
      const items = Math.max(2, Math.min(65_000, Math.floor(bytes / 60)))
      return {
        damaged: heif(items, 1, items - 1, noise(1000, 4), 65_535),
        extension: 'heic',
        megapixels: 4_295,
      }
    },
  },
  {
    name: 'heif: pictures without an index',
    make: (bytes) => ({
      damaged: joined([
        box('ftyp', text('heic'), words([0]), text('mif1heic')),
        box('mdat', repeated(joined([words([40]), Uint8Array.of(0x26, 1), noise(38, 4)]), bytes)),
      ]),
      extension: 'heic',
      megapixels: 1,
    }),
  },
]

/** What photos may claim. */
export const PHOTO_ADVERSARIES: readonly Adversary[] = [
  ...JPEG_ADVERSARIES,
  ...TIFF_ADVERSARIES,
  ...HEIF_ADVERSARIES,
]
