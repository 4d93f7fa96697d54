import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { isShownOtherwise } from '../../../../src/formats/isobmff/ways/index/told-order.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'

const trackOf = async (name: FixtureName, kind: string): Promise<MovieTrack> => {
  const { tracks } = await movieOf(fixture(name))
  const found = tracks.find(({ description }) => description.kind === kind)
  if (!found) throw new Error(`${name} has no ${kind}`)
  return found
}

/** Whether a track is shown in another order than its pictures tell, `change` made to its entries before. */
async function isOther(
  name: FixtureName,
  kind: string,
  change: (table: MovieTrack['samples']) => void,
): Promise<boolean> {
  const template = await trackOf(name, kind)
  const table = template.samples
  change(table)
  return isShownOtherwise(readerOf(fixture(name)), { template, table })
}

function backwards({ dts, cts, length }: MovieTrack['samples']): void {
  for (let row = 0; row < length; row++) dts[row] = -dts[row] - 2 * cts[row]
}

describe.each<FixtureName>(['h264-aac.mp4', 'hevc-aac.mp4', 'mpeg4-aac.mp4'])('pictures of %s', (name) => {
  it('are shown in the order that they tell', async () => {
    expect(await isOther(name, 'video', () => {})).toBe(false)
  })

  it('are shown in another one where their times are those of others', async () => {
    expect(await isOther(name, 'video', backwards)).toBe(true)
  })

  it('number themselves anew from key pictures on, which says nothing', async () => {
    const other = await isOther(name, 'video', (table) => {
      // the first two pictures ten times over, each shown a second later
      const rows = Array.from({ length: 20 }, (_, at) => at % 2)
      const [offsets, sizes] = [[...table.offset.subarray(0, 2)], [...table.size.subarray(0, 2)]]
      const later = table.dts[1] + table.cts[1] > table.dts[0] + table.cts[0] ? 1 : -1
      for (const [at, row] of rows.entries()) {
        table.offset[at] = offsets[row] ?? 0
        table.size[at] = sizes[row] ?? 0
        table.dts[at] = (at - row) * 1000 + row * later
        table.cts[at] = 0
      }
      table.length = rows.length
    })
    expect(other).toBe(false)
  })

  it('are few that say nothing', async () => {
    const few = await isOther(name, 'video', (table) => {
      backwards(table)
      table.length = 4
    })
    expect(few).toBe(false)
  })
})

it.each<[FixtureName, string]>([
  ['h264-aac.mp4', 'audio'],
  ['mjpeg-pcm.mov', 'video'],
])('what tells no order is shown as it is: %s, %s', async (name, kind) => {
  expect(await isOther(name, kind, backwards)).toBe(false)
})
