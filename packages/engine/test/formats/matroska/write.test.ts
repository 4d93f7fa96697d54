import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { GROUPED, KEY, LEFT_OUT, MOVED, REWRITTEN } from '../../../src/formats/matroska/read/block-table.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import { planClusters, planCues } from '../../../src/formats/matroska/write/plan.ts'
import { trackEntry } from '../../../src/formats/matroska/write/track-entry.ts'
import { writeFile } from '../../../src/formats/matroska/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { type Element, readChildren, readUnsigned } from '../../../src/syntax/ebml/element.ts'
import { element } from '../../../src/syntax/ebml/write.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

const MOST = 1 << 16
const readerOf = (bytes: Uint8Array): ByteReader => new ByteReader(new MemorySource(bytes))
const surveyOf = (bytes: Uint8Array) => walk(readerOf(bytes), DEFAULT_LIMITS, SILENT, [])
const INFO = element(ids.INFO, element(ids.TIMESTAMP_SCALE, Uint8Array.of(0x0f, 0x42, 0x40)))
const HEADER = element(ids.EBML, element(ids.DOC_TYPE, Uint8Array.from(Buffer.from('matroska'))))

/** Blocks of a survey that stay, as `time track key content`. */
function blocksOf({ runs, blocks }: Awaited<ReturnType<typeof surveyOf>>, bytes: Uint8Array): string[] {
  return runs.flatMap(({ firstRow, endRow, time = Number.NaN }) =>
    Array.from({ length: endRow - firstRow }, (_, i) => firstRow + i)
      .filter((row) => !blocks.is(row, LEFT_OUT))
      .map((row) => {
        const content = Buffer.from(bytes.subarray(blocks.payload[row], blocks.end[row])).toString('base64')
        return [time + blocks.relative[row], blocks.track[row], blocks.is(row, KEY), content].join(' ')
      }),
  )
}

