import { expect, it } from 'vitest'
import { pacesOf } from '../../../src/formats/matroska/mend/pace.ts'
import { solveRunTimes } from '../../../src/formats/matroska/mend/run-times.ts'
import { BlockTable, KEY } from '../../../src/formats/matroska/read/block-table.ts'
import type { Run, Survey } from '../../../src/formats/matroska/read/survey.ts'
import { UNKNOWN_SIZE } from '../../../src/syntax/ebml/element.ts'

const BYTES = 100
const KEY_BYTES = 5000
const EACH = 4000
/** A screen's pictures: of any rate, and a key picture in front. */
const PICTURES = [0, 39, 420, 451, 640, 1200, 1231, 1630, 2904]

interface Screen {
  readonly survey: Survey
  readonly torn: Run
}

/** Clusters of unknown size, of the third of which `gap` bytes are gone in the middle. */
function screen(gap: number, firstIsKey = true): Screen {
  const blocks = new BlockTable(100)
  const runs: Run[] = []
  let offset = 0
  const add = (time: number | undefined, pictures: readonly number[]): Run => {
    const firstRow = blocks.length
    const start = offset
    for (const relative of pictures) {
      const row = blocks.push()
      const isKey = relative === 0 && (firstIsKey || time !== EACH)
      blocks.offset[row] = offset
      blocks.size[row] = isKey ? KEY_BYTES : BYTES
      blocks.flags[row] = isKey ? KEY : 0
      blocks.track[row] = 1
      blocks.relative[row] = relative
      blocks.duration[row] = -1
      offset += blocks.size[row]
    }
    const place = { offset: start, body: start, end: offset, firstRow, endRow: blocks.length }
    const rest = { size: UNKNOWN_SIZE, sum: -1, sumFrom: -1, gap: -1, altered: false }
    runs.push({ ...place, ...rest, headed: time !== undefined, time })
    return runs[runs.length - 1]
  }
  add(0, PICTURES)
  add(EACH, PICTURES)
  add(EACH * 2, PICTURES.slice(0, 5))
  const lost = offset
  offset += gap
  const torn = add(undefined, PICTURES.slice(7))
  add(EACH * 3, PICTURES)
  const about = {
    docType: 'webm',
    segment: undefined,
    elements: [],
    info: undefined,
    tracks: [],
    tracksWhole: true,
  }
  const gaps = [{ offset: lost, length: gap, candidates: 0 }]
  return {
    survey: { ...about, size: offset, runs, blocks, gaps, cutAt: undefined, further: undefined },
    torn,
  }
}

const solve = (survey: Survey): ReturnType<typeof solveRunTimes> =>
  solveRunTimes(survey, pacesOf(survey, [], 1e6), { clusterIn: () => undefined }, 0)

it('pictures of any rate behind a gap belong to the Cluster before, where the gap cannot hold a key picture that all begin with', () => {
  const { survey, torn } = screen(400)
  expect(solve(survey)).toEqual({ proven: 1, estimated: 0 })
  expect(torn.time).toBe(EACH * 2)
})

it.each([
  ['a gap that holds one', screen(KEY_BYTES + 400)],
  ['Clusters of which one begins with another picture', screen(400, false)],
])('their time is an estimate behind %s', (_, { survey }) => {
  expect(solve(survey)).toEqual({ proven: 0, estimated: 1 })
})
