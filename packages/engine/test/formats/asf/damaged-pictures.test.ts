import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { assess } from '../../../src/formats/asf/assess.ts'
import type { DamagedFrames } from '../../../src/formats/format.ts'
import type { Decoded, Decoder } from '../../../src/model/decoder.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import type { RecordingReport } from '../../../src/model/report.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const WHOLE = new Uint8Array(readFileSync(`${FIXTURES}/asf/wmv-wmv1-wma1.wmv`))
const PICTURES = 38
/** A picture in one payload, and one in several. */
const HIT = [20, 4]

/** Presentation times of the pictures and of the pieces of sound that are whole. */
async function timesOf(bytes: Uint8Array): Promise<{ pictures: number[]; sound: number[] }> {
  const { scan, objects } = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  const of = (kind: string): number[] =>
    objects
      .filter(({ stream }) => stream.kind === kind)
      .flatMap(({ rows }) => [...rows].map((row) => scan?.payloads.time[row] ?? -1))
  return { pictures: of('video'), sound: of('audio') }
}

/** The file with zeros in some of its pictures. */
async function hit(numbers: readonly number[]): Promise<Uint8Array> {
  const bytes = WHOLE.slice()
  const { scan, objects } = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  const video = objects.find(({ stream }) => stream.kind === 'video')
  if (!scan || !video) throw new Error('the fixture has no pictures')
  const { offset, header, size } = scan.payloads
  for (const number of numbers) {
    const row = video.rows[number]
    const from = offset[row] + header[row] + 40
    bytes.fill(0, from, from + Math.min(700, size[row] - 80))
  }
  return bytes
}

const TIMES = await timesOf(WHOLE)
const DAMAGED = await hit(HIT)

async function repaired(damagedFrames: DamagedFrames, decoder?: Decoder, damaged = DAMAGED) {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(damaged), name: 'damaged.wmv' },
    sink,
    options: { damagedFrames },
    ...(decoder ? { decoder } : {}),
  })
  const { tracks } = report as RecordingReport
  const [video] = tracks.filter(({ kind }) => kind === 'video')
  return { tracks, video, verdict: report.verdict, bytes: sink.bytes().slice() }
}

/** Says how many of the pictures it is given decode wrongly. */
function decoderThat(flaws: (times: readonly number[]) => number | undefined) {
  const asked: (readonly number[])[] = []
  const decoder: Decoder = {
    decodeDamaged: async () => ({ checked: false, reason: 'not here' }),
    decode: async (file): Promise<Decoded> => {
      const { pictures, sound } = await timesOf(file)
      expect(sound).toEqual([])
      asked.push(pictures)
      const errors = flaws(pictures)
      if (errors === undefined) return { checked: false, reason: 'none here' }
      const cover = { kind: 'video', codec: 'mjpeg', packets: 1, frames: 1, errors: 0 } as const
      const film = {
        kind: 'video',
        codec: 'wmv1',
        packets: pictures.length,
        frames: pictures.length,
      } as const
      return { checked: true, tracks: [cover, { ...film, errors }] }
    },
  }
  return { decoder, asked }
}

describe('damaged pictures of Windows Media', () => {
  it.each(['keep', 'auto'] as const)('stay where %s is asked for and nothing decodes', async (option) => {
    const { video, verdict, bytes } = await repaired(option)
    expect([verdict, video.recovered, video.damaged, video.lost]).toEqual(['repaired', PICTURES - 2, 2, 0])
    expect(await timesOf(bytes)).toEqual(TIMES)
  })

  it('are left out with all their parts where that is asked for', async () => {
    const { video, verdict, bytes } = await repaired('drop')
    expect([verdict, video.recovered, video.damaged, video.lost]).toEqual(['repaired', PICTURES - 2, 0, 2])
    expect(video.ranges.filter(({ state }) => state === 'lost').map(({ reason }) => reason)).toEqual([
      'damaged',
      'damaged',
    ])
    const pictures = TIMES.pictures.filter((_, at) => !HIT.includes(at))
    expect(await timesOf(bytes)).toEqual({ ...TIMES, pictures })
  })

  it('are left out where more pictures are wrong with them than without them', async () => {
    const [inOne, inSeveral] = HIT.map((at) => TIMES.pictures[at])
    const { decoder, asked } = decoderThat((times) => (times.includes(inOne) ? 5 : 0))
    const { video, bytes } = await repaired('auto', decoder)
    expect(asked.map((times) => [times.includes(inSeveral), times.includes(inOne)])).toEqual([
      [true, true],
      [false, true],
      [true, true],
      [true, false],
    ])
    // from a key picture on
    expect(asked[0][0]).toBe(TIMES.pictures[0])
    expect([video.recovered, video.damaged, video.lost]).toEqual([PICTURES - 2, 1, 1])
    expect((await timesOf(bytes)).pictures).toEqual(TIMES.pictures.filter((time) => time !== inOne))
  })

  it('stay where no decoder can tell', async () => {
    const { decoder, asked } = decoderThat(() => undefined)
    const { video } = await repaired('auto', decoder)
    expect(asked).toHaveLength(1)
    expect([video.damaged, video.lost]).toEqual([2, 0])
  })

  it('stay unweighed where that is asked for', async () => {
    const { decoder, asked } = decoderThat(() => 5)
    const { video } = await repaired('keep', decoder)
    expect(asked).toEqual([])
    expect(video.damaged).toBe(2)
  })
})

