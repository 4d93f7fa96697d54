import { AV_PIX_FMT_GRAY8 } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { describe, expect, it } from 'vitest'
import { isClearlyLower } from '../src/tasks/enhance/concealer.ts'
import { isDisposable } from '../src/tasks/enhance/entry.ts'
import { evidenceOf } from '../src/tasks/enhance/evidence.ts'
import { type Film, waysOf } from '../src/tasks/enhance/film.ts'
import { Grid } from '../src/tasks/enhance/grid.ts'
import type { Side } from '../src/tasks/enhance/measure.ts'
import { isOneScene, Mender } from '../src/tasks/enhance/mend.ts'
import { mixInto, sharesOf } from '../src/tasks/enhance/mix.ts'
import type { Plane } from '../src/tasks/enhance/planes.ts'
import { originsOf, SOUND, stretchesIn } from '../src/tasks/enhance/taint.ts'

/**
 * Likely errors of a stretch from place 5 to before `end`, hit at 5, in pictures of one block that change by 10 from one to the
 * next but where told.
 */
function errorsOf(end: number, steps: Readonly<Record<number, number>>, last = 20): number[] {
  const { errors } = evidenceOf({
    stretch: { start: 5, end },
    blocks: 1,
    step: (rank) => (rank > 0 && rank < last ? Float32Array.of(steps[rank] ?? 10) : undefined),
    isSound: (rank) => rank >= 0 && rank < last && (rank < 5 || rank >= end),
    isHit: (rank) => rank === 5,
  })
  return errors.map((error) => error?.[0] ?? Number.NaN)
}

describe('errors that pictures likely show', () => {
  it('come in with a hit and stay until a step takes them away', () => {
    expect(errorsOf(8, { 5: 500, 8: 480 })).toEqual([465, 465, 465])
    expect(errorsOf(12, { 5: 500, 9: 480 })).toEqual([465, 465, 465, 465, 0, 0, 0])
  })

  it('leave with a step where no sound picture follows, too', () => {
    expect(errorsOf(10, { 5: 500, 8: 490 }, 10)).toEqual([485, 485, 485, 0, 0])
  })

  it('are none where everything moves as much, and where the scene changes with the next sound picture', () => {
    const lively = Object.fromEntries(Array.from({ length: 20 }, (_, rank) => [rank, 500]))
    expect(errorsOf(8, lively)).toEqual([0, 0, 0])
    expect(errorsOf(8, { 8: 5000 })).toEqual([0, 0, 0])
  })

  it('count as the cost of a way of decoding', () => {
    const costWith = (step: number): number =>
      evidenceOf({
        stretch: { start: 5, end: 6 },
        blocks: 1,
        step: (rank) => Float32Array.of(rank === 5 ? step : 10),
        isSound: (rank) => rank !== 5,
        isHit: (rank) => rank === 5,
      }).cost
    expect(costWith(100)).toBeLessThan(costWith(400))
    expect(costWith(10)).toBe(0)
  })
})

describe('mixing', () => {
  const of = (...values: number[]): Float32Array => Float32Array.from(values)

  it('takes more of the pictures that are nearer to right, and nothing where no error is seen', () => {
    expect(sharesOf({ own: of(2, 7), before: of(0, 0), behind: undefined })).toBeUndefined()
    const shares = sharesOf({ own: of(999, 0, 999), before: of(9, 0, 99), behind: of(9, 0, 999) })
    expect(shares?.before[0]).toBeCloseTo(0.4975, 3)
    expect(shares?.behind[0]).toBeCloseTo(0.4975, 3)
    expect([shares?.before[1], shares?.behind[1]]).toEqual([0, 0])
    expect(shares?.before[2]).toBeGreaterThan(0.8)
    expect(shares?.behind[2]).toBeLessThan(0.1)
  })

  it('changes the blocks that have a share, in every plane, and no others', () => {
    const grid = new Grid(64, 16, 1)
    const planes = (value: number): Plane[] => [
      { samples: new Uint8Array(64 * 16).fill(value), stride: 64, width: 64, height: 16 },
      { samples: new Uint8Array(40 * 8).fill(value), stride: 40, width: 32, height: 8 },
    ]
    const [own, other] = [planes(10), planes(110)]
    mixInto(own, undefined, other, { before: of(0, 0, 0, 0), behind: of(0, 1, 0, 0) }, grid)
    const row = (place: number, y: number): number[] => {
      const { samples, stride, width } = own[place] ?? planes(0)[0] ?? { samples: [], stride: 0, width: 0 }
      return [...samples.slice(y * stride, y * stride + width)]
    }
    expect(row(0, 3)[23]).toBeGreaterThan(100)
    expect(row(1, 5)[11]).toBeGreaterThan(100)
    expect(row(0, 3).slice(0, 8)).toEqual(Array(8).fill(10))
    expect(row(0, 15).slice(40)).toEqual(Array(24).fill(10))
    expect(row(1, 7).slice(20)).toEqual(Array(12).fill(10))
  })
})

