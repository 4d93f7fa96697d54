import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../src/model/sample-table.ts'
import { measureUnexplained } from '../../../src/recording/judge/unexplained.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { noise } from '../../../testing/video/replay.ts'
import { lane, prior } from '../../recovery/lanes.ts'
import { movieOf, read, readerOf, repaired, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const whole = fixture('hevc-aac.mp4')

async function tracks(): Promise<{ pictures: MovieTrack; sound: MovieTrack }> {
  const [pictures, sound] = (await movieOf(whole)).tracks
  return { pictures, sound }
}

/** A sample of a camera that records no sound. */
async function silentSample(): Promise<Uint8Array> {
  const movie = await movieOf(whole)
  const [pictures] = movie.tracks
  const plan = { movie, tracks: [{ template: pictures, table: pictures.samples, times: 'index' as const }] }
  return write(plan, whole)
}

/** Bytes of some rows of a track, end to end. */
function bytesOf({ samples }: MovieTrack, from: number, to: number): number[] {
  const bytes: number[] = []
  for (let row = from; row < to; row++)
    bytes.push(...whole.subarray(samples.offset[row], samples.offset[row] + samples.size[row]))
  return bytes
}

/** A file that was never finished: its type, and media data that claims to hold `declared` bytes. */
function unfinished(media: readonly number[], declared = media.length): Uint8Array {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(declared + 8)
  header.write('mdat', 4)
  return new Uint8Array([...whole.subarray(0, 28), ...header, ...media])
}

describe('bytes that no track explains', () => {
  it('at the end of the media are not taken for a picture that broke off', async () => {
    const { pictures, sound } = await tracks()
    const last = bytesOf(sound, sound.samples.length - 6, sound.samples.length)
    const largest = Math.max(...pictures.samples.size.subarray(0, pictures.samples.length))
    expect(last.length).toBeLessThan(largest)
    const media = [...bytesOf(pictures, 0, pictures.samples.length), ...last]
    const { report } = await repaired(unfinished(media), await silentSample())
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual([pictures.samples.length])
    expect(report.verdict).toBe('partial')
  })

  it('behind everything else, in front of an index that is gone, are of a track that nobody knows, however few', async () => {
    const { pictures } = await tracks()
    const media = [...bytesOf(pictures, 0, pictures.samples.length)]
    const unknown = Array.from({ length: 24 }, (_, i) => 0x80 | (i * 37))
    const file = unfinished([...media, ...unknown])
    const { report } = await repaired(
      Uint8Array.from([...file, ...new Uint8Array(2000)]),
      await silentSample(),
    )
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual([pictures.samples.length])
    expect(report.verdict).toBe('partial')
  })

  it('behind the end that the media tell, where what was found ends, are none of them', async () => {
    const { pictures } = await tracks()
    const media = bytesOf(pictures, 0, pictures.samples.length)
    const foreign = [...new Uint8Array(2000), ...noise(9000, 5)]
    const verdict = async (declared: number) => {
      const damaged = Uint8Array.from([...unfinished(media, declared), ...foreign])
      return (await repaired(damaged, await silentSample())).report.verdict
    }
    expect(await verdict(media.length)).toBe('repaired')
    expect(await verdict(media.length + 12)).toBe('partial')
    expect(await verdict(media.length - 12)).toBe('partial')
  })

  it('before everything else are of a track that nobody knows, however few', async () => {
    const { pictures } = await tracks()
    const media = [...bytesOf(pictures, 0, pictures.samples.length)]
    const unknown = Array.from({ length: 24 }, (_, i) => 0x80 | (i * 37))
    const { report } = await repaired(unfinished([...unknown, ...media]), await silentSample())
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual([pictures.samples.length])
    expect(report.verdict).toBe('partial')
  })

  it.each([0, 5, 20])(
    'between pictures are of a track that nobody knows, however few: behind picture %i',
    async (row) => {
      const { pictures } = await tracks()
      const unknown = Array.from({ length: 12 }, (_, i) => 0x80 | (i * 37))
      const media = [
        ...bytesOf(pictures, 0, row + 1),
        ...unknown,
        ...bytesOf(pictures, row + 1, pictures.samples.length),
      ]
      const { report } = await repaired(unfinished(media), await silentSample())
      expect(report.tracks.map(({ recovered, lost }) => [recovered, lost])).toEqual([
        [pictures.samples.length, 0],
      ])
      expect(report.verdict).toBe('partial')
    },
  )

  it.each([12, 300])(
    'at the end are of a track that nobody knows, however few: %i before zeros',
    async (length) => {
      const { pictures } = await tracks()
      const unknown = Array.from({ length }, (_, i) => 0x80 | (i * 37))
      const media = [...bytesOf(pictures, 0, pictures.samples.length), ...unknown, ...new Uint8Array(4000)]
      const { report } = await repaired(unfinished(media), await silentSample())
      expect(report.tracks.map(({ recovered }) => recovered)).toEqual([pictures.samples.length])
      expect(report.verdict).toBe('partial')
    },
  )

  it('of the picture that broke off before zeros are explained', async () => {
    const { pictures } = await tracks()
    const kept = bytesOf(pictures, 0, 24)
    const media = [...kept, ...bytesOf(pictures, 24, 25).slice(0, -9), ...new Uint8Array(4000)]
    const { report } = await repaired(unfinished(media), await silentSample())
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual([24])
    expect(report.verdict).toBe('repaired')
  })

  it('of the picture that broke off with the file are explained', async () => {
    const { pictures } = await tracks()
    const kept = bytesOf(pictures, 0, 24)
    const media = [...kept, ...bytesOf(pictures, 24, 25).slice(0, -9)]
    const { report } = await repaired(unfinished(media, media.length * 2), await silentSample())
    expect(report.tracks.map(({ recovered }) => recovered)).toEqual([24])
    expect(report.verdict).toBe('repaired')
  })

  it.each([0, 700])(
    'of the picture whose beginning went with the head of the file are explained: %i zeros',
    async (zeros) => {
      const { pictures } = await tracks()
      const [first, second] = [bytesOf(pictures, 0, 1), bytesOf(pictures, 1, 2)]
      const rest = bytesOf(pictures, 2, pictures.samples.length)
      const damaged = (head: readonly number[]) =>
        Uint8Array.from([...new Uint8Array(zeros), ...head, ...second, ...rest, ...new Uint8Array(2000)])
      const verdict = async (head: readonly number[]) =>
        (await repaired(damaged(head), await silentSample())).report.verdict
      expect(await verdict(first.slice(60))).toBe('repaired')
      // more than any picture
      const many = Array.from({ length: 5 }, () => first.map((byte) => byte ^ 0x5a)).flat()
      expect(await verdict([...first.slice(60), ...many])).toBe('partial')
    },
  )

  it('but fragments of a track that the sample does not have are missed', async () => {
    const damaged = fixture('h264-aac-fragmented.mp4')
    const first = readChildren(readerOf(damaged), 0, damaged.length).boxes.find(({ type }) => type === 'moof')
    damaged.fill(0, 0, first?.offset)
    const other = await movieOf(fixture('h264-aac.mp4'))
    const [pictures] = other.tracks
    const plan = {
      movie: other,
      tracks: [{ template: pictures, table: pictures.samples, times: 'index' as const }],
    }
    const sample = await write(plan, fixture('h264-aac.mp4'))
    const { report } = await repaired(damaged, sample)
    expect(report.strategies.map(({ name }) => name)).toContain('fragments')
    expect(report.tracks.map(({ kind }) => kind)).toEqual(['video'])
    expect(report.verdict).toBe('partial')
  })

  it('are those that a damaged picture without a length of its own swallowed', () => {
    const { description } = lane(0, 'video', 25)
    const table = new SampleTable()
    for (let row = 0; row < 9; row++)
      table.push(row * 9000, row === 4 ? 5000 : 1000, 1, 1, row, row === 4 || row === 6 ? SAMPLE_DAMAGED : 0)
    const times = { startDelay: 0, compositionShift: 0, losses: [], estimated: false, untimed: false }
    const carved = {
      tracks: [{ description, table, times, prior: prior(1, 0) }],
      ...{ holes: [], filler: 0, endsEstimated: false },
    }
    expect(measureUnexplained(readerOf(new Uint8Array(0)), carved, () => false).bytes).toBe(4000)
  })

  it.each([
    [100, false],
    [90, true],
  ])('hide no time code of a recording of 100 seconds where the one found lasts %i', (seconds, hides) => {
    const [pictures, code] = [lane(0, 'video', 25), lane(1, 'data', 25)]
    const times = { startDelay: 0, compositionShift: 0, losses: [], estimated: false, untimed: false }
    const table = (size: number): SampleTable => {
      const result = new SampleTable()
      result.push(0, size, 1, 2500, 0, 0)
      return result
    }
    const h264 = { ...pictures.description, codec: 'h264', framing: 'length' as const }
    const hole = { offset: 200, length: 500, rows: [1, 1] }
    const loss = {
      row: 1,
      seconds: 1,
      estimated: false,
      numbered: false,
      uncertain: false,
      link: 'told' as const,
      hole,
    }
    const carved = {
      tracks: [
        { description: h264, table: table(900), times: { ...times, losses: [loss] }, prior: prior(25, 0) },
        { description: code.description, table: table(4), times, prior: prior(seconds * 25, 0) },
      ],
      ...{ holes: [hole], filler: 0, endsEstimated: false },
    }
    const bytes = new Uint8Array(1000).fill(0xff)
    expect(measureUnexplained(readerOf(bytes), carved, () => false).hidesUnits).toBe(hides)
  })

  describe('where a picture lost its first part', () => {
    /** Bytes zeroed at least, and bytes left: more than may go unexplained. */
    const LOST = 512
    const REST = 110

    /** Media in which the largest picture behind the first begins with zeros; `more` stands behind it. */
    async function torn(more: readonly number[]): Promise<number[]> {
      const { samples } = (await tracks()).pictures
      let largest = 1
      for (let row = 2; row < samples.length; row++)
        if (samples.size[row] > samples.size[largest]) largest = row
      const [{ offset, length }] = (await read(whole)).survey.payload
      const at = samples.offset[largest]
      const end = at + samples.size[largest]
      expect(samples.size[largest]).toBeGreaterThan(LOST + REST)
      return [
        ...whole.subarray(offset, at),
        ...new Uint8Array(samples.size[largest] - REST),
        ...whole.subarray(end - REST, end),
        ...more,
        ...whole.subarray(end, offset + length),
      ]
    }

    it('are the rest of it, and the repair is complete', async () => {
      const media = await torn([])
      const { pictures } = await tracks()
      const { report } = await repaired(unfinished(media), whole)
      expect(report.tracks[0]).toMatchObject({ recovered: pictures.samples.length - 1, lost: 1 })
      expect(report.verdict).toBe('repaired')
    })

    it('are more than that where they are larger than any picture', async () => {
      const { pictures } = await tracks()
      const size = Math.max(...pictures.samples.size.subarray(0, pictures.samples.length))
      const media = await torn(Array.from({ length: size * 2 }, (_, i) => 0x80 | (i * 37)))
      const { report } = await repaired(unfinished(media), whole)
      expect(report.tracks[0]).toMatchObject({ recovered: pictures.samples.length - 1 })
      expect(report.verdict).toBe('partial')
    })
  })
})
