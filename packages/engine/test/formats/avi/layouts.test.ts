import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { ByteList } from '../../../src/syntax/riff/byte-list.ts'
import { bitmap, type MadeChunk, type MadeStream, makeAvi } from './support/make-avi.ts'
import { payloads, read, repaired } from './support/repaired.ts'

const SECONDS = 4
const RATE = 25
const PICTURE_BYTES = 400
/** Frames of MPEG-1 Layer III at 44.1 kHz: samples of each, and their bytes at 32 kbit/s and 128 kbit/s. */
const SAMPLES = 1152
const HERTZ = 44_100
const BYTES_128 = 417
const BYTES_32 = 104

const VIDEO: MadeStream = {
  ...{ type: 'vids', handler: 'XXXX', scale: 1, rate: RATE, sampleSize: 0 },
  format: bitmap('XXXX', 64, 48, 9216),
}
/** Bytes at a constant rate, and frames of which each fills a chunk. */
const CONSTANT: MadeStream = {
  ...{ type: 'auds', handler: '\0\0\0\0', scale: 1, rate: 16_000, sampleSize: 1 },
  format: layer3(1, 16_000),
}
const VARIABLE: MadeStream = {
  ...{ type: 'auds', handler: '\0\0\0\0', scale: SAMPLES, rate: HERTZ, sampleSize: 0 },
  format: layer3(SAMPLES, 10_000),
}

/** WAVEFORMATEX with the fields of MPEGLAYER3WAVEFORMAT. */
function layer3(align: number, bytesPerSecond: number): Uint8Array {
  const format = new ByteList().u16(0x55).u16(2).u32(HERTZ).u32(bytesPerSecond).u16(align).u16(0).u16(12)
  return format.u16(1).u32(2).u16(BYTES_128).u16(1).u16(0).done()
}

const random = randomNumbers(7)
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, () => 1 + Math.floor(random() * 255))

/** A frame of Layer III without data, at 32 or 128 kbit/s: ISO/IEC 11172-3 §2.4.1.3. */
function frame(bytes: number): Uint8Array {
  const frame = new Uint8Array(bytes)
  frame.set([0xff, 0xfb, bytes === BYTES_32 ? 0x10 : 0x90, 0xc4])
  return frame
}

/** Pictures, with as many frames of sound in front of each as it lasts, in one chunk or in one each. */
function chunks(isVariable: boolean): MadeChunk[] {
  let frames = 0
  return Array.from({ length: SECONDS * RATE }, (_, picture): MadeChunk[] => {
    const sound: Uint8Array[] = []
    for (; frames < ((picture + 1) * HERTZ) / RATE / SAMPLES; frames++)
      sound.push(frame(isVariable && frames % 3 !== 0 ? BYTES_32 : BYTES_128))
    const all = isVariable ? sound : sound.length > 0 ? [Buffer.concat(sound)] : []
    return [...all.map((bytes) => ({ id: '01wb', bytes })), { id: '00dc', bytes: noise(PICTURE_BYTES) }]
  }).flat()
}

const indexOf = (film: Uint8Array): number => Buffer.from(film).lastIndexOf('idx1')

/** Sizes of file and data zero, as are all counts, and no index: never finished. */
function unfinished(film: Uint8Array): Uint8Array {
  const result = film.slice(0, indexOf(film))
  const view = new DataView(result.buffer)
  const bytes = Buffer.from(result.buffer)
  const movi = bytes.indexOf('movi')
  view.setUint32(4, 0, true)
  view.setUint32(movi - 4, 0, true)
  view.setUint32(bytes.indexOf('avih') + 24, 0, true)
  for (let at = bytes.indexOf('strh'); at >= 0 && at < movi; at = bytes.indexOf('strh', at + 4))
    view.setUint32(at + 40, 0, true)
  return result
}

