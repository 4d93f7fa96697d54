import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated, without } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { cr3 } from '../../../src/formats/cr3/index.ts'
import { type Movie, readMovie } from '../../../src/formats/cr3/read/container.ts'
import { childOf, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { photoPair, placeOf, repairPhoto } from '../../../testing/photos/repair-photo.ts'

const { bytes: PHOTO, sample: SAMPLE } = photoPair(cr3, 'eos')

function movieOf(bytes: Uint8Array): Movie {
  const reader = new ByteReader(new MemorySource(bytes))
  const box = childOf(readChildren(reader, 0, reader.size).boxes, 'moov')
  const movie = box && readMovie(reader, box)
  if (!movie) throw new Error('no movie')
  return movie
}

const TRACKS = movieOf(PHOTO).tracks
const RAW = movieOf(PHOTO).main
const kinds = TRACKS.map(({ kind }) => kind)

/** The bytes that each track of a file names. */
function parts(bytes: Uint8Array): readonly Uint8Array[] {
  return movieOf(bytes).tracks.map(({ offset, size }) => bytes.slice(offset, offset + size))
}

describe('a CR3 photo without its head', () => {
  const head = TRACKS[0].offset - 40
  for (const [name, damaged] of [
    ['zeroed', headZeroed(PHOTO, head)],
    ['cut away', headCut(PHOTO, head)],
  ] as const)
    it(`gets every picture back behind a sample's structures when it was ${name}`, async () => {
      const { report, bytes, doubts } = await repairPhoto(damaged, 'cr3', SAMPLE)
      expect(report.format).toBe('cr3')
      expect(report.verdict).toBe('partial')
      expect(doubts).toEqual(['metadata', 'orientation', 'beside'])
      expect(kinds).toEqual(['jpeg', 'raw', 'raw', 'metadata'])
      expect(parts(bytes)).toEqual(parts(PHOTO))
    })

  it('is refused without a sample, and the picture stored in it is repaired instead', async () => {
    const { report, bytes, doubts } = await repairPhoto(headZeroed(PHOTO, 2_700), 'cr3')
    expect(report.extension).toBe('jpg')
    expect(doubts).toEqual(['preview-only'])
    expect(report.pictures[0]).toMatchObject({ role: 'preview', width: 192, height: 128 })
    expect(bytes).toEqual(parts(PHOTO)[0])
  })

  it('does not take a sample whose raw picture has other headers', async () => {
    const other = Uint8Array.from(SAMPLE)
    const at = placeOf(other, new TextEncoder().encode('CMP1'))
    const last = other.lastIndexOf(0x43, other.length)
    expect(last).toBeGreaterThan(at)
    // the second one tells of the photo itself
    const main = at + 1 + placeOf(other.subarray(at + 1), new TextEncoder().encode('CMP1'))
    new DataView(other.buffer).setUint32(main + 32, 4_711)
    expect((await repairPhoto(headZeroed(PHOTO, 2_700), 'cr3', other)).report.extension).toBe('jpg')
  })
})

describe('a CR3 photo that breaks off', () => {
  it('keeps all that is there at its place and is as long as it was', async () => {
    const { report, bytes, doubts } = await repairPhoto(truncated(PHOTO, 0.7), 'cr3')
    const there = Math.floor(PHOTO.length * 0.7)
    expect(bytes.length).toBe(PHOTO.length)
    expect(bytes.subarray(0, there)).toEqual(PHOTO.subarray(0, there))
    expect(doubts).toEqual(['areas-lost', 'metadata'])
    const { recovered, lost, total } = report.pictures[0]
    expect(total).toBe(128)
    expect(recovered).toBe(Math.floor(((there - RAW.offset) / RAW.size) * 128))
    expect(recovered + lost).toBe(total)
  })

  it('in front of the raw picture is the JPEG picture', async () => {
    const { report, bytes } = await repairPhoto(PHOTO.subarray(0, RAW.offset + 4), 'cr3')
    expect(report.extension).toBe('jpg')
    expect(bytes).toEqual(parts(PHOTO)[0])
  })
})

describe('a CR3 photo whose pictures lie elsewhere than it says', () => {
  it('has them found by their headers and loses nothing', async () => {
    const boxes = readChildren(new ByteReader(new MemorySource(PHOTO)), 0, PHOTO.length).boxes
    const xmp = boxes[2]
    const { report, bytes, findings } = await repairPhoto(without(PHOTO, xmp.offset, xmp.end), 'cr3')
    expect(findings).toContain('cr3.track-misplaced')
    expect(report.verdict).toBe('repaired')
    expect(parts(bytes)).toEqual(parts(PHOTO))
  })

  it('has holes of zeros in the raw picture told', async () => {
    const damaged = Uint8Array.from(PHOTO)
    damaged.fill(0, RAW.offset + 6_000, RAW.offset + 6_512)
    const { report, bytes, doubts, findings } = await repairPhoto(damaged, 'cr3')
    expect(findings).toEqual(['cr3.track-hit'])
    expect(doubts).toEqual(['areas-lost'])
    expect(report.pictures[0].areas).toHaveLength(1)
    expect(bytes).toEqual(damaged)
    const shorter = Uint8Array.from(PHOTO)
    shorter.fill(0, RAW.offset + 6_000, RAW.offset + 6_000 + 500)
    expect((await repairPhoto(shorter, 'cr3')).report.verdict).toBe('healthy')
  })
})