describe('pictures in blocks', () => {
  const plane = (at: (x: number, y: number) => number): Plane => ({
    samples: Uint16Array.from({ length: 48 * 32 }, (_, place) => at(place % 48, Math.floor(place / 48))),
    ...{ stride: 48, width: 48, height: 32 },
  })

  it('differ where they do, on the scale of 8 bits', () => {
    const [calm, hit] = [plane(() => 400), plane((x, y) => (x < 16 && y < 16 ? 440 : 400))]
    const differences = new Grid(48, 32, 1).differences(calm, hit, 10)
    // its own block counts twice among the four that it touches
    expect([...differences].map(Math.round)).toEqual([40, 14, 0, 20, 14, 0])
  })

  it('are alike in the large however bright they are, and unlike another scene', () => {
    const grid = new Grid(48, 32, 1)
    const scene = plane((x, y) => 3 * x + y)
    expect(
      grid.likeness(
        scene,
        plane((x, y) => 3 * x + y + 50),
      ),
    ).toBeGreaterThan(0.99)
    expect(
      grid.likeness(
        scene,
        plane((x) => 200 - 2 * x),
      ),
    ).toBeLessThan(0)
    expect(
      grid.likeness(
        scene,
        plane(() => 7),
      ),
    ).toBe(0)
  })

  it('have larger blocks where there are very many', () => {
    expect(new Grid(1920, 1080, 60).block).toBe(32)
    expect(new Grid(320, 240, 100_000).blocks).toBeLessThanOrEqual(41)
  })
})

/** A film of MPEG-4 pictures by their types in decoding order, as `I0 P3 B1 B2`: type and place in display order. */
function filmOf(pictures: string): Film {
  const all = pictures.split(' ').map((name) => ({ type: name[0] ?? '', rank: Number(name.slice(1)) }))
  const film = {
    stream: { codec: 'mpeg4', stream: { codecpar: {} } },
    samples: { count: all.length },
    rank: Uint32Array.from(all, ({ rank }) => rank),
    sampleAt: Uint32Array.from(all, (_, rank) => all.findIndex((other) => other.rank === rank)),
    isSync: (sample: number) => all[sample]?.type === 'I',
    read: (sample: number) => Buffer.from([0, 0, 1, 0xb6, 'IPB'.indexOf(all[sample]?.type ?? '') << 6]),
  }
  return film as unknown as Film
}

describe('pictures that may show errors of damaged ones', () => {
  const origins = (pictures: string, ...damaged: number[]): number[] => {
    const film = filmOf(pictures)
    const hit = new Uint8Array(film.samples.count)
    for (const sample of damaged) hit[sample] = 1
    return [...originsOf(film, hit)]
  }
  const NONE = SOUND

  it('are those behind up to the next key picture', () => {
    expect(origins('I0 P1 P2 P3 I4 P5', 1)).toEqual([NONE, 1, 1, 1, NONE, NONE])
    expect(origins('I0 P1 P2 P3 I4 P5', 1, 2)).toEqual([NONE, 1, 2, 2, NONE, NONE])
  })

  it('are none behind a picture that nothing refers to', () => {
    expect(origins('I0 P2 B1 P4 B3', 2)).toEqual([NONE, NONE, 2, NONE, NONE])
  })

  it('are those in front of a key picture that is decoded before them', () => {
    expect(origins('I0 P1 I4 B2 B3 P5', 1)).toEqual([NONE, 1, NONE, 1, 1, NONE])
  })

  it('come in stretches by the order they are shown in', () => {
    const film = filmOf('I0 P2 B1 P4 B3 I5')
    const hit = Uint8Array.of(0, 0, 1, 1, 0, 0)
    expect(stretchesIn(film, originsOf(film, hit), 0, 6)).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 5 },
    ])
  })
})

/** A film of one sample with these bytes. */
function filmWith(codec: string, extradata: Buffer | undefined, ...bytes: number[]): Film {
  const film = { stream: { codec, stream: { codecpar: { extradata } } }, read: () => Buffer.from(bytes) }
  return film as unknown as Film
}

const AVCC = Buffer.from([1, 77, 0, 31, 0xff])
const HVCC = Buffer.from([1, ...Array(20).fill(0), 0x0f])

