import { describe, expect, it } from 'vitest'
import { evidenceOf } from '../src/tasks/enhance/evidence.ts'
import type { Film } from '../src/tasks/enhance/film.ts'
import { Grid } from '../src/tasks/enhance/grid.ts'
import { mixInto, sharesOf } from '../src/tasks/enhance/mix.ts'
import type { Plane } from '../src/tasks/enhance/planes.ts'
import { originsOf, SOUND, stretchesIn } from '../src/tasks/enhance/taint.ts'

/** Likely errors of a stretch from place 5 to before `end`, hit at 5, in pictures of one block that change by 10 from one to the next but where told. */
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