describe('what stands in front of zeros that took the header behind it', () => {
  /**
   * The file with zeros from so many bytes in front of the end of the first picture or piece of sound that something follows in
   * its packet. The one of its kind before it ends in `other` zeros.
   */
  async function zeroedFrom(kind: 'video' | 'audio', taken: number, other = 0): Promise<Uint8Array> {
    const bytes = WHOLE.slice()
    const { scan, objects } = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
    const found = objects.find(({ stream }) => stream.kind === kind)
    if (!scan || !found) throw new Error('the fixture has none')
    const { offset, header, size, objectSize } = scan.payloads
    const endOf = (row: number): number => offset[row] + header[row] + size[row]
    const inOne = found.rows.filter((row) => size[row] === objectSize[row])
    const at = inOne.findIndex((row, i) => i > 0 && offset[row + 1] === endOf(row))
    if (at < 0) throw new Error('none is followed')
    const before = endOf(inOne[at - 1])
    bytes.fill(0, before - other, before)
    const end = endOf(inOne[at])
    bytes.fill(0, end - taken, end + 200)
    return bytes
  }

  async function damagedOf(kind: 'video' | 'audio', bytes: Uint8Array): Promise<number | undefined> {
    const { tracks } = await repaired('keep', undefined, bytes)
    return tracks.find((track) => track.kind === kind)?.damaged
  }

  it.each(['video', 'audio'] as const)('is damaged where its end is gone with them: %s', async (kind) => {
    for (const taken of [2, 5, 40]) expect(await damagedOf(kind, await zeroedFrom(kind, taken))).toBe(1)
  })

  it.each(['video', 'audio'] as const)('is whole where they begin at its end: %s', async (kind) => {
    expect(await damagedOf(kind, await zeroedFrom(kind, 0))).toBe(0)
  })

  it('is no less whole than sound that ends in as many zeros by itself', async () => {
    expect(await damagedOf('audio', await zeroedFrom('audio', 40, 40))).toBe(0)
    expect(await damagedOf('audio', await zeroedFrom('audio', 40, 30))).toBe(1)
  })

  it('is sound that stays where damaged pictures are left out', async () => {
    const { bytes } = await repaired('drop', undefined, await zeroedFrom('audio', 40))
    const { sound } = await timesOf(bytes)
    expect(sound.length).toBeGreaterThan(30)
  })
})

it('bytes put into a picture at the end of a packet are told by padding that is elsewhere, and count as damage of that picture', async () => {
  const { scan, objects } = await assess(new ByteReader(new MemorySource(WHOLE)), DEFAULT_LIMITS, SILENT)
  const video = objects.find(({ stream }) => stream.kind === 'video')
  if (!scan || !video) throw new Error('the fixture has no pictures')
  const { packets, payloads } = scan
  const place = (): number => {
    for (let packet = 8; packet + 1 < packets.length; packet++) {
      const last = packets.first[packet + 1] - 1
      const end = payloads.offset[last] + payloads.header[last] + payloads.size[last]
      const isPadded = end < packets.offset[packet] + packets.size[packet]
      if (payloads.stream[last] === video.stream.number && payloads.size[last] > 900 && isPadded)
        return end - 800
    }
    throw new Error('no packet ends so')
  }
  const at = place()
  const put = new Uint8Array(777).map((_, i) => (i * i * 31 + 7 * i + 1) & 255)
  const damaged = new Uint8Array(Buffer.concat([WHOLE.subarray(0, at), put, WHOLE.subarray(at)]))
  const { video: track } = await repaired('keep', undefined, damaged)
  expect([track?.recovered, track?.damaged, track?.lost]).toEqual([PICTURES - 1, 1, 0])
})
