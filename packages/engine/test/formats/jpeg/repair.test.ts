import { beforeAll, describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { segmentAt, walkSegments, writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const SCENE = drawPicture(640, 400, 11)
const PLAIN = { sampling: [2, 2], quality: 92, interval: 0 } as const
let photo: Uint8Array
let withThumbnail: Uint8Array
let withRestarts: Uint8Array

beforeAll(() => {
  photo = writePhoto(SCENE, PLAIN)
  const thumbnail = writePhoto(drawPicture(160, 100, 11), { ...PLAIN, quality: 80 })
  withThumbnail = writePhoto(SCENE, { ...PLAIN, thumbnail, orientation: 6 })
  withRestarts = writePhoto(SCENE, { ...PLAIN, sampling: [2, 1], interval: 10 })
})

async function mend(
  bytes: Uint8Array,
  sample?: Uint8Array,
): Promise<{ report: PhotoReport; output: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(bytes), name: 'photo.jpg' },
    ...(sample ? { sample: { source: new MemorySource(sample), name: 'sample.jpg' } } : {}),
    sink,
  })
  if (report.kind !== 'photo') throw new Error('not taken for a photo')
  return { report, output: sink.bytes() }
}

function overwritten(
  bytes: Uint8Array,
  spots: readonly (readonly [number, number])[],
  value = 0,
): Uint8Array {
  const damaged = Uint8Array.from(bytes)
  for (const [at, length] of spots) damaged.fill(value, at, at + length)
  return damaged
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(to)])
}

function randomBytes(seed: number): () => number {
  const random = randomFrom(seed)
  return () => Math.floor(random() * 256)
}

function scanStart(bytes: Uint8Array): number {
  return walkSegments(bytes, 0).at(-1)?.end ?? 0
}

function withoutMarker(bytes: Uint8Array, marker: number): Uint8Array {
  const segment = walkSegments(bytes, 0).find((found) => found.marker === marker)
  return segment ? without(bytes, segment.offset, segment.end) : bytes
}

/** The part of the original's blocks whose detail is the same, and whose DC is within two levels. */
function score(original: Uint8Array, repaired: Uint8Array): { exact: number; near: number } {
  const truth = readPhoto(original)
  const own = readPhoto(repaired)
  if (!truth || !own || truth.layout.mcuCount !== own.layout.mcuCount) return { exact: 0, near: 0 }
  const { layout, coefficients, quantisation } = truth
  let exact = 0
  let near = 0
  const blocks = coefficients.length / 64
  for (let block = 0; block < blocks; block++) {
    const at = block * 64
    let same = true
    for (let i = 1; i < 64 && same; i++) same = coefficients[at + i] === own.coefficients[at + i]
    if (!same) continue
    exact++
    const component = layout.componentOf[block % layout.blocksPerMcu]
    const off = Math.abs(coefficients[at] - own.coefficients[at]) * quantisation[component][0]
    if (off <= 16) near++
  }
  return { exact: exact / blocks, near: near / blocks }
}

