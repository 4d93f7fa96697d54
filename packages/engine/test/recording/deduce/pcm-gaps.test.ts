import { describe, expect, it } from 'vitest'
import type { Region } from '../../../src/bytes/regions.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { pcmInGaps } from '../../../src/recording/deduce/pcm-gaps.ts'
import { besidePicture } from '../../../src/recording/deduce/pcm-rounds.ts'
import { hearCoded } from '../../../src/recording/deduce/sounds.ts'
import { readerOf } from '../../formats/isobmff/support/engine.ts'

const PICTURE_BYTES = 900
const MOST_ROWS = 10_000
const CHANNELS = 2

interface Recording {
  readonly rate: number
  readonly sampleRate: number
  /** Pictures behind each chunk of sound. */
  readonly chunks: readonly number[]
  /** Bytes beside the sound of each chunk. */
  readonly telemetry?: number
  readonly telemetryFirst?: boolean
  /** This chunk's sound is followed by so many foreign bytes. */
  readonly foreign?: { readonly chunk: number; readonly bytes: number }
  /** Sample frames of a packet: chunks hold whole ones. */
  readonly packet?: number
}

/** Chunks of sound with their pictures behind them; pictures and telemetry are noise. */
function record({
  rate,
  sampleRate,
  chunks,
  telemetry = 0,
  telemetryFirst = false,
  foreign,
  packet = 1,
}: Recording) {
  const bytes: number[] = []
  const gaps: Region[] = []
  const pictures = new SampleTable(MOST_ROWS)
  let state = 9
  const noise = (count: number): void => {
    for (let i = 0; i < count; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
      bytes.push((state >> 16) & 255)
    }
  }
  let frame = 0
  let picture = 0
  for (const [index, count] of chunks.entries()) {
    const offset = bytes.length
    if (telemetryFirst) noise(telemetry)
    const due = Math.ceil(((picture + count) * sampleRate) / rate / packet) * packet
    for (; frame < due; frame++) {
      for (let channel = 0; channel < CHANNELS; channel++) {
        const value = Math.round(9000 * Math.sin(frame / (17 + channel)) + 4000 * Math.sin(frame / 5))
        bytes.push(value & 255, (value >> 8) & 255)
      }
    }
    noise((telemetryFirst ? 0 : telemetry) + (foreign?.chunk === index ? foreign.bytes : 0))
    gaps.push({ offset, length: bytes.length - offset })
    for (let i = 0; i < count; i++) {
      pictures.push(bytes.length, PICTURE_BYTES, 1, 1, picture++, SAMPLE_KEY)
      noise(PICTURE_BYTES)
    }
  }
  return { reader: readerOf(Uint8Array.from(bytes)), gaps, pictures, frames: frame }
}

function counted(table: SampleTable): number {
  let frames = 0
  for (let row = 0; row < table.length; row++) frames += table.count[row]
  return frames
}

describe.each([
  { rate: 24, sampleRate: 48_000, chunks: Array<number>(10).fill(12) },
  { rate: 25, sampleRate: 48_000, chunks: [12, 13, 12, 13, 12, 13, 12, 13] },
  { rate: 50, sampleRate: 44_100, chunks: Array<number>(8).fill(25) },
  { rate: 30, sampleRate: 48_000, chunks: Array<number>(40).fill(1) },
])('PCM of $sampleRate Hz between pictures at $rate a second', (recording) => {
  const { reader, gaps, pictures, frames } = record(recording)

  it('gives both clocks when neither is known', () => {
    const sound = pcmInGaps(reader, gaps, pictures, undefined, MOST_ROWS)
    expect(sound?.picture).toEqual({ num: recording.rate, den: 1 })
    expect(sound?.candidate.track.timescale).toBe(recording.sampleRate)
    expect(sound && counted(sound.tables[0])).toBe(frames)
  })

  it("takes the pictures' clock where that is known", () => {
    const sound = pcmInGaps(reader, gaps, pictures, { num: recording.rate, den: 1 }, MOST_ROWS)
    expect(sound?.candidate.track.timescale).toBe(recording.sampleRate)
  })
})

describe('PCM with other bytes between pictures', () => {
  it.each([false, true])(
    'is split from telemetry to the sample where the clock tells (before it: %s)',
    (telemetryFirst) => {
      const { reader, gaps, pictures, frames } = record({
        ...{ rate: 25, sampleRate: 48_000, telemetry: 9000, telemetryFirst },
        chunks: Array<number>(12).fill(5),
      })
      const sound = pcmInGaps(reader, gaps, pictures, { num: 25, den: 1 }, MOST_ROWS)
      // before the first gap there is no picture to tell how long its sound is
      expect(sound && Math.abs(counted(sound.tables[0]) - frames)).toBeLessThan(64)
      expect([...(sound?.tables[0].count.subarray(1, sound.tables[0].length) ?? [])]).toEqual(
        Array(11).fill(9600),
      )
    },
  )

  it('keeps its clocks when foreign bytes stretch one gap', () => {
    const { reader, gaps, pictures } = record({
      ...{ rate: 25, sampleRate: 48_000, foreign: { chunk: 3, bytes: 70_000 } },
      chunks: Array<number>(10).fill(10),
    })
    const sound = pcmInGaps(reader, gaps, pictures, undefined, MOST_ROWS)
    expect(sound?.picture).toEqual({ num: 25, den: 1 })
    expect(sound?.candidate.track.timescale).toBe(48_000)
  })
})

