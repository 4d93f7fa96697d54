import { describe, expect, it } from 'vitest'
import { chunkBlock } from '../../../../src/formats/isobmff/mend/chunks/blocks.ts'
import { LayoutWalk } from '../../../../src/formats/isobmff/mend/chunks/layout-walk.ts'
import type { Proof } from '../../../../src/formats/isobmff/mend/chunks/proof-memory.ts'
import { Lane } from '../../../../src/formats/isobmff/mend/chunks/track-chunks.ts'
import { Allowance } from '../../../../src/model/allowance.ts'
import { SILENT } from '../../../../src/model/monitor.ts'

const STEPS = 1e6

/** A track whose chunks have so many samples of these sizes each. */
function lane(offsets: readonly number[], samples: number, sizes: readonly number[]): Lane {
  return laneOfRuns(offsets, [[1, samples]], sizes)
}

/** A track whose chunks, from each of these on (1 for the first), have so many samples. */
function laneOfRuns(
  offsets: readonly number[],
  runs: readonly (readonly [number, number])[],
  sizes: readonly number[],
): Lane {
  return new Lane(
    Float64Array.from(offsets),
    {
      length: runs.length,
      firstChunk: Uint32Array.from(runs, ([first]) => first),
      samples: Uint32Array.from(runs, ([, samples]) => samples),
      description: new Uint32Array(runs.length).fill(1),
    },
    { constant: 0, count: sizes.length, sizes: Uint32Array.from(sizes) },
    { bytes: 0, samples: 1 },
    new Allowance(STEPS),
  )
}

/** What bytes say in which the first track has samples that end at these offsets, and nothing is known of the others. */
function proofOf(ends: readonly number[], size: number): Proof {
  return {
    isPayload: (_from, to) => to <= size,
    areSamples: (track, offset, sizes) => {
      if (track > 0) return undefined
      let at = offset
      return sizes.every((size) => {
        at += size
        return ends.includes(at)
      })
    },
    reach: (track, _from, to) => (track > 0 ? undefined : ends.includes(to)),
  }
}

async function offsetsOf(
  lanes: readonly Lane[],
  size: number,
  proof: Proof,
  mayStart: (lane: number, offset: number) => boolean = () => true,
): Promise<number[][] | undefined> {
  const found = await new LayoutWalk(
    lanes,
    new Set(),
    size,
    3.5,
    mayStart,
    proof,
    new Allowance(STEPS),
  ).solve(SILENT)
  return found?.lanes.map(({ offsets }) => [...offsets])
}

