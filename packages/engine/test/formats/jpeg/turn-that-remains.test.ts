import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { exifOf } from '../../../src/formats/jpeg/read/exif.ts'
import { turnThatRemains } from '../../../src/formats/jpeg/read/turn-that-remains.ts'
import { walkSegments, writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const SOS = 0xda

/** A head of zeros with an entry at 1000 and further bytes at 1100. */
function headOf(entry: readonly number[], further: readonly number[] = []): Uint8Array {
  const head = new Uint8Array(2_000)
  head.set(entry, 1_000)
  head.set(further, 1_100)
  return head
}

/** A maker note's entry for 34 facts of the shot at byte 1100 of the file, told from byte 12 on, and the facts. */
function shotOf(turn: number, length = 68): Uint8Array {
  const facts = new Uint8Array(68)
  facts[0] = length
  facts[54] = turn
  return headOf([4, 0, 3, 0, 34, 0, 0, 0, (1_100 - 12) & 0xff, (1_100 - 12) >> 8, 0, 0], [...facts])
}

it('a thumbnail’s directory tells how a photo is turned, but not that it is upright', () => {
  expect(turnThatRemains(headOf([0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]), 640, 480)).toBe(6)
  expect(turnThatRemains(headOf([1, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0]), 640, 480)).toBe(8)
  expect(turnThatRemains(headOf([1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0]), 640, 480)).toBeUndefined()
  expect(turnThatRemains(headOf([1, 0x12, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0]), 640, 480)).toBeUndefined()
})

it('a maker note tells it where its facts are of the length they say, and the photo does not stand already', () => {
  expect([0, 1, 2, 3, 4].map((turn) => turnThatRemains(shotOf(turn), 640, 480))).toEqual([
    1,
    6,
    3,
    8,
    undefined,
  ])
  expect([1, 2].map((turn) => turnThatRemains(shotOf(turn), 480, 640))).toEqual([1, 3])
  expect(turnThatRemains(shotOf(1, 66), 640, 480)).toBeUndefined()
  expect(turnThatRemains(shotOf(1).subarray(0, 1_120), 640, 480)).toBeUndefined()
})

const text = (letters: string): number[] => [...Buffer.from(letters, 'latin1')]

/** Apple's maker note with the pull of gravity along the phone's width and length, in hundredths, behind what else is told. */
function gravityOf(width: number, length: number, further = ''): Uint8Array {
  const note = Buffer.alloc(60)
  note.write('Apple iOS\0\0\x01MM', 'latin1')
  note.writeUInt16BE(1, 14)
  note.writeUInt16BE(8, 16)
  note.writeUInt16BE(10, 18)
  note.writeUInt32BE(3, 20)
  note.writeUInt32BE(32, 24)
  for (const [i, value] of [width, 100, length, 100].entries()) note.writeInt32BE(value, 32 + 4 * i)
  return headOf([...text(further)], [...note])
}

it('a maker note with the pull of gravity tells it where the phone is held clearly', () => {
  const pulls = [[-95, -5], [-9, -96], [90, 20], [10, 80]] as const // biome-ignore format: a row
  expect(pulls.map(([x, y]) => turnThatRemains(gravityOf(x, y), 640, 480))).toEqual([1, 6, 3, 8])
  expect(pulls.map(([x, y]) => turnThatRemains(gravityOf(x, y), 480, 640))).toEqual([1, 1, 3, 1])
  const lying = [[-20, -3], [-70, -60], [0, 0]] as const // biome-ignore format: a row
  for (const [x, y] of lying) expect(turnThatRemains(gravityOf(x, y), 640, 480)).toBeUndefined()
  const front = 'iPhone front camera'
  expect(pulls.map(([x, y]) => turnThatRemains(gravityOf(x, y, front), 640, 480))).toEqual([3, 6, 1, 8])
  expect(turnThatRemains(gravityOf(-9, -96).subarray(0, 1_140), 640, 480)).toBeUndefined()
})

it('a maker note with how the camera was held tells it', () => {
  const note = (turn: number): number[] => [
    ...text('Panasonic\0\0\0'),
    1,
    0,
    0x30,
    0,
    3,
    0,
    1,
    0,
    0,
    0,
    turn,
    0,
    0,
    0,
  ]
  expect([1, 6, 3, 8, 2, 9].map((turn) => turnThatRemains(headOf(note(turn)), 640, 480))).toEqual([
    ...[1, 6, 3, 8, undefined, undefined],
  ])
})

it('XMP tells it as an attribute and as an element', () => {
  for (const [told, turn] of [
    ['tiff:Orientation="6"', 6],
    ['<tiff:Orientation>8</tiff:Orientation>', 8],
    ['tiff:Orientation="1"', 1],
    ['tiff:Orientation="9"', undefined],
    ['tiff:Orientation', undefined],
  ] as const)
    expect(turnThatRemains(headOf(text(told)), 640, 480)).toBe(turn)
})

it('a photo whose own notes say that it is upright is not turned as a sample is', async () => {
  const photo = writePhoto(drawPicture(640, 400, 3), { sampling: [2, 2], quality: 90, interval: 0 })
  const scan = photo.subarray(walkSegments(photo, 0).find(({ marker }) => marker === SOS)?.end)
  const turned = { sampling: [2, 2], quality: 90, interval: 0, orientation: 6 } as const
  const sample = writePhoto(drawPicture(640, 400, 4), turned)
  const report = await repair({
    damaged: {
      source: new MemorySource(Uint8Array.from([...gravityOf(-95, -5), ...scan])),
      name: 'photo.jpg',
    },
    sample: { source: new MemorySource(sample), name: 'sample.jpg' },
    sink: new MemorySink(),
  })
  expect(report.kind === 'photo' && report.pictures[0]?.orientation).toBe(1)
})

it('a maker note is not believed where a sample’s says otherwise than its own Exif data', async () => {
  const plain = { sampling: [2, 2], quality: 90, interval: 0 } as const
  const photo = writePhoto(drawPicture(640, 400, 3), plain)
  const scan = photo.subarray(walkSegments(photo, 0).find(({ marker }) => marker === SOS)?.end)
  const damaged = Uint8Array.from([...gravityOf(90, 20), ...scan])
  for (const [orientation, width, turn] of [
    [1, 90, 1],
    [3, 90, 3],
    [1, -90, 3],
  ] as const) {
    const sample = writePhoto(drawPicture(640, 400, 4), { ...plain, orientation })
    const [exif] = walkSegments(sample, 0)
    const noted = writeSegment(exif.marker, [...exif.body, ...gravityOf(width, 20).subarray(1_100, 1_160)])
    const report = await repair({
      damaged: { source: new MemorySource(damaged), name: 'photo.jpg' },
      sample: {
        source: new MemorySource(
          Uint8Array.from([...sample.subarray(0, 2), ...noted, ...sample.subarray(exif.end)]),
        ),
        name: 'sample.jpg',
      },
      sink: new MemorySink(),
    })
    expect(report.kind === 'photo' && report.pictures[0]?.orientation).toBe(turn)
  }
})

it('a photo whose head is gone is turned as what is left of it tells, which is a doubt', async () => {
  const photo = writePhoto(drawPicture(640, 400, 3), { sampling: [2, 2], quality: 90, interval: 0 })
  const scan = photo.subarray(walkSegments(photo, 0).find(({ marker }) => marker === SOS)?.end)
  const sink = new MemorySink()
  const damaged = Uint8Array.from([...shotOf(3), ...scan])
  const report = await repair({ damaged: { source: new MemorySource(damaged), name: 'photo.jpg' }, sink })
  if (report.kind !== 'photo') throw new Error('no photo')
  expect(report.pictures[0]).toMatchObject({ width: 640, height: 400, orientation: 8 })
  expect(report.doubts?.map(({ code }) => code)).toContain('orientation')
  expect(exifOf({ segments: [...walkSegments(sink.bytes(), 0)] })?.orientation).toBe(8)
})