describe('a damaged JPEG photo', () => {
  it('with parts of its scan overwritten gets back all that survives, in its place and colour', async () => {
    const spots = [0.2, 0.5, 0.8].map((part) => [Math.floor(photo.length * part), 300] as const)
    const { report, output } = await mend(overwritten(photo, spots))
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toContain('areas-lost')
    expect(report.pictures[0].areas.length).toBeGreaterThan(0)
    const { exact, near } = score(photo, output)
    expect(exact).toBeGreaterThan(0.95)
    expect(near).toBeGreaterThan(0.95)
  })

  it('with bytes missing from its scan gets back what follows in its place', async () => {
    const at = Math.floor(photo.length * 0.4)
    const { report, output } = await mend(without(photo, at, at + 900))
    expect(report.verdict).toBe('partial')
    expect(score(photo, output).near).toBeGreaterThan(0.93)
  })

  it('with restart markers loses no more than the intervals that were hit', async () => {
    const at = Math.floor(withRestarts.length * 0.5)
    const { output } = await mend(overwritten(withRestarts, [[at, 400]], 0x5a))
    const { exact, near } = score(withRestarts, output)
    expect(exact).toBeGreaterThan(0.97)
    expect(near).toBeGreaterThan(0.97)
  })

  it('that breaks off in its tables is gone: its thumbnail is told to be one', async () => {
    const tables = walkSegments(withThumbnail, 0).find(({ marker }) => marker === 0xdb)
    const { report } = await mend(withThumbnail.subarray(0, tables?.end))
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ role: 'preview', width: 160 }] })
    expect(report.doubts?.map(({ code }) => code)).toContain('preview-only')
  })

  it('of which a directory of another format tells that it is a thumbnail is told to be one', async () => {
    const thumbnail = writePhoto(drawPicture(160, 100, 11), { ...PLAIN, quality: 80 })
    const front = Uint8Array.from({ length: 9_000 }, randomBytes(3))
    const directory = Buffer.alloc(64)
    directory.write('II*\0', 'latin1')
    directory.writeUInt32LE(8, 4)
    directory.writeUInt16LE(1, 8)
    for (const [i, value] of [0x0004_0201, 1, directory.length].entries())
      directory.writeUInt32LE(value, 10 + 4 * i)
    const { report } = await mend(Buffer.concat([front, directory, thumbnail]))
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ role: 'preview', width: 160 }] })
    expect(report.doubts?.map(({ code }) => code)).toContain('preview-only')
  })

  it('with its beginning gone is not taken for its thumbnail, be that as long as it', async () => {
    const small = writePhoto(drawPicture(320, 200, 11), PLAIN)
    const thumbnail = writePhoto(drawPicture(160, 100, 11), { ...PLAIN, quality: 100 })
    const whole = writePhoto(drawPicture(320, 200, 11), { ...PLAIN, thumbnail })
    const start = Buffer.from(whole).indexOf(thumbnail.subarray(0, 20))
    const { report, output } = await mend(overwritten(whole, [[0, start]]))
    expect([report.verdict, report.pictures[0].width]).toEqual(['partial', 320])
    expect(score(small, output).exact).toBe(1)
  })

  it('in the midst of more bytes of something else may be a small picture of that', async () => {
    const noise = (length: number, seed: number) => Uint8Array.from({ length }, randomBytes(seed))
    const { report } = await mend(Buffer.concat([noise(500, 1), photo, noise(2 * photo.length, 2)]))
    expect(report.doubts?.map(({ code }) => code)).toEqual(['preview-only'])
    const film = Buffer.from('\0\0\0\x18ftypmp42', 'latin1')
    for (const behind of [
      Buffer.concat([film, noise(2 * photo.length, 3)]),
      new Uint8Array(2 * photo.length),
    ]) {
      const other = await mend(Buffer.concat([noise(500, 1), photo, behind]))
      expect(other.report.verdict).toBe('repaired')
    }
  })

  it('that is progressive and even is healthy: further bits of DC are alike there', async () => {
    const dc = (high: number, low: number) => [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, (high << 4) | low]
    const blocks = new Array<number>((60 * 40) / 8).fill(0)
    const bytes = Uint8Array.of(
      ...[0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...new Array<number>(64).fill(1)],
      ...[0xff, 0xc2, 0, 11, 8, 320 >> 8, 320 & 0xff, 480 >> 8, 480 & 0xff, 1, 1, 0x11, 0],
      ...[0xff, 0xc4, 0, 20, 0, 1, ...new Array<number>(15).fill(0), 0],
      ...[...dc(0, 1), ...blocks, ...dc(1, 0), ...blocks, 0xff, 0xd9],
    )
    expect((await mend(bytes)).report.verdict).toBe('healthy')
  })

  it('of which a resource of Photoshop’s is all that is left is not repaired', async () => {
    const thumbnail = writePhoto(drawPicture(160, 100, 11), { ...PLAIN, quality: 80 })
    const resource = Buffer.concat([Buffer.from('8BIM\x04\x0c', 'latin1'), Buffer.alloc(34)])
    const { report } = await mend(Buffer.concat([new Uint8Array(900), resource, thumbnail]))
    expect(report).toMatchObject({ verdict: 'partial', pictures: [{ role: 'preview', width: 160 }] })
  })

  it('that breaks off keeps every block that is there and shows its thumbnail in the rest', async () => {
    const start = scanStart(withThumbnail)
    const cut = start + Math.floor((withThumbnail.length - start) * 0.6)
    const { report, output } = await mend(withThumbnail.subarray(0, cut))
    expect(report.verdict).toBe('partial')
    const [picture] = report.pictures
    expect(picture.areas.every(({ state }) => state === 'filled')).toBe(true)
    expect(picture.recovered / picture.total).toBeGreaterThan(0.5)
    const { exact } = score(withThumbnail, output)
    expect(exact).toBeGreaterThanOrEqual(picture.recovered / picture.total)
    expect(readPhoto(output)?.whole).toBe(true)
  })

  it('without its Huffman tables is repaired with the standard’s', async () => {
    const { report, output } = await mend(withoutMarker(photo, 0xc4))
    expect(report.verdict).toBe('repaired')
    expect(score(photo, output)).toEqual({ exact: 1, near: 1 })
  })

  it('without its frame header gets back its sampling and the size that its Exif data name', async () => {
    const { report, output } = await mend(withoutMarker(withThumbnail, 0xc0))
    expect(report.pictures[0]).toMatchObject({ width: 640, height: 400, orientation: 6 })
    expect(report.verdict).toBe('repaired')
    expect(score(withThumbnail, output)).toEqual({ exact: 1, near: 1 })
  })

  it('without its scan header is put together again', async () => {
    const { report, output } = await mend(withoutMarker(photo, 0xda))
    expect(report.verdict).toBe('repaired')
    expect(score(photo, output)).toEqual({ exact: 1, near: 1 })
  })

  it('without its quantisation tables takes a sample’s, which stays a doubt', async () => {
    const sample = writePhoto(drawPicture(640, 400, 12), PLAIN)
    const { report, output } = await mend(withoutMarker(photo, 0xdb), sample)
    expect(report.verdict).toBe('partial')
    expect(report.doubts?.map(({ code }) => code)).toEqual(['quantisation'])
    expect(report.sample?.used).toContain('quantisation tables')
    expect(score(photo, output)).toEqual({ exact: 1, near: 1 })
  })

  it('with a wrong length in its header keeps its metadata', async () => {
    const damaged = Uint8Array.from(withThumbnail)
    damaged[4] ^= 0x40
    const { output } = await mend(damaged)
    expect(score(withThumbnail, output)).toEqual({ exact: 1, near: 1 })
    const original = segmentAt(withThumbnail, 2)
    expect(segmentAt(output, 2)?.body).toEqual(original?.body)
  })

  it('with restart markers keeps its colours behind flipped bits: DC begins anew at each of them', async () => {
    const bytes = writePhoto(drawPicture(640, 400, 1), { sampling: [2, 2], quality: 90, interval: 20 })
    const original = readPhoto(bytes)
    if (!original) throw new Error('the drawn photo cannot be read')
    const { start, end, layout, coefficients } = original
    const damaged = Uint8Array.from(bytes)
    const random = randomFrom(8)
    for (let i = 0; i < 5; i++) {
      const at = start + Math.floor((0.05 + 0.9 * random()) * (end - start))
      damaged[at] ^= 1 << Math.floor(8 * random())
    }
    const { output } = await mend(damaged)
    const mended = readPhoto(output)?.coefficients ?? new Int16Array(coefficients.length)
    let off = 0
    for (let at = 0; at < coefficients.length; at += layout.mcuLength)
      if (Math.abs(mended[at] - coefficients[at]) > 1) off++
    expect(off).toBeLessThan(0.05 * layout.mcuCount)
  })

  it('of which only the scan is left has its size fitted, which is a doubt', async () => {
    const { report, output } = await mend(photo.subarray(scanStart(photo)))
    expect(report.verdict).toBe('partial')
    expect(report.pictures[0]).toMatchObject({ width: 640, height: 400, layout: '4:2:0, baseline' })
    expect(report.doubts?.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['quantisation', 'size', 'orientation', 'metadata']),
    )
    expect(score(photo, output).exact).toBe(1)
  })

  it('keeps what follows it, byte for byte', async () => {
    const film = Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7) & 0x7f)
    const joined = Uint8Array.from([...photo, ...film])
    const at = Math.floor(photo.length * 0.3)
    const { output } = await mend(overwritten(joined, [[at, 200]]))
    expect(output.subarray(output.length - film.length)).toEqual(film)
  })

  it('keeps the film behind it, also where the end of the picture is gone', async () => {
    const box = (type: string, length: number) => {
      const bytes = Buffer.alloc(length, 0x5a)
      bytes.writeUInt32BE(length)
      bytes.write(type, 4, 'latin1')
      return bytes
    }
    const film = Buffer.concat([box('ftyp', 24), box('mdat', 3_000), box('moov', 700)])
    // what looks like the end of a picture, as noise has one every 64 KiB
    film.set([0xff, 0xd9], 1_000)
    const joined = Buffer.concat([photo, film])
    for (const hit of [2, 900]) {
      const { report, output } = await mend(overwritten(joined, [[photo.length - hit, hit]]))
      expect(report.verdict).not.toBe('unrepairable')
      expect(Buffer.from(output.subarray(output.length - film.length))).toEqual(film)
      expect(score(photo, output.subarray(0, output.length - film.length)).exact).toBeGreaterThan(0.9)
    }
  })

  it('that carries an index of further pictures leads to them, though its own length changed', async () => {
    const index = new Uint8Array(8 + 2 + 12 + 4 + 32 + 4)
    index.set([0x4d, 0x50, 0x46, 0])
    const tiff = new DataView(index.buffer, 4)
    tiff.setUint16(0, 0x4949)
    tiff.setUint16(2, 42, true)
    tiff.setUint32(4, 8, true)
    tiff.setUint16(8, 1, true)
    tiff.setUint16(10, 0xb002, true)
    tiff.setUint16(12, 7, true)
    tiff.setUint32(14, 32, true)
    tiff.setUint32(18, 26, true)
    // the first picture begins where the file does, the second behind it
    const length = photo.length + 4 + index.length
    tiff.setUint32(26 + 4, length, true)
    tiff.setUint32(42 + 8, length - 10, true)
    const first = Uint8Array.from([
      ...photo.subarray(0, 2),
      ...writeSegment(0xe2, index),
      ...photo.subarray(2),
    ])
    const damaged = overwritten(Uint8Array.from([...first, ...photo]), [
      [Math.floor(photo.length * 0.4), 700],
    ])
    const { output } = await mend(damaged)
    expect(output.length).not.toBe(damaged.length)
    const told = new DataView(output.buffer, output.byteOffset + 10).getUint32(42 + 8, true) + 10
    expect(output.subarray(told)).toEqual(photo)
  })
})