describe('the chunks of a movie', () => {
  it('stay where they are when a flipped size makes one end where the next but one starts', async () => {
    const lanes = [lane([0], 2, [100, 108]), lane([200], 1, [8]), lane([208], 1, [10])]
    expect(await offsetsOf(lanes, 218, proofOf([100, 200], 218))).toEqual([[0], [200], [208]])
  })

  it('stay where they are when the sizes of two neighbours are off by as much', async () => {
    const pictures = [120, 90, 1000, 70, 110, 95, 80, 75]
    const ends = pictures.map((_, i) => pictures.slice(0, i + 1).reduce((sum, size) => sum + size, 0))
    const end = ends[7]
    // Two sizes of the first chunk are wrong, and one of the second by what would put that one's start right.
    const hit = pictures.with(1, 90 + 4096).with(4, 110 - 64)
    const others = [50, 50, 48, 50]
    const lanes = [lane([0], 8, hit), lane([end], 4, others), lane([end + 200, end + 210], 1, [10, 10])]
    expect(await offsetsOf(lanes, end + 220, proofOf(ends, end + 220))).toEqual([
      [0],
      [end],
      [end + 200, end + 210],
    ])
  })

  it('come back where one has too many samples and the next starts a flipped bit away', async () => {
    // a picture, then one or two sounds, twelve times
    const pictures = [910, 873, 1020, 955, 1200, 845, 990, 1111, 934, 1051, 877, 963]
    const sounds = [31, 47, 38, 52, 41, 36, 55, 33, 44, 49, 39, 58, 35, 45, 51, 37, 43, 32]
    const starts: [number[], number[]] = [[], []]
    let at = 0
    let sound = 0
    for (const [i, size] of pictures.entries()) {
      starts[0].push(at)
      at += size
      starts[1].push(at)
      for (let count = (i % 2) + 1; count > 0; count--) at += sounds[sound++]
    }
    const runs = pictures.map((_, i) => [i + 1, (i % 2) + 1] as const)
    const right = laneOfRuns(starts[1], runs, sounds)
    const hit = laneOfRuns(starts[1], runs.with(4, [5, 1 + 8]), sounds)
    const moved = lane(starts[0].with(5, starts[0][5] ^ 4096), 1, pictures)
    const found = (lanes: readonly Lane[]) => offsetsOf(lanes, at, proofOf([], 0))
    expect(await found([lane(starts[0], 1, pictures), right])).toEqual(starts)
    expect(await found([moved, hit])).toEqual(starts)
  })

  it('come back by what their bytes prove where a size and the start behind are off by one bit each', async () => {
    const pictures = [600, 650, 700]
    const ends = [600, 1250, 1950, 2050, 2650, 3300, 4000]
    const sizes = [...pictures, ...pictures]
    // 600 is larger than 512, the sum of both errors: one bit of it would do
    const hit = lane([0, 2050], 3, sizes.with(1, 650 + 256))
    const sound = lane([1950 - 256, 4000], 2, [60, 40, 60, 40])
    expect(await offsetsOf([hit, sound], 4100, proofOf(ends, 4100))).toEqual([
      [0, 2050],
      [1950, 4000],
    ])
  })

  it('come back where one starts too early by a flipped bit, and sizes in the one before it are wrong', async () => {
    const BLOCK = 2400
    const CHUNKS = 5
    const pictures = Array.from({ length: 3 * CHUNKS }, (_, i) => 600 + ((i * 37) % 101))
    const starts: [number[], number[]] = [[], []]
    const ends: number[] = []
    let at = 0
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      starts[0].push(at)
      for (const size of pictures.slice(chunk * 3, chunk * 3 + 3)) {
        at += size
        ends.push(at)
      }
      starts[1].push(at)
      at += BLOCK
    }
    // the second chunk of sound seems to lie in the first
    const early = starts[1][1] ^ 4096
    expect(early).toBeGreaterThan(starts[1][0])
    expect(early).toBeLessThan(starts[0][1])
    const sound = new Lane(
      Float64Array.from(starts[1].with(1, early)),
      {
        length: 1,
        firstChunk: Uint32Array.of(1),
        samples: Uint32Array.of(BLOCK / 2),
        description: Uint32Array.of(1),
      },
      { constant: 2, count: (CHUNKS * BLOCK) / 2, sizes: new Uint32Array(0) },
      { bytes: 2, samples: 1 },
      new Allowance(STEPS),
    )
    const hit = pictures.with(3, pictures[3] + (1 << 20)).with(5, pictures[5] ^ 8)
    expect(await offsetsOf([lane(starts[0], 3, hit), sound], at, proofOf(ends, at))).toEqual(starts)
  })

  it('are not moved out of the media for a size that a flipped bit made unlike all others', async () => {
    const lanes = [lane([0], 2, [100, 100]), lane([200], 4, [450, 450, 450, 482]), lane([2000], 1, [59])]
    const found = await offsetsOf(lanes, 3000, proofOf([100, 200], 2059))
    expect(found).toEqual([[0], [200], [2000]])
  })
})

