import { describe, expect, it } from 'vitest'
import { type Orientation, orientationOf, oriented } from '../../../src/formats/isobmff/boxes/orientation.ts'
import { pictureEntry, plainEntry } from '../../../src/formats/isobmff/boxes/sample-entries.ts'
import type { Movie, MovieTrack, TrackFact } from '../../../src/formats/isobmff/read/movie.ts'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import type { Teacher } from '../../../src/formats/isobmff/ways/carve-file.ts'
import { turnPictures } from '../../../src/formats/isobmff/ways/descriptions/turned-pictures.ts'
import { draftMovie, type TrackBoxes } from '../../../src/formats/isobmff/write/draft-movie.ts'
import type { PlannedTrack } from '../../../src/formats/isobmff/write/plan.ts'
import { Findings } from '../../../src/model/finding.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { TrackOutcome } from '../../../src/recording/track-outcome.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { movieOf, readerOf, repaired, wholePlan, write } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'

const GERMAN = 0x10b5
const UPSIDE_DOWN: Orientation = { turns: 2, mirrored: false }
const UPRIGHT_PHONE: Orientation = { turns: 1, mirrored: false }
const OTHER_SIDE: Orientation = { turns: 3, mirrored: false }

function box(type: string, text: string): Uint8Array {
  const writer = new BoxWriter()
  writer.box(type, () => writer.raw(new Uint8Array(Buffer.from(text, 'latin1'))))
  return writer.bytes().slice()
}

function userData(...children: Uint8Array[]): Uint8Array {
  const writer = new BoxWriter()
  writer.box('udta', () => {
    for (const child of children) writer.raw(child)
  })
  return writer.bytes().slice()
}

/** A handler box of pictures that is called by another name than usual. */
function namedHandler(name: string): Uint8Array {
  const writer = new BoxWriter()
  writer.fullBox('hdlr', 0, 0, () => {
    writer.u32(0)
    writer.fourcc('vide')
    writer.zeros(12)
    writer.raw(new Uint8Array(Buffer.from(`${name}\0`, 'latin1')))
  })
  return writer.bytes().slice()
}

const LAYER = 8
const GROUP = 10

/** The track as another camera would have described it. */
function told(track: MovieTrack, orientation: Orientation, name: string): MovieTrack {
  const tail =
    track.description.kind === 'video' ? oriented(track.header.tail, orientation) : track.header.tail.slice()
  const view = new DataView(tail.buffer)
  view.setInt16(LAYER, -3)
  view.setInt16(GROUP, 7)
  return {
    ...track,
    header: { ...track.header, creation: 3_000_000_000, tail },
    mediaHeader: { ...track.mediaHeader, language: GERMAN },
    ...(track.description.kind === 'video' ? { handler: namedHandler(name) } : {}),
  }
}

/** A stored recording with facts of its own in its headers. */
async function recording(name: FixtureName, orientation: Orientation, handler: string): Promise<Uint8Array> {
  const source = fixture(name)
  const movie = await movieOf(source)
  const boxes = [userData(box('©mod', '\0\x07\x55\xc4Model X'), box('©xyz', '\0\x08\x55\xc4+12+034/'))]
  const plan = wholePlan({ ...movie, boxes })
  const tracks = plan.tracks.map((track) => ({
    ...track,
    template: told(track.template, orientation, handler),
  }))
  return write({ ...plan, tracks }, source)
}

function picture(movie: Movie): MovieTrack {
  const found = movie.tracks.find(({ description }) => description.kind === 'video')
  if (!found) throw new Error('the file has no pictures')
  return found
}

function facts(track: MovieTrack) {
  const view = new DataView(track.header.tail.buffer, track.header.tail.byteOffset)
  return {
    orientation: orientationOf(track.header.tail),
    layer: view.getInt16(LAYER),
    group: view.getInt16(GROUP),
    language: track.mediaHeader.language,
    creation: track.header.creation,
    name: Buffer.from(track.handler.subarray(32, -1)).toString('latin1'),
  }
}

/** Zeroes every box of the given types in the movie box, headers included. */
function boxesZeroed(bytes: Uint8Array, ...types: string[]): Uint8Array {
  const result = new Uint8Array(bytes)
  const text = Buffer.from(bytes).toString('latin1')
  const view = new DataView(bytes.buffer)
  const start = text.indexOf('moov')
  for (const type of types) {
    for (let at = text.indexOf(type, start); at > 0; at = text.indexOf(type, at + 4)) {
      result.fill(0, at - 4, at - 4 + view.getUint32(at - 4))
    }
  }
  return result
}

