import { randomFrom } from '../hostile-sources.ts'
import type { Adversary } from './adversary.ts'
import { joined, repeated, text } from './bytes.ts'
import { fixtureBytes } from './fixture-bytes.ts'

/** Share of a file that its header and first media data take. */
const HEAD = 0.3

/** Says what of a part at `at` depends on its number. */
type Change = (view: DataView, at: number, index: number) => void

/** So many equal parts one after another, each changed by its number. */
function numbered(part: Uint8Array, bytes: number, change: Change): Uint8Array {
  const whole = repeated(part, bytes - (bytes % part.length))
  const view = new DataView(whole.buffer)
  for (let at = 0, i = 0; at < whole.length; at += part.length, i++) change(view, at, i)
  return whole
}

/** The beginning of a format's fixture, then such parts. */
function behindHead(format: string, part: Uint8Array, bytes: number, change: Change): Uint8Array {
  const film = fixtureBytes(format)
  return joined([film.subarray(0, Math.floor(film.length * HEAD)), numbered(part, bytes, change)])
}

/** Writes the 33 bits of a time stamp, ISO/IEC 13818-1:2022 §2.4.3.6, its marker bits set. */
function setTime(view: DataView, at: number, ticks: number): void {
  view.setUint8(at, 0x21 | ((Math.floor(ticks / 2 ** 30) & 7) << 1))
  view.setUint16(at + 1, ((Math.floor(ticks / 2 ** 15) & 0x7fff) << 1) | 1)
  view.setUint16(at + 3, ((ticks & 0x7fff) << 1) | 1)
}

/** A pack of MPEG-2 and a packet with a time stamp and three bytes of pictures. */
const PACK = Uint8Array.of(
  ...[0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xc3, 0xf8],
  ...[0, 0, 1, 0xe0, 0, 12, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1, 0, 0, 1, 0],
)
/** The same with as many bytes of pictures as make it just too long to be one of a file of headers alone. */
const LONGER_PACK = joined([PACK, new Uint8Array(68).fill(0x55)])
LONGER_PACK[19] += 68
/** A packet of a private stream with a time stamp, which begins with the number of a substream. */
const SUBSTREAM = Uint8Array.of(
  ...[0, 0, 1, 0xbd, 0, 14, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1, 0x80, 1, 0, 1, 0x0b, 0x77],
)
/** A tag of a picture of H.264 that nothing is predicted from. */
const TAG = Uint8Array.of(...[9, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0], ...[0x27, 1, 0, 0, 0, 0x65], ...[0, 0, 0, 17])
const CHUNK = joined([text('00dc'), Uint8Array.of(4, 0, 0, 0, 0, 0, 1, 0xb6)])
/** A packet of a single payload. */
const ASF_PACKET = new Uint8Array(128)
ASF_PACKET.set([0x82, 0, 0, 0x09, 0x5d, 96, 0, 0, 0, 0, 0, 0, 0x81, 1, 0, 0, 0, 0, 8, 16])

/** So many packs one behind the other, each and its packet at a time by chance. */
function packsAtAnyTimes(pack: Uint8Array, bytes: number): Uint8Array {
  const random = randomFrom(2)
  return numbered(pack, bytes, (view, at) => {
    view.setUint8(at + 5, Math.floor(random() * 256))
    view.setUint8(at + 7, Math.floor(random() * 256))
    setTime(view, at + 23, Math.floor(random() * 2 ** 33))
  })
}

/** Bytes between two of a film that are noise. */
const APART = 97

/** A film whose packets from some place on come again and again, with a byte in some changed. */
function hitPackets(bytes: number): Uint8Array {
  const random = randomFrom(5)
  const film = fixtureBytes('asf')
  const start = Math.floor(film.length * 0.4)
  const whole = repeated(film.subarray(start, Math.floor(film.length * 0.9)), bytes)
  for (let at = 0; at < whole.length; at += APART) whole[at] = Math.floor(random() * 256)
  return joined([film.subarray(0, start), whole])
}