describe('chunks that begin at blocks', () => {
  const BLOCK = 4096
  const SIZES = [3000, 700, 5000, 90, 4097, 2048, 1000, 4095]
  /** Two tracks that take turns, a sample a chunk, each chunk at the next block. */
  function padded(): { starts: [number[], number[]]; sizes: [number[], number[]]; end: number } {
    const starts: [number[], number[]] = [[], []]
    const sizes: [number[], number[]] = [[], []]
    let at = BLOCK
    for (const [i, size] of SIZES.entries()) {
      starts[i % 2].push(at)
      sizes[i % 2].push(size)
      at = Math.ceil((at + size) / BLOCK) * BLOCK
    }
    return { starts, sizes, end: at }
  }
  const silent: Proof = { areSamples: () => undefined, reach: () => undefined, isPayload: () => true }

  it('stay where they are, what is left of a block being no fault', async () => {
    const { starts, sizes, end } = padded()
    const lanes = starts.map((offsets, i) => lane(offsets, 1, sizes[i]))
    expect(await offsetsOf(lanes, end, silent)).toEqual(starts)
    const walk = new LayoutWalk(lanes, new Set(), end, 3.5, () => true, silent, new Allowance(STEPS))
    expect(walk.isSound()).toBe(true)
  })

  it('come back from any flipped bit of an offset', async () => {
    const { starts, sizes, end } = padded()
    for (let bit = 0; bit < 32; bit++) {
      // one block on another chunk starts: only bytes could tell the two apart
      if (1 << bit === BLOCK) continue
      const hit = starts.map((offsets, i) =>
        offsets.map((offset, chunk) => (i === 1 && chunk === 2 ? (offset ^ (1 << bit)) >>> 0 : offset)),
      )
      const lanes = hit.map((offsets, i) => lane(offsets, 1, sizes[i]))
      expect(await offsetsOf(lanes, end, silent), `bit ${bit}`).toEqual(starts)
    }
  })

  it('are found again behind a size with a flipped bit', async () => {
    const { starts, sizes, end } = padded()
    for (const bit of [12, 13, 20, 31]) {
      const hit = sizes.map((list, i) =>
        list.map((size, chunk) => (i === 0 && chunk === 1 ? (size ^ (1 << bit)) >>> 0 : size)),
      )
      const lanes = starts.map((offsets, i) => lane(offsets, 1, hit[i]))
      expect(await offsetsOf(lanes, end, silent), `bit ${bit}`).toEqual(starts)
    }
  })

  it('stay where they are behind a gap that no flipped bit makes, though bytes put in have moved what they hold', async () => {
    const CHUNKS = 40
    const sizes = Array.from({ length: CHUNKS }, (_, chunk) => 25_000 + ((chunk * 1237) % 3000))
    const starts: number[] = []
    let at = 3 * BLOCK
    for (const [chunk, size] of sizes.entries()) {
      if (chunk === CHUNKS / 2) at += 2 * BLOCK
      starts.push(at)
      at = Math.ceil((at + size) / BLOCK) * BLOCK
    }
    const moved = starts[CHUNKS / 2]
    // a difference of two blocks, but more than one bit
    expect(moved & (2 * BLOCK)).toBe(0)
    const nowhere: Proof = { areSamples: () => false, reach: () => false, isPayload: () => true }
    const mayStart = (_lane: number, offset: number): boolean => offset < moved - 2 * BLOCK
    expect(await offsetsOf([lane(starts, 1, sizes)], at, nowhere, mayStart)).toEqual([starts])
  })

  it('are told from chunks of constant size that blocks divide, which are laid end to end', async () => {
    const offsets = Array.from({ length: 8 }, (_, i) => BLOCK + i * 2 * BLOCK)
    const lanes = [
      lane(
        offsets,
        1,
        offsets.map(() => 2 * BLOCK),
      ),
    ]
    expect(chunkBlock(lanes)).toBe(1)
    expect(chunkBlock(padded().starts.map((list, i) => lane(list, 1, padded().sizes[i])))).toBe(BLOCK)
  })
})