const TABLES = ['stsd', 'stts', 'ctts', 'stss', 'stsz', 'stsc', 'stco']

describe('facts of a recording whose index is lost', () => {
  it('come from the sample: matrix, layer, group, language, names; who, where and when do not', async () => {
    const sample = await recording('h264-aac-twin.mp4', UPRIGHT_PHONE, 'Sample Handler')
    const { report, bytes } = await repaired(indexZeroed(fixture('h264-aac.mp4')), sample)
    const movie = await movieOf(bytes)
    expect(facts(picture(movie))).toEqual({
      orientation: UPRIGHT_PHONE,
      layer: -3,
      group: 7,
      language: GERMAN,
      creation: 0,
      name: 'Sample Handler',
    })
    expect(Buffer.from(movie.boxes[0] ?? []).toString('latin1')).toContain('Model X')
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('+12+034')
    const guess = report.findings.find(({ message }) => message.startsWith('orientation of the picture'))
    expect(guess).toMatchObject({ code: 'isobmff.estimated', message: expect.stringContaining('90 degrees') })
  })

  it('are said to be unknown where neither sample nor bytes tell them', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture('h264-aac.mp4')))
    expect(facts(picture(await movieOf(bytes))).orientation).toEqual({ turns: 0, mirrored: false })
    const guess = report.findings.find(({ message }) => message.startsWith('orientation of the picture'))
    expect(guess).toMatchObject({ code: 'isobmff.estimated', message: expect.stringContaining('nothing') })
  })

  it('are the sample’s in the size of the film, where the sample is of other settings', async () => {
    const sample = await recording('hevc-aac.mp4', UPRIGHT_PHONE, 'Sample Handler')
    const { report, bytes } = await repaired(indexZeroed(fixture('h264-aac.mp4')), sample)
    expect(report.findings.map(({ code }) => code)).toContain('sample.other-settings')
    expect(facts(picture(await movieOf(bytes)))).toMatchObject({
      orientation: UPRIGHT_PHONE,
      group: 7,
      language: GERMAN,
      name: 'Sample Handler',
    })
  })
})

describe('facts of a recording of whose index something is left', () => {
  it('are its own where only tables are lost, whatever the sample says', async () => {
    const own = await recording('h264-aac.mp4', OTHER_SIDE, 'Own Handler')
    const sample = await recording('h264-aac-twin.mp4', UPRIGHT_PHONE, 'Sample Handler')
    for (const helper of [sample, undefined]) {
      const { report, bytes } = await repaired(boxesZeroed(own, ...TABLES), helper)
      expect(report.verdict).toBe('repaired')
      const movie = await movieOf(bytes)
      expect(facts(picture(movie))).toEqual({
        orientation: OTHER_SIDE,
        layer: -3,
        group: 7,
        language: GERMAN,
        creation: 3_000_000_000,
        name: 'Own Handler',
      })
      expect(report.findings.some(({ message }) => message.startsWith('orientation'))).toBe(false)
      expect(Buffer.from(bytes).toString('latin1')).toContain('+12+034')
    }
  })

  it('are filled in from the sample one by one', async () => {
    const own = await recording('h264-aac.mp4', UPSIDE_DOWN, 'Own Handler')
    const sample = await recording('h264-aac-twin.mp4', UPRIGHT_PHONE, 'Sample Handler')
    const headers = await repaired(boxesZeroed(own, 'tkhd'), sample)
    const withoutHeaders = facts(picture(await movieOf(headers.bytes)))
    expect(withoutHeaders).toMatchObject({ orientation: UPRIGHT_PHONE, group: 7, name: 'Own Handler' })
    expect(headers.report.sample?.used).toContain('track headers')

    const handlers = await repaired(boxesZeroed(own, 'hdlr', 'mvhd'), sample)
    const withoutHandlers = await movieOf(handlers.bytes)
    expect(facts(picture(withoutHandlers))).toMatchObject({
      orientation: UPSIDE_DOWN,
      name: 'Sample Handler',
    })
    expect(withoutHandlers.header.timescale).toBe((await movieOf(sample)).header.timescale)
  })
})

/** Boxed metadata with one key, which tells how pictures are turned; samples hold it as an integer of two bytes. */
function turnedEntry(): Uint8Array {
  const name = 'com.apple.quicktime.video-orientation'
  const writer = new BoxWriter()
  writer.box('keys', () => {
    writer.u32(8 + 12 + name.length)
    writer.u32(1)
    writer.box('keyd', () => writer.raw(new Uint8Array(Buffer.from(`mdta${name}`, 'latin1'))))
  })
  return plainEntry('mebx', writer.bytes().slice())
}