describe.each(fixturesOf(matroska))('the film $name written', ({ bytes: film }) => {
  const bytes = Uint8Array.from(film)

  it.each([0, 0.1, 0.4])(
    'without %d of its blocks, by lot: the others and the index are where they belong',
    async (share) => {
      const reader = readerOf(bytes)
      const survey = await surveyOf(bytes)
      const { blocks, tracks } = survey
      const random = randomNumbers(4)
      for (let row = 0; row < blocks.length; row++) {
        const lot = random()
        if (lot < share) blocks.flags[row] |= LEFT_OUT
        else if (lot < share + 0.1) {
          blocks.flags[row] |= MOVED
          blocks.relative[row] += Math.floor(random() * 300) - 40
        } else if (lot < share + 0.2 && !blocks.is(row, GROUPED)) blocks.flags[row] |= REWRITTEN
      }
      const clusters = planClusters(reader, survey)
      const pictures = new Set(
        tracks.filter(({ description }) => description.kind === 'video').map(({ number }) => number),
      )
      const cues = planCues(reader, survey, clusters, pictures, 1_000_000)
      const wanted = blocksOf(survey, bytes)
      const sink = new MemorySink()
      const kept = [
        { id: ids.TAGS, pieces: [element(ids.TAGS, Uint8Array.of(0xec, 0x81, 7)), { offset: 0, length: 0 }] },
      ]
      const plan = {
        ...{ header: HEADER, info: INFO, kept, clusters, cues },
        tracks: element(ids.TRACKS, ...tracks.map(({ entry }) => entry)),
      }
      await writeFile(plan, reader, blocks, sink, SILENT)
      const out = sink.bytes().slice()
      const after = await surveyOf(out)
      expect(blocksOf(after, out)).toEqual(wanted)
      expect(after.tracksWhole).toBe(true)
      expect(after.tracks.map(({ entry }) => entry)).toEqual(tracks.map(({ entry }) => entry))
      expect([after.gaps, after.cutAt]).toEqual([[], undefined])
      expect(after.segment).toMatchObject({ offset: HEADER.length, end: out.length })

      const read = readerOf(out)
      const inside = ({ body, end }: { readonly body: number; readonly end: number }): Element[] => {
        const { children, whole } = readChildren(read, body, end, MOST)
        expect(whole).toBe(true)
        return children
      }
      const body = after.segment?.body ?? 0
      const all = inside({ body, end: out.length })
      const number = (parent: Element, id: number): number => {
        const child = inside(parent).find((each) => each.id === id)
        return (child && readUnsigned(read, child)) ?? Number.NaN
      }
      // the index of elements names each but the Clusters, at its place
      const sought = inside(all[0]).map((seek) => [
        number(seek, ids.SEEK_ID),
        number(seek, ids.SEEK_POSITION) + body,
      ])
      const named = all.slice(1).filter(({ id }) => id !== ids.CLUSTER)
      expect(sought).toEqual(named.map(({ id, offset }) => [id, offset]))
      expect(all.map(({ id }) => id).filter((id) => id !== ids.CLUSTER)).toEqual([
        ...[ids.SEEK_HEAD, ids.INFO, ids.TRACKS, ids.TAGS, ...(cues.length > 0 ? [ids.CUES] : [])],
      ])
      // each entry leads to the key picture of its time
      const index = all.find(({ id }) => id === ids.CUES)
      const led = (index ? inside(index) : []).map((point) => {
        const positions = inside(point).find(({ id }) => id === ids.CUE_TRACK_POSITIONS)
        if (!positions) throw new Error('an entry without a place')
        const cluster = all.find(
          ({ offset }) => offset === body + number(positions, ids.CUE_CLUSTER_POSITION),
        )
        const place = (cluster?.body ?? 0) + number(positions, ids.CUE_RELATIVE_POSITION)
        const row = after.blocks.offset.indexOf(place)
        const time =
          (after.runs.find(({ firstRow, endRow }) => firstRow <= row && row < endRow)?.time ?? 0) +
          after.blocks.relative[row]
        expect([number(point, ids.CUE_TIME), number(positions, ids.CUE_TRACK)]).toEqual([
          Math.max(0, time),
          after.blocks.track[row],
        ])
        return row
      })
      const isKey = (row: number): boolean =>
        after.blocks.is(row, KEY) && pictures.has(after.blocks.track[row])
      const keys = Array.from({ length: after.blocks.length }, (_, row) => row).filter(isKey)
      expect(keys.length).toBeGreaterThanOrEqual(share > 0 ? 0 : 1)
      expect(led.toSorted((a, b) => a - b)).toEqual(keys)

      // without pictures the first block of each Cluster has an entry, none closer than 300 ms to the last
      const plain = planCues(reader, survey, clusters, new Set(), 1_000_000)
      expect(plain[0]).toMatchObject({ cluster: 0, relative: clusters[0].head.length - clusters[0].header })
      for (const [i, { time, track }] of plain.entries()) {
        const before = plain.slice(0, i).findLast((other) => other.track === track)
        expect(time - (before?.time ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(300)
      }
    },
  )
})

it('a track that nothing but its frames describes has an entry that reads as what was found', async () => {
  const film = {
    kind: 'video',
    codecId: 'V_MPEG4/ISO/AVC',
    codec: 'h264',
    codecPrivate: Uint8Array.of(1, 2),
    width: 640,
    height: 360,
  }
  const sound = {
    kind: 'audio',
    codecId: 'A_OPUS',
    codec: 'opus',
    sampleRate: 48_000,
    codecDelay: 6_500_000,
    seekPreRoll: 80_000_000,
    bitDepth: 24,
  }
  const entries = [film, sound, { ...sound, channels: 6, bitDepth: undefined }].map((track, i) =>
    trackEntry(i + 1, track as never),
  )
  const leaves = (bytes: Uint8Array): unknown[] => {
    const reader = readerOf(bytes)
    const told = (from: number, end: number): unknown[] =>
      readChildren(reader, from, end, MOST).children.map(({ id, body, end }) =>
        id === ids.VIDEO || id === ids.AUDIO
          ? [id, told(body, end)]
          : [id, Buffer.from(bytes.subarray(body, end)).toString('hex')],
      )
    return told(readChildren(reader, 0, bytes.length, 1).children[0].body, bytes.length)
  }
  const head = (number: string, type: string, codec: string) => [
    [ids.TRACK_NUMBER, number],
    [ids.TRACK_UID, number],
    [ids.TRACK_TYPE, type],
    [ids.FLAG_LACING, '01'],
    [ids.CODEC_ID, Buffer.from(codec).toString('hex')],
  ]
  const delays = [
    [ids.CODEC_DELAY, '632ea0'],
    [ids.SEEK_PRE_ROLL, '04c4b400'],
  ]
  const rate = [ids.SAMPLING_FREQUENCY, '40e7700000000000']
  expect(leaves(entries[0])).toEqual([
    ...[...head('01', '01', 'V_MPEG4/ISO/AVC'), [ids.CODEC_PRIVATE, '0102']],
    [
      ids.VIDEO,
      [
        [ids.PIXEL_WIDTH, '0280'],
        [ids.PIXEL_HEIGHT, '0168'],
      ],
    ],
  ])
  expect(leaves(entries[1])).toEqual([
    ...[...head('02', '02', 'A_OPUS'), ...delays],
    [ids.AUDIO, [rate, [ids.CHANNELS, '02'], [ids.BIT_DEPTH, '18']]],
  ])
  expect(leaves(entries[2]).at(-1)).toEqual([ids.AUDIO, [rate, [ids.CHANNELS, '06']]])
})