describe('pictures that nothing refers to', () => {
  it('are told by the headers of their slices', () => {
    const h264 = (...headers: number[]) =>
      isDisposable(filmWith('h264', AVCC, ...headers.flatMap((header) => [0, 0, 0, 2, header, 0])), 0)
    expect([h264(0x01), h264(0x41), h264(0x01, 0x01), h264(0x01, 0x41), h264(0x09)]).toEqual([
      ...[true, false, true, false, false],
    ])
    const hevc = (type: number) => isDisposable(filmWith('hevc', HVCC, 0, 0, 0, 2, type << 1, 1), 0)
    expect([0, 1, 8, 9, 16, 18, 34].map(hevc)).toEqual([true, false, true, false, false, false, false])
  })

  it('are told by the type in the header of a picture', () => {
    const mpeg2 = (type: number) =>
      isDisposable(filmWith('mpeg2video', undefined, 0, 0, 1, 0, 0, type << 3), 0)
    expect([1, 2, 3].map(mpeg2)).toEqual([false, false, true])
    const mpeg4 = (type: number) => isDisposable(filmWith('mpeg4', undefined, 0, 0, 1, 0xb6, type << 6), 0)
    expect([0, 1, 2].map(mpeg4)).toEqual([false, false, true])
  })
})

describe('ways of decoding', () => {
  const ways = (codec: string, extradata?: Buffer) =>
    waysOf(filmWith(codec, extradata)).map(({ whole, guess }) => `${whole}${guess ? ' guess' : ''}`)

  it('are the library`s own, without what cannot belong to a unit, and with guesses where a decoder makes them', () => {
    expect(ways('h264', AVCC)).toEqual(['true', 'false', 'false guess'])
    expect(ways('hevc', HVCC)).toEqual(['true', 'false'])
    expect(ways('mpeg4')).toEqual(['true', 'false guess'])
    expect(ways('vp9')).toEqual(['true'])
  })

  it('give way to one that shows clearly fewer errors only', () => {
    expect([isClearlyLower(80, 100), isClearlyLower(95, 100), isClearlyLower(120, 100)]).toEqual([
      ...[true, false, false],
    ])
    expect(isClearlyLower(0.5, 1)).toBe(false)
  })
})

describe('pictures that are mended', () => {
  const side = (likeness: number): Side => ({ frame: grey(0), changes: [], likeness })

  it('have sound ones on both sides, or one that looks like them', () => {
    expect(isOneScene({ before: side(0), behind: side(0) })).toBe(true)
    expect(isOneScene({ before: side(0.9), behind: undefined })).toBe(true)
    expect(isOneScene({ before: undefined, behind: side(0.1) })).toBe(false)
    expect(isOneScene({ before: undefined, behind: undefined })).toBe(false)
  })

  it('become the sound picture beside them as far as such pictures change in the time between', () => {
    // places 5 to 8, which a hit at 5 made wrong all over, between sound pictures of 100 and 140
    const changes = [1, 40, 90, 160].map((change) => Float32Array.of(change))
    const sides = {
      stretch: { start: 5, end: 9 },
      before: { frame: grey(100), changes, likeness: 1 },
      behind: { frame: grey(140), changes, likeness: 1 },
    }
    const film = { sampleAt: Uint32Array.from({ length: 14 }, (_, rank) => rank) } as unknown as Film
    const origins = Int32Array.from({ length: 14 }, (_, rank) => (rank >= 5 && rank < 9 ? 5 : SOUND))
    const steps = new Map<number, Float32Array>()
    for (let rank = 1; rank < 14; rank++)
      steps.set(rank, Float32Array.of(rank === 5 || rank === 9 ? 12_000 : 1))
    const part = { film, origins, grid: new Grid(16, 16, 14) } as unknown as ConstructorParameters<
      typeof Mender
    >[0]
    const mender = new Mender(part, { way: { whole: true }, steps, sides: [sides] })
    const shown = (own: number, rank: number) => mender.mended(grey(own), rank).data?.[0]?.[0] ?? 0
    expect(shown(90, 5)).toBeGreaterThan(98)
    expect(shown(150, 8)).toBeLessThan(142)
    // movement explains as much
    expect([shown(90, 8), shown(150, 5)]).toEqual([90, 150])
    // these are sound
    expect([shown(0, 4), shown(0, 9)]).toEqual([0, 0])
  })
})

/** A picture of 16x16 samples of one grey. */
function grey(value: number): Frame {
  const frame = {
    ...{ width: 16, height: 16, format: AV_PIX_FMT_GRAY8, linesize: [16] },
    data: [Buffer.alloc(256, value)],
    isVideo: () => true,
    clone: () => grey(value),
    makeWritable: () => 0,
    free: () => {},
  }
  return frame as unknown as Frame
}