describe.each([
  ['constant', CONSTANT],
  ['variable', VARIABLE],
  ['variable', { ...VARIABLE, format: layer3(4, 10_000) }],
] as const)('sound of a %s rate', (name, stream) => {
  const film = makeAvi([VIDEO, stream], chunks(name === 'variable'))

  it('keeps its clock, and gets its count anew, where the film was never finished', async () => {
    expect((await repaired(film)).report.verdict).toBe('healthy')
    const { report, bytes } = await repaired(unfinished(film))
    expect(report.verdict).toBe('repaired')
    const clocks = async (of: Uint8Array) =>
      (await read(of)).header?.streams.map(({ header: { scale, rate, length, sampleSize } }) => ({
        ...{ scale, rate, length, sampleSize },
      }))
    expect(await clocks(bytes)).toEqual(await clocks(film))
    expect(report.tracks.map(({ duration }) => Math.round(duration * 10) / 10)).toEqual([SECONDS, SECONDS])
  })

  it('is given its clock by its frames where the head is lost', async () => {
    const data = Buffer.from(film).indexOf('movi') - 8
    const sample = makeAvi([VIDEO, stream], chunks(name === 'variable').slice(0, 60))
    const { report, bytes } = await repaired(film.slice().fill(0, 0, data), sample)
    expect(report.tracks.map(({ duration }) => Math.round(duration * 10) / 10)).toEqual([SECONDS, SECONDS])
    expect(await payloads(bytes, 1)).toEqual(await payloads(film, 1))
  })
})

/** The film with each picture and the sound in front of it in a list `rec `, as old recorders lay them out. */
function inLists(made: readonly MadeChunk[]): Uint8Array {
  const film = makeAvi([VIDEO, CONSTANT], made)
  const movi = Buffer.from(film).indexOf('movi')
  const data = new ByteList()
  const entries = new ByteList()
  let list: MadeChunk[] = []
  for (const chunk of made) {
    list.push(chunk)
    if (!chunk.id.endsWith('dc')) continue
    const body = new ByteList()
    const size = list.reduce((sum, { bytes }) => sum + 8 + bytes.length + (bytes.length & 1), 4)
    entries
      .text('rec ')
      .u32(1)
      .u32(4 + data.length)
      .u32(size)
    for (const { id, bytes } of list) {
      entries
        .text(id)
        .u32(0x10)
        .u32(4 + data.length + 12 + body.length)
        .u32(bytes.length)
      body.chunk(id, bytes)
    }
    data.list('LIST', 'rec ', body.done())
    list = []
  }
  const head = film.subarray(12, movi - 8)
  const body = new ByteList().bytes(head).list('LIST', 'movi', data.done()).chunk('idx1', entries.done())
  return new ByteList().list('RIFF', 'AVI ', body.done()).done()
}

it('lists around pictures and their sound are looked into, and left out of the result', async () => {
  const film = inLists(chunks(false))
  expect((await repaired(film)).report.verdict).toBe('healthy')
  const hole = Math.floor(film.length / 2)
  for (const damaged of [film.slice(0, indexOf(film)), film.slice().fill(0, hole, hole + 900)]) {
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(Buffer.from(bytes).includes('rec ')).toBe(false)
    expect((await payloads(bytes, 0)).length).toBe(SECONDS * RATE)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  }
  const { bytes } = await repaired(film.slice(0, indexOf(film)))
  for (const stream of [0, 1]) expect(await payloads(bytes, stream)).toEqual(await payloads(film, stream))
})

it.each<[string, (view: DataView, bytes: Buffer) => void]>([
  ['the size of the file', (view) => view.setUint32(4, 0x7fff_ffff, true)],
  ['the size of the data', (view, bytes) => view.setUint32(bytes.indexOf('movi') - 4, 4000, true)],
  ['the count of pictures', (view, bytes) => view.setUint32(bytes.indexOf('strh') + 40, 7, true)],
])('%s is put right', async (_, spoil) => {
  const film = makeAvi([VIDEO, CONSTANT], chunks(false))
  const damaged = film.slice()
  spoil(new DataView(damaged.buffer), Buffer.from(damaged.buffer))
  const { report, bytes } = await repaired(damaged)
  expect(report.verdict).toBe('repaired')
  const [data, size] = [
    Buffer.from(film).indexOf('movi') - 8,
    (of: Uint8Array) => Buffer.from(of).readUInt32LE(4),
  ]
  expect(Buffer.compare(bytes.subarray(data), film.subarray(data))).toBe(0)
  expect(size(bytes)).toBe(size(film))
  const counts = async (of: Uint8Array) => (await read(of)).header?.streams.map(({ header }) => header.length)
  expect(await counts(bytes)).toEqual(await counts(film))
})
