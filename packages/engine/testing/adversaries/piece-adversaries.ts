import { deflateSync } from 'node:zlib'
import { crc32 } from '../../src/bytes/crc32.ts'
import type { Adversary } from './adversary.ts'
import { box, joined, repeated, text, words } from './bytes.ts'

/** A chunk of PNG, Third Edition §5.3. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = joined([text(type), data])
  return joined([words([data.length]), named, words([crc32(named)])])
}

const pngHead = (side: number): Uint8Array =>
  joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', joined([words([side, side]), Uint8Array.of(8, 0, 0, 0, 0)])),
  ])
const PNG_HEAD = pngHead(64)

const PNG_ROWS = deflateSync(new Uint8Array(64 * 65))

/** The header of GIF with two colours, which are black where `dark`. */
const gifHead = (dark: boolean): Uint8Array =>
  joined([
    text('GIF89a'),
    Uint8Array.of(1, 0, 1, 0, 0x80, 0, 0),
    Uint8Array.of(0, 0, 0, ...(dark ? [0, 0, 0] : [255, 255, 255])),
  ])
/** A control that shows what follows for no time. */
const GIF_CONTROL = Uint8Array.of(0x21, 0xf9, 4, 0, 0, 0, 0, 0)
/** A picture of one pixel. */
const GIF_PICTURE = Uint8Array.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0)
const GIF_TORN = Uint8Array.of(0x2c, 0, 0, 0, 0, 9, 0, 9, 0, 0, 2, 2, 0x44, 0x01, 0)

/** Heaps of CIFF one within the other, each named by as many records as there may be. */
function heaps(levels: number, records: number): Uint8Array {
  let inner = new Uint8Array(64)
  let type = 0x1810
  for (let level = 0; level < levels; level++) {
    const whole = new Uint8Array(inner.length + 2 + records * 10 + 4)
    const view = new DataView(whole.buffer)
    whole.set(inner)
    view.setUint16(inner.length, records, true)
    for (let i = 0; i < records; i++) {
      const at = inner.length + 2 + i * 10
      view.setUint16(at, type, true)
      view.setUint32(at + 2, inner.length, true)
      view.setUint32(at + 6, 0, true)
    }
    view.setUint32(whole.length - 4, inner.length, true)
    inner = whole
    type = 0x300a
  }
  const head = new Uint8Array(26)
  head.set(joined([text('II'), Uint8Array.of(26, 0, 0, 0), text('HEAPCCDR')]))
  return joined([head, inner])
}

/** A chunk of RIFF whose length is even. */
function riff(type: string, data: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, data.length, true)
  return joined([text(type), length, data])
}

const WEBP_FRAME = riff(
  'ANMF',
  joined([new Uint8Array(16), riff('VP8L', Uint8Array.of(0x2f, 0, 0, 0, 0, 0))]),
)

const photo = (extension: string, name: string, make: (bytes: number) => Uint8Array): Adversary => ({
  name: `${extension}: ${name}`,
  make: (bytes) => ({ damaged: make(bytes), extension, megapixels: 0 }),
})

/** Photos of more pieces than any photo has. */
export const PIECE_ADVERSARIES: readonly Adversary[] = [
  photo('png', 'empty image data', (bytes) =>
    joined([PNG_HEAD, repeated(chunk('IDAT', new Uint8Array(0)), bytes)]),
  ),
  photo('png', 'empty image data behind rows', (bytes) =>
    joined([PNG_HEAD, chunk('IDAT', PNG_ROWS), repeated(chunk('IDAT', new Uint8Array(0)), bytes)]),
  ),
  photo('png', 'profiles that unpack to much', (bytes) => {
    const profile = chunk(
      'iCCP',
      joined([text('a'), new Uint8Array(2), deflateSync(new Uint8Array(1 << 24))]),
    )
    profile.set([1, 2, 3, 4], profile.length - 4)
    return joined([PNG_HEAD, chunk('IDAT', PNG_ROWS), repeated(profile, bytes)])
  }),
  photo('png', 'frames of no data', (bytes) =>
    joined([
      pngHead(8000),
      chunk('IDAT', deflateSync(new Uint8Array(8000 * 8001))),
      repeated(
        joined([
          chunk('fcTL', joined([words([0, 8000, 8000, 0, 0]), new Uint8Array(6)])),
          chunk('fdAT', Uint8Array.of(0, 0, 0, 0, 0x78, 0x9c)),
        ]),
        bytes,
      ),
    ]),
  ),
  photo('gif', 'controls without number, then a torn picture', (bytes) =>
    joined([gifHead(false), repeated(GIF_CONTROL, bytes & ~7), GIF_TORN]),
  ),
  photo('gif', 'pictures of a pixel, then a torn one', (bytes) =>
    joined([gifHead(false), repeated(GIF_PICTURE, bytes - (bytes % 15)), GIF_TORN]),
  ),
  photo('gif', 'dark pictures of a pixel', (bytes) => joined([gifHead(true), repeated(GIF_PICTURE, bytes)])),
  photo('gif', 'torn pictures without number', (bytes) =>
    joined([gifHead(false), repeated(GIF_TORN, bytes)]),
  ),
  photo('webp', 'frames of a pixel', (bytes) =>
    joined([text('RIFF'), new Uint8Array(4), text('WEBP'), repeated(WEBP_FRAME, bytes)]),
  ),
  photo('crw', 'heaps within heaps', () => heaps(8, 512)),
  photo('heic', 'boxes within boxes', (bytes) => {
    const levels = Math.min(5_000, bytes >> 3)
    const nested = new Uint8Array(levels * 8)
    for (let level = 0; level < levels; level++)
      nested.set(joined([words([nested.length - level * 8]), text('iprp')]), level * 8)
    return joined([box('ftyp', text('heic'), words([0])), repeated(box('meta', words([0]), nested), bytes)])
  }),
]
