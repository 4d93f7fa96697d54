import { expect, it } from 'vitest'
import type { PhotoReport } from '../../../src/model/report.ts'
import { writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'
import { clustered, hit, joined, mend, withIndex } from './several-pictures.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const
const [main, second, third] = [31, 32, 33].map((seed) => writePhoto(drawPicture(480, 320, seed), PLAIN)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const small = writePhoto(drawPicture(240, 160, 31), PLAIN)
const map = writePhoto(drawPicture(480, 320, 34), { ...PLAIN, sampling: undefined })
const withExif = writePhoto(drawPicture(240, 160, 35), { ...PLAIN, orientation: 1 })

/** The photos of their own that a report tells of, cut out of the output. */
function cutOut({ pictures }: PhotoReport, output: Uint8Array): Uint8Array[] {
  return pictures.flatMap(({ place }) =>
    place ? [output.slice(place.offset, place.offset + place.length)] : [],
  )
}

/** The places of a file found healthy, of which the output is a copy. */
async function photosOf(whole: Uint8Array): Promise<Uint8Array[]> {
  const { report } = await mend(whole)
  expect(report.verdict).toBe('healthy')
  return cutOut(report, whole)
}

it('whole photos that ran into one file have their places, the first one has none', async () => {
  const card = joined(clustered(main), clustered(second), clustered(third))
  expect(await photosOf(card)).toEqual([second, third])
  const { report } = await mend(card)
  expect(report.pictures.map(({ role, place }) => [role, place !== undefined])).toEqual([
    ['main', false],
    ['further', true],
    ['further', true],
  ])
})

it.each([
  ['the second', joined(main, hit(second), third), 1],
  ['the first', joined(hit(main), second, third), 2],
  ['what stands in front of them', joined(new Uint8Array(999).fill(7), main, second, third), 2],
  ['all', joined(hit(main), hit(second), hit(third)), 0],
])('places are told in the output where a hit in %s moved them', async (_, damaged, whole) => {
  const { report, output } = await mend(damaged)
  const photos = cutOut(report, output)
  expect(photos).toHaveLength(2)
  for (const photo of photos) expect((await mend(photo)).report.verdict).toBe('healthy')
  expect(
    photos.filter((photo) => [second, third].some((each) => Buffer.from(each).equals(photo))),
  ).toHaveLength(whole)
})

it('one that lost its head has a place, too', async () => {
  const headless = Uint8Array.from(clustered(second)).fill(0, 0, 512)
  const { report, output } = await mend(joined(clustered(main), headless, withExif))
  const [rebuilt, last] = cutOut(report, output)
  expect((await mend(rebuilt as Uint8Array)).report.verdict).toBe('healthy')
  expect(last).toEqual(withExif)
})

it('what lost its head and most of itself has none', async () => {
  const rest = Uint8Array.from(second)
    .fill(0, 0, 512)
    .subarray(0, second.length * 0.3)
  const { report } = await mend(joined(clustered(main), rest))
  expect(report.pictures.map(({ role, place }) => [role, place])).toEqual([
    ['main', undefined],
    ['further', undefined],
  ])
})

it('one that came into the scan of another has a place behind that', async () => {
  const middle = 512 * Math.floor(main.length / 1_024)
  const damaged = joined(main.subarray(0, middle), clustered(second), main.subarray(middle))
  const { report, output } = await mend(damaged)
  expect(output.subarray(0, main.length)).toEqual(main)
  expect(cutOut(report, output)).toEqual([second])
})

it('pictures that the index of the first one names are none of their own, those behind them are', async () => {
  const views = withIndex([main, second, third])
  expect(await photosOf(views)).toEqual([])
  expect(await photosOf(joined(views, withExif))).toEqual([withExif])
})

it('as many as the index names belong to a photo whose loss moved them', async () => {
  const views = withIndex([main, second])
  const { report, output } = await mend(joined(views.subarray(0, 9_000), views.subarray(9_300), third))
  expect(report.pictures[0]?.lost).toBeGreaterThan(0)
  expect(cutOut(report, output)).toEqual([third])
})

it('a photo takes along what its own index names', async () => {
  const views = withIndex([second, third])
  expect(await photosOf(joined(main, views, third))).toEqual([views, third])
})

/** A photo with a segment behind its start. */
function withSegment(photo: Uint8Array, marker: number, body: Uint8Array | string): Uint8Array {
  const segment = writeSegment(marker, typeof body === 'string' ? Uint8Array.from(Buffer.from(body)) : body)
  return joined(photo.subarray(0, 2), segment, photo.subarray(2))
}

it('pictures that XMP names are none of their own', async () => {
  const item = '<Container:Item Item:Mime="image/jpeg" Item:Length="1"/>'
  const xmp = `http://ns.adobe.com/xap/1.0/\0<Container:Directory>${item}${item}</Container:Directory>`
  expect(await photosOf(joined(withSegment(main, 0xe1, xmp), second, third))).toEqual([third])
})

it('a view that tells it is one of several is none of its own', async () => {
  const attributes = Uint8Array.of(0x4d, 0x50, 0x46, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0)
  expect(await photosOf(joined(main, withSegment(second, 0xe2, attributes)))).toEqual([])
})

it('what is as a preview or a map of the photo in front of it is none of its own', async () => {
  expect(await photosOf(joined(main, small, map, second))).toEqual([second])
  expect(await photosOf(joined(main, second, small, map))).toEqual([joined(second, small, map)])
  expect(await photosOf(joined(main, withExif))).toEqual([withExif])
})

it('what lies in the trailer of a photo is none of its own', async () => {
  const block = joined(Uint8Array.of(0, 0, 1, 10, 4, 0, 0, 0, 0x6e, 0x61, 0x6d, 0x65), second)
  const directory = new Uint8Array(24)
  directory.set(Buffer.from('SEFH'))
  const view = new DataView(directory.buffer)
  view.setUint32(4, 107, true)
  view.setUint32(8, 1, true)
  view.setUint32(16, block.length, true)
  view.setUint32(20, block.length, true)
  const trailer = joined(block, directory, Uint8Array.of(24, 0, 0, 0), Buffer.from('SEFT'))
  expect(await photosOf(joined(main, trailer))).toEqual([])
  expect(await photosOf(joined(main, trailer, third))).toEqual([third])
})

it('behind a photo that lost its head only what has Exif data is one of its own', async () => {
  const headless = Uint8Array.from(main).fill(0, 0, 300)
  const { report, output } = await mend(joined(headless, second, withExif))
  expect(cutOut(report, output)).toEqual([withExif])
})

it('a preview in a raw photo that lost its head is none of its own', async () => {
  const { report } = await mend(joined(new Uint8Array(600).fill(7), main, second), 'photo.nef')
  expect(report.pictures.map(({ place }) => place)).toEqual([undefined, undefined])
})

it('no more than fifty have places', async () => {
  const card = Array.from({ length: 60 }, () => second)
  expect(await photosOf(joined(main, ...card))).toHaveLength(50)
})
