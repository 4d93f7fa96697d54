import { describe, expect, it } from 'vitest'
import { SAMPLE_AFTER_HOLE } from '../../../src/model/sample-table.ts'
import type { Hole } from '../../../src/recovery/carving/assembler.ts'
import { withoutFiller } from '../../../src/recovery/carving/filler.ts'
import { timeline } from '../../../src/recovery/timing/timeline.ts'
import { interleave, lane, prior } from '../lanes.ts'

const hole = (offset: number, end: number, row = 0): Hole => ({ offset, length: end - offset, rows: [row] })

/**
 * Pictures of 25 a second and sound in chunks of ten that begin at multiples of 4096, moved by `moved` bytes from row `from` on.
 */
function padded(moved = 0, from = 1000): { lanes: ReturnType<typeof lane>[]; holes: Hole[] } {
  const video = lane(0, 'video', 25)
  const audio = lane(1, 'audio', 1000)
  const holes: Hole[] = []
  let end = 0
  const chunk = (push: (offset: number) => number): void => {
    const start = Math.ceil(end / 4096) * 4096
    const late = video.table.length >= from ? moved : 0
    if (start > end && end > 0)
      holes.push({ offset: end + late, length: start - end, rows: [video.table.length, audio.table.length] })
    end = push(start + late) - late
  }
  for (let chunks = 0; chunks < 8; chunks++) {
    chunk((start) => {
      for (let i = 0; i < 10; i++)
        video.table.push(start + i * 900, 900, 1, 1, (chunks * 10 + i) * 2, i === 0 ? SAMPLE_AFTER_HOLE : 0)
      return start + 9000
    })
    chunk((start) => {
      for (let i = 0; i < 20; i++) audio.table.push(start + i * 101, 101, 1, 20, chunks * 20 + i, 0)
      return start + 2020
    })
  }
  return { lanes: [video, audio], holes }
}

describe('filler', () => {
  it('up to blocks that chunks begin at loses no time', () => {
    const { lanes, holes } = padded()
    expect(holes).toHaveLength(15)
    const times = timeline(lanes, interleave([prior(1, 22_500), prior(20, 5_050)]), holes)
    expect(times.map(({ losses }) => losses)).toEqual([[], []])
    expect(lanes[0].table.dts[79]).toBe(79)
    expect(lanes[1].table.dts[159]).toBe(159 * 20)
    expect(lanes[0].table.flags[10] & SAMPLE_AFTER_HOLE).toBe(0)
  })

  it('is known behind bytes that went missing and moved the blocks', () => {
    const { lanes, holes } = padded(-700, 40)
    expect(withoutFiller(lanes, holes, 0)).toEqual([])
  })

  it('is told from damage, which ends anywhere', () => {
    const { lanes, holes } = padded()
    const damage = { ...holes[4], length: holes[4].length + 900 }
    const all = holes.map((found, index) => (index === 4 ? damage : found))
    expect(withoutFiller(lanes, all, 0)).toEqual([damage])
  })

  it('is no hole of a block or more, and a sector needs more than one witness', () => {
    const video = lane(0, 'video', 25)
    const large = [hole(0, 1 << 18), hole(1 << 19, (1 << 19) + (1 << 18))]
    expect(withoutFiller([video], large, 0)).toEqual(large)
    const sectors = [hole(100, 512), hole(900, 1024)]
    expect(withoutFiller([video], sectors, 0)).toEqual(sectors)
    expect(withoutFiller([video], [...sectors, hole(2300, 2560)], 0)).toEqual([])
  })

  it('is not taken for what ends at the same place of a block because all units have one even size', () => {
    const sound = lane(0, 'audio', 48_000)
    for (let row = 0; row < 40; row++) sound.table.push(44 + row * 512, 512, 1, 1024, row, 0)
    const holes = [hole(36, 44), hole(44 + 12_288, 44 + 16_384, 24)]
    expect(withoutFiller([sound], holes, 0)).toEqual(holes)
  })

  it('no longer than that of the sample is none of damage', () => {
    const video = lane(0, 'video', 25)
    expect(withoutFiller([video], [hole(10, 30), hole(100, 131)], 20)).toEqual([hole(100, 131)])
  })
})