/** Directories of one field that names a hundred directories as its own, round and round. */
function subDirectories(bytes: number): Uint8Array {
  const named = 100
  const length = 2 + 12 + 4 + named * 4
  const count = Math.max(named, Math.floor(bytes / length))
  const whole = new Uint8Array(8 + count * length)
  const view = new DataView(whole.buffer)
  whole.set([0x49, 0x49, 0x2a, 0, 8])
  for (let i = 0; i < count; i++) {
    const at = 8 + i * length
    view.setUint16(at, 1, true)
    setField(view, at + 2, [330, 13, named, at + 18])
    for (let k = 0; k < named; k++)
      view.setUint32(at + 18 + k * 4, 8 + ((i * named + k + 1) % count) * length, true)
  }
  return whole
}

/** Pixels of a row of strips. */
const STRIP_WIDTH = 8

/** A picture of so many strips of a byte or two, which lie in each other. */
function overlappingStrips(strips: number): Uint8Array {
  const places = 8 + 2 + 7 * 12 + 4
  const whole = new Uint8Array(places + strips * 8)
  const view = new DataView(whole.buffer)
  whole.set([0x49, 0x49, 0x2a, 0, 8])
  view.setUint16(8, 7, true)
  const fields: readonly Field[] = [
    [256, 4, 1, STRIP_WIDTH],
    [257, 4, 1, strips],
    [258, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, strips, places],
    [278, 4, 1, 1],
    [279, 4, strips, places + strips * 4],
  ]
  for (const [i, field] of fields.entries()) setField(view, 10 + i * 12, field)
  for (let i = 0; i < strips; i++) {
    view.setUint32(places + i * 4, places + ((i * 7919) % strips), true)
    view.setUint32(places + (strips + i) * 4, 2, true)
  }
  return whole
}

type Field = readonly [tag: number, type: number, count: number, value: number]

/** Writes a field of a directory, TIFF 6.0 §2. */
function setField(view: DataView, at: number, [tag, type, count, value]: Field): void {
  view.setUint16(at, tag, true)
  view.setUint16(at + 2, type, true)
  view.setUint32(at + 4, count, true)
  view.setUint32(at + 8, value, true)
}

const recording = (name: string, extension: string, make: (bytes: number) => Uint8Array): Adversary => ({
  name,
  make: (bytes) => ({ damaged: make(bytes), extension }),
})

/** Small parts that differ from one to the next, in times, numbers or places. */
export const STREAM_ADVERSARIES: readonly Adversary[] = [
  recording('mpegps: packs at any times', 'mpg', (bytes) => packsAtAnyTimes(PACK, bytes)),
  recording('mpegps: longer packs at any times', 'mpg', (bytes) => packsAtAnyTimes(LONGER_PACK, bytes)),
  recording('mpegps: packets of substreams in turns', 'vob', (bytes) =>
    numbered(SUBSTREAM, bytes, (view, at, i) => {
      view.setUint8(at + 14, 0x80 + (i & 31))
      setTime(view, at + 9, i * 90)
    }),
  ),
  recording('flv: tags at any times', 'flv', (bytes) => {
    const random = randomFrom(3)
    return behindHead('flv', TAG, bytes, (view, at) => view.setUint32(at + 4, Math.floor(random() * 2 ** 32)))
  }),
  recording('avi: chunks of a hundred streams in turns', 'avi', (bytes) =>
    behindHead('avi', CHUNK, bytes, (view, at, i) => {
      view.setUint8(at, 0x30 + (Math.floor(i / 10) % 10))
      view.setUint8(at + 1, 0x30 + (i % 10))
    }),
  ),
  recording('avi: a byte too many in front of each chunk', 'avi', (bytes) =>
    behindHead('avi', joined([Uint8Array.of(0xee), CHUNK]), bytes, () => {}),
  ),
  recording('asf: payloads of many streams in turns', 'wmv', (bytes) =>
    behindHead('asf', ASF_PACKET, bytes, (view, at, i) => {
      view.setUint8(at + 12, 0x80 | (1 + (i % 127)))
      view.setUint8(at + 13, i & 255)
    }),
  ),
  recording('asf: packets of which a byte in some is hit', 'wmv', hitPackets),
  {
    name: 'tiff: sub-directories that name each other',
    make: (bytes) => ({ damaged: subDirectories(bytes), extension: 'tif', megapixels: 0 }),
  },
  {
    name: 'tiff: strips of a byte that lie in each other',
    make: (bytes) => ({
      damaged: overlappingStrips(bytes >> 3),
      extension: 'tif',
      megapixels: ((bytes >> 3) * STRIP_WIDTH) / 1e6,
    }),
  },
]
