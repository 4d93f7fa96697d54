import { expect, it } from 'vitest'
import { box, fullBox, joined, words } from '../../../testing/adversaries/bytes.ts'
import { counted, FILE_TYPE, movieBox, movieFile } from '../../../testing/adversaries/movie.ts'
import { read } from './support/engine.ts'

/** Rows that a small file may claim without an entry for each. */
const MOST = 1_001_000

it('a size for all samples and a count claim no more rows than a file of this length can hold', async () => {
  const count = 0xffff_ffff
  const track = {
    stts: counted('stts', words([count, 1])),
    stsc: counted('stsc', words([1, count, 1]), 12),
    stsz: fullBox('stsz', 0, words([1, count])),
    stco: counted('stco', words([40]), 4),
  }
  const { movie, findings } = await read(movieFile([track, track], new Uint8Array(100)))
  const rows = movie?.tracks.map(({ samples }) => samples.length) ?? []
  expect(rows.reduce((sum, length) => sum + length, 0)).toBeLessThan(MOST)
  expect(rows[0]).toBeGreaterThan(900_000)
  expect(findings.has('isobmff.table-limit')).toBe(true)
})

const INIT = joined([FILE_TYPE, movieBox([{}], box('mvex', fullBox('trex', 0, words([1, 1, 1000, 0, 0]))))])

/** A fragment of track 1 with these runs and a size for all samples. */
function fragment(size: number, ...runs: readonly Uint8Array[]): Uint8Array {
  const header = fullBox('tfhd', 0x020010, words([1, size]))
  return joined([
    INIT,
    box('moof', fullBox('mfhd', 0, words([1])), box('traf', header, ...runs)),
    box('mdat'),
  ])
}

it('runs that say nothing of their samples claim no more of them either', async () => {
  const runs = Array.from({ length: 200 }, () => fullBox('trun', 0, words([0xffff_ffff])))
  const { movie, findings } = await read(fragment(4, ...runs))
  expect(movie?.tracks[0].samples.length).toBeLessThan(MOST)
  expect(findings.has('isobmff.table-limit')).toBe(true)
})

it('runs that say nothing of samples of no size tell of none', async () => {
  const { movie, findings } = await read(fragment(0, fullBox('trun', 0, words([5000]))))
  expect(movie?.tracks[0].samples.length).toBe(0)
  expect(findings.has('isobmff.table-limit')).toBe(true)
})

it('a run whose samples share one size is read as it is', async () => {
  const { movie } = await read(fragment(12, fullBox('trun', 0, words([5000]))))
  expect(movie?.tracks[0].samples.length).toBe(5000)
})