function boxes(handler: string, entry: Uint8Array): TrackBoxes {
  return { family: 'isobmff', handler, entry }
}

/** A recording with a metadata track that says how its pictures are turned. */
async function turned(name: FixtureName, value: number, orientation: Orientation): Promise<Uint8Array> {
  const source = await recording(name, orientation, 'Handler')
  const movie = await movieOf(source)
  const sample = new Uint8Array([0, 0, 0, 10, 0, 0, 0, 1, 0, value])
  const [template] =
    draftMovie({
      tracks: [{ id: 3, kind: 'data', timescale: 600, unit: 600, verbatim: boxes('meta', turnedEntry()) }],
    })?.movie.tracks ?? []
  const table = new SampleTable()
  table.push(source.length, sample.length, 1, 1200, 0, SAMPLE_KEY)
  const track: PlannedTrack = { template, table, times: 'carved' }
  const plan = wholePlan(movie)
  return write({ ...plan, tracks: [...plan.tracks, track] }, new Uint8Array(Buffer.concat([source, sample])))
}

describe('timed metadata of a phone', () => {
  it('tell how a film without an index was held, against a sample that was held otherwise', async () => {
    const film = await turned('h264-aac.mp4', 8, OTHER_SIDE)
    const sample = await turned('h264-aac-twin.mp4', 6, UPRIGHT_PHONE)
    const { report, bytes } = await repaired(indexZeroed(film), sample)
    expect(facts(picture(await movieOf(bytes))).orientation).toEqual(OTHER_SIDE)
    const finding = report.findings.find(({ message }) => message.startsWith('orientation of the picture'))
    expect(finding?.code).toBe('isobmff.deduced')
  })

  it('tell it although they came to lie in another metadata track', () => {
    const value = Uint8Array.of(0, 0, 0, 10, 0, 0, 0, 1, 0, 3)
    const other = Uint8Array.of(0, 0, 0, 8, 0, 0, 0, 0)
    const reader = readerOf(new Uint8Array([...other, ...value]))
    const entries = [
      turnedEntry(),
      plainEntry('mebx'),
      pictureEntry({ format: 'jpeg', width: 64, height: 32 }),
    ]
    const handlers = ['meta', 'meta', 'vide']
    const movie = draftMovie({
      tracks: entries.map((entry, i) => ({
        kind: handlers[i] === 'vide' ? 'video' : 'data',
        timescale: 600,
        unit: 600,
        verbatim: boxes(handlers[i], entry),
        width: 64,
        height: 32,
      })),
    })?.movie
    const places = [
      [0, 8],
      [8, 10],
      [0, 8],
    ]
    const tracks = (movie?.tracks ?? []).map((template, i) => {
      const table = new SampleTable()
      table.push(places[i][0], places[i][1], 1, 600, 0, SAMPLE_KEY)
      const lost: ReadonlySet<TrackFact> = new Set(['tkhd'])
      const plan = { template: { ...template, lost }, table, times: 'carved' } as const
      return { plan, outcome: new TrackOutcome(600, 0), estimated: false }
    })
    const teacher = { reader, movie, tracks: [], origin: 'sample' } as unknown as Teacher
    const turned = turnPictures(reader, tracks, teacher, new Findings())
    expect(orientationOf(turned[2].plan.template.header.tail)).toEqual(UPSIDE_DOWN)
  })
})

describe('the matrix of a track header', () => {
  it('is read back as the orientation it was made of and keeps the picture in view', async () => {
    const { tail } = picture(await movieOf(fixture('h264-aac.mp4'))).header
    for (const turns of [0, 1, 2, 3]) {
      for (const mirrored of [false, true]) {
        const made = oriented(tail, { turns, mirrored })
        expect(orientationOf(made)).toEqual({ turns, mirrored })
        const view = new DataView(made.buffer)
        const at = (i: number): number => view.getInt32(16 + 4 * i) / 65536
        const corners = [0, 128].flatMap((x) =>
          [0, 72].map((y) => [x * at(0) + y * at(3) + at(6), x * at(1) + y * at(4) + at(7)]),
        )
        expect(Math.min(...corners.map(([x]) => x))).toBe(0)
        expect(Math.min(...corners.map(([, y]) => y))).toBe(0)
      }
    }
  })
})
