import { MemorySink, MemorySource, repair } from '@mendframe/engine'
import { drawPicture, randomFrom } from '@mendframe/engine/testing'
import sharp from 'sharp'
import { type PhotoDamage, PLAIN_DAMAGES } from './damages.ts'
import { decode, type Pixels } from './score.ts'

/** Formats that are scored by their pixels. */
export const PLAIN_FORMATS = ['png', 'gif', 'bmp', 'webp', 'webp-lossless'] as const
type PlainFormat = (typeof PLAIN_FORMATS)[number]

const WIDTH = 640
const HEIGHT = 480
const BITMAP_HEAD = 54

interface PlainResult {
  readonly damage: string
  readonly verdict: string
  /** Parts of all pixels that are as they were: of the repaired file, and of the damaged one as the peer shows it. */
  readonly right: number
  readonly peer: number | undefined
  /** Part of the data that lies in front of the first hit, or, in a bitmap, that was not hit. */
  readonly there: number
}

/**
 * A line for each damage of a format: what is right, what the peer shows, and what the bytes allow where nothing behind a hit can
 * be read.
 */
export async function plainLines(
  format: PlainFormat,
  seeds: readonly number[],
  names: readonly string[],
): Promise<string[]> {
  const results: PlainResult[] = []
  for (const seed of seeds) {
    const photo = await encoded(format, seed)
    for (const name of names) {
      const damage = PLAIN_DAMAGES[name]
      if (damage) results.push(await runPlain(format, photo, name, damage, seed))
    }
  }
  const percent = (value: number): string => (100 * value).toFixed(2).padStart(6)
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return names.map((name) => {
    const own = results.filter(({ damage }) => damage === name)
    const peers = own.flatMap(({ peer }) => (peer === undefined ? [] : [peer]))
    const worse = own.filter(({ right, peer }) => peer !== undefined && right < peer - 0.001).length
    const verdicts = [...new Set(own.map(({ verdict }) => verdict))].join(', ')
    return [
      format.padEnd(14),
      name.padEnd(10),
      String(own.length).padStart(3),
      percent(mean(own.map(({ right }) => right))),
      peers.length > 0 ? percent(mean(peers)) : '     -',
      percent(mean(own.map(({ there }) => there))),
      String(worse).padStart(4),
      ` ${verdicts}`,
    ].join(' ')
  })
}

export const PLAIN_TITLE = 'format         damage     n right% sharp% there% worse verdict'

async function runPlain(
  format: PlainFormat,
  photo: Uint8Array,
  name: string,
  damage: PhotoDamage,
  seed: number,
): Promise<PlainResult> {
  const scan = dataStart(format, photo)
  const extension = format.split('-')[0] ?? format
  const { bytes, hits } = damage(photo, {
    scan,
    end: photo.length,
    random: randomFrom(seed * 977 + name.length),
  })
  const sink = new MemorySink()
  const { verdict } = await repair({
    damaged: { source: new MemorySource(bytes), name: `photo.${extension}` },
    sink,
  })
  const original = await pixelsOf(format, photo)
  const share = (other: Pixels | undefined): number => (original ? samePixels(original, other) : 0)
  const data = photo.length - scan
  const first = Math.min(
    photo.length,
    ...hits.map(([from]) => from),
    name.startsWith('ins') ? firstChange(photo, bytes) : Infinity,
  )
  const lost = hits.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, scan)), 0)
  return {
    damage: name,
    verdict,
    right: share(await pixelsOf(format, verdict === 'healthy' ? bytes : sink.bytes())),
    peer: format === 'bmp' ? undefined : share(await decode(bytes)),
    there: format === 'bmp' ? 1 - lost / data : first <= scan ? 1 : (first - scan) / data,
  }
}

function firstChange(one: Uint8Array, other: Uint8Array): number {
  return one.findIndex((byte, i) => byte !== other[i])
}

async function encoded(format: PlainFormat, seed: number): Promise<Uint8Array> {
  const { pixels: picture } = drawPicture(WIDTH, HEIGHT, seed)
  const image = sharp(picture, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  if (format === 'bmp') return bitmap(picture)
  if (format === 'png') return image.png().toBuffer()
  if (format === 'gif') return image.gif({ effort: 1 }).toBuffer()
  return image.webp(format === 'webp' ? { quality: 85 } : { lossless: true }).toBuffer()
}

/** A bitmap of 24 bits, its lowest row first. */
function bitmap(picture: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(BITMAP_HEAD + picture.length)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(BITMAP_HEAD, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeUInt32LE(WIDTH, 18)
  bytes.writeUInt32LE(HEIGHT, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  for (let y = 0; y < HEIGHT; y++)
    for (let i = 0; i < 3 * WIDTH; i++) {
      const from = y * 3 * WIDTH + i - 2 * (i % 3) + 2
      bytes[BITMAP_HEAD + (HEIGHT - 1 - y) * 3 * WIDTH + i] = picture[from] ?? 0
    }
  return bytes
}

/** Where the data of the picture begin in a healthy file. */
function dataStart(format: PlainFormat, photo: Uint8Array): number {
  if (format === 'bmp') return BITMAP_HEAD
  const text = Buffer.from(photo.buffer, photo.byteOffset, photo.length).toString('latin1')
  if (format === 'png') return text.indexOf('IDAT') + 4
  if (format === 'gif') return text.indexOf('\x2c\0\0\0\0') + 11
  return Math.max(text.indexOf('VP8 '), text.indexOf('VP8L')) + 18
}

async function pixelsOf(format: PlainFormat, photo: Uint8Array): Promise<Pixels | undefined> {
  if (format !== 'bmp') return decode(photo)
  const bytes = Buffer.from(photo)
  if (bytes.length < BITMAP_HEAD || bytes.readUInt32LE(18) !== WIDTH) return undefined
  const from = bytes.readUInt32LE(10)
  return { width: WIDTH, height: HEIGHT, channels: 3, data: bytes.subarray(from, from + 3 * WIDTH * HEIGHT) }
}

/** The part of pixels that are the same in all channels. */
function samePixels(original: Pixels, other: Pixels | undefined): number {
  const { width, height, channels, data } = original
  if (other?.width !== width || other.height !== height || other.channels !== channels) return 0
  let same = 0
  for (let at = 0; at < data.length; at += channels) {
    let i = 0
    while (i < channels && data[at + i] === other.data[at + i]) i++
    if (i === channels) same++
  }
  return same / (width * height)
}