describe('PCM in packets that do not divide a picture', () => {
  it('counts the gaps that hold a packet less', () => {
    const { reader, gaps, pictures } = record({
      ...{ rate: 15, sampleRate: 48_000, packet: 1920 },
      chunks: Array<number>(45).fill(1),
    })
    const sound = pcmInGaps(reader, gaps, pictures, undefined, MOST_ROWS)
    expect(sound?.picture).toEqual({ num: 15, den: 1 })
    expect(sound?.candidate.track.timescale).toBe(48_000)
  })
})

describe('PCM of two tracks of one channel in each gap', () => {
  const RATE = 48_000
  const EACH = 9600
  const GAPS = 8
  const PICTURES = 10
  /** Both tracks, chunk after chunk, and pictures behind them. */
  const joined = (tone: (frame: number, track: number) => number) => {
    const bytes: number[] = []
    const gaps: Region[] = []
    const pictures = new SampleTable(MOST_ROWS)
    for (let gap = 0; gap < GAPS; gap++) {
      gaps.push({ offset: bytes.length, length: EACH * 4 })
      for (let track = 0; track < 2; track++) {
        for (let frame = gap * EACH; frame < (gap + 1) * EACH; frame++) {
          const value = Math.round(tone(frame, track))
          bytes.push(value & 255, (value >> 8) & 255)
        }
      }
      for (let i = 0; i < PICTURES; i++) {
        pictures.push(bytes.length, PICTURE_BYTES, 1, 1, pictures.length, SAMPLE_KEY)
        for (let k = 0; k < PICTURE_BYTES; k++) bytes.push((k * 131) & 255)
      }
    }
    return { reader: readerOf(Uint8Array.from(bytes)), gaps, pictures }
  }

  it('is told from one track by where sound goes on', () => {
    const { reader, gaps, pictures } = joined(
      (frame, track) => 9000 * Math.sin(frame / (47 + 13 * track) + track) + 3000 * Math.sin(frame / 211),
    )
    const sound = pcmInGaps(reader, gaps, pictures, undefined, MOST_ROWS)
    expect(sound?.picture).toEqual({ num: 50, den: 1 })
    expect(sound?.candidate.track.timescale).toBe(RATE)
    expect(sound?.tables.map(counted)).toEqual([EACH * GAPS, EACH * GAPS])
    expect(sound?.unsure).toBe(false)
  })

  it('is no sure guess where every chunk sounds alike', () => {
    const { reader, gaps, pictures } = joined((frame) => 9000 * Math.sin((frame * 2 * Math.PI) / 100))
    expect(pcmInGaps(reader, gaps, pictures, undefined, MOST_ROWS)?.unsure).toBe(true)
  })
})

describe('loud PCM that holds headers of coded sound', () => {
  it('is not taken for that sound', () => {
    const { reader, gaps } = record({ rate: 25, sampleRate: 48_000, chunks: Array<number>(10).fill(25) })
    const bytes = reader.bytes(0, reader.size).slice()
    // a dozen frames of MP3 in each gap: version 1, layer III, 128 kbit/s, 48 kHz
    for (const { offset } of gaps) {
      for (let frame = 0; frame < 12; frame++) {
        const start = offset + 100 + frame * 384
        bytes.fill(0, start, start + 384)
        bytes.set([0xff, 0xfb, 0x94, 0x44], start)
      }
    }
    expect(hearCoded(readerOf(bytes), gaps, [48_000])).toBeUndefined()
  })
})

it('PCM at a rate that no recorder uses has no clock', () => {
  const of = (sampleRate: number) => {
    const { reader, gaps, pictures } = record({ rate: 24, sampleRate, chunks: Array<number>(10).fill(12) })
    return pcmInGaps(reader, gaps, pictures, { num: 24, den: 1 }, MOST_ROWS)?.unclocked
  }
  expect(of(30_000)).toBe(true)
  expect(of(32_000)).toBe(false)
})

describe('pictures of an unknown rate between chunks of sound that last alike', () => {
  it('are counted by rounds, whatever was lost in one of them', () => {
    // half a second of sound each time, and what is left of the picture that is missing in the middle
    const before = [1, 8, 16, 23, 31, 38, 46, 53, 55, 60, 67, 75, 82, 89]
    const lengths = before.map((count) => (count === 55 ? 68_316 : count === 89 ? 1365 : 66_150))
    const pictures = new SampleTable(MOST_ROWS)
    for (let row = 0; row < 89; row++) pictures.push(row * 10, 10, 1, 1, row, SAMPLE_KEY)
    const gaps = before.map((count, i) => ({ offset: count * 10 - 5, length: lengths[i] }))
    const { each, least, most } = besidePicture(pictures, gaps, lengths) ?? { each: 0, least: 0, most: 0 }
    expect(Math.abs(each / 8820 - 1)).toBeLessThan(0.003)
    expect([least, 8820, most]).toEqual([least, 8820, most].sort((a, b) => a - b))
    expect(most / least).toBeLessThan(1.025)
  })

  it('have a sure rate only where no other is as near', () => {
    const told = (count: number) => {
      const { reader, gaps, pictures } = record({
        ...{ rate: 30, sampleRate: 48_000, chunks: Array<number>(count).fill(60) },
      })
      return pcmInGaps(reader, gaps, pictures, undefined, MOST_ROWS)
    }
    expect(told(6)).toMatchObject({ picture: { num: 30, den: 1 }, pictureUnsure: false })
    expect(told(9)).toMatchObject({ picture: { num: 30, den: 1 }, pictureUnsure: true })
    expect(told(20)).toMatchObject({ picture: { num: 30, den: 1 }, pictureUnsure: false })
  })
})
