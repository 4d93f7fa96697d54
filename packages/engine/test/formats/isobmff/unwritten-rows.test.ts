import { expect, it } from 'vitest'
import { box, fullBox, joined, words } from '../../../testing/adversaries/bytes.ts'
import { counted, FILE_TYPE, movieBox, movieFile } from '../../../testing/adversaries/movie.ts'
import { read } from './support/engine.ts'

/** Rows that the tracks of a small file may have together. */
const MOST = 1_501_000

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

it('sizes of four bits, two in a byte, are no more than a file of this length can have, in all tracks together', async () => {
  const samples = 400_000
  const track = {
    stts: counted('stts', words([samples, 1])),
    stsc: counted('stsc', words([1, samples, 1]), 12),
    stsz: fullBox('stz2', 0, words([4, samples]), new Uint8Array(samples / 2).fill(0x11)),
    stco: counted('stco', words([40]), 4),
  }
  const { movie, findings } = await read(movieFile(Array.from({ length: 6 }, () => track)))
  const rows = movie?.tracks.map(({ samples }) => samples.length) ?? []
  expect(rows[0]).toBe(samples)
  expect(rows.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_600_000)
  expect(findings.has('isobmff.bad-value')).toBe(true)
})

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
