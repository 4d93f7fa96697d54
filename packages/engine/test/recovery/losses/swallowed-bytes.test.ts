import { describe, expect, it } from 'vitest'
import { SAMPLE_DAMAGED } from '../../../src/model/sample-table.ts'
import { withTornUnits } from '../../../src/recovery/losses/swallowed-bytes.ts'
import { lane } from '../lanes.ts'

describe('torn units', () => {
  it('that swallowed others count as holes at their end', () => {
    const video = lane(0, 'video', 25)
    const audio = lane(1, 'audio', 1000)
    let offset = 0
    for (let row = 0; row < 20; row++) {
      const size = row === 10 ? 5000 : 1000
      video.table.push(offset, size, 1, 1, row * 2, row === 10 ? SAMPLE_DAMAGED : 0)
      audio.table.push(offset + size, 100, 1, 20, row, 0)
      offset += size + 100
    }
    const known = [{ offset: 3300, length: 7, rows: [3, 3] }]
    expect(withTornUnits([video, audio], known)).toEqual([
      { offset: 3300, length: 7, rows: [3, 3] },
      { offset: 16_000, length: 4000, rows: [11, 10] },
    ])
  })

  it('that are damaged and no longer than others leave the holes as they are where nothing numbers them', () => {
    const made = lane(0, 'video', 25)
    const video = { ...made, recogniser: undefined }
    for (let row = 0; row < 20; row++)
      made.table.push(row * 1000, 1000, 1, 1, row, row === 10 ? SAMPLE_DAMAGED : 0)
    expect(withTornUnits([video], [])).toEqual([])
  })
})
