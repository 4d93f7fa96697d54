import { describe, expect, it } from 'vitest'
import { NORMAL_RATE } from '../../../src/formats/isobmff/boxes/elst.ts'
import { mendTimes } from '../../../src/formats/isobmff/mend/times/times.ts'
import type { Movie } from '../../../src/formats/isobmff/read/movie.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { Findings } from '../../../src/model/finding.ts'
import { type Box, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, read, readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

const healthy = fixture('h264-aac-fragmented.mp4')

/** Where each sample lies and when it is decoded and shown, by track. */
function samplesOf(movie: Movie): string[] {
  return movie.tracks.map(({ samples }) =>
    Array.from(
      { length: samples.length },
      (_, row) =>
        `${samples.offset[row]}+${samples.size[row]}@${samples.dts[row]}/${samples.cts[row]}/${samples.duration[row]}`,
    ).join(' '),
  )
}

/** What a flipped bit in every byte of a fragment's index, one at a time, leaves wrong. */
async function wrongAfterFlips(fragment: Box, whole: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  for (let at = fragment.offset + 8; at < fragment.end; at++) {
    const bit = (at * 5 + 3) % 8
    const damaged = healthy.slice()
    damaged[at] ^= 1 << bit
    const found = samplesOf(await movieOf(damaged))
    if (found.join() !== whole.join()) wrong.push(`byte ${at - fragment.offset}, bit ${bit}`)
  }
  return wrong
}

describe('a flipped bit in the index of a fragment', async () => {
  const fragments = readChildren(readerOf(healthy), 0, healthy.length).boxes.filter(
    ({ type }) => type === 'moof',
  )
  const whole = samplesOf(await movieOf(healthy))

  it('in the middle of a recording leaves nearly every sample where and when it is', async () => {
    const { offset, end } = fragments[2]
    const wrong = await wrongAfterFlips(fragments[2], whole)
    expect(wrong.length, wrong.join('; ')).toBeLessThan(0.02 * (end - offset))
  }, 60_000)

  it('at the end, where no later fragment tells, is mended where the others of the track tell', async () => {
    const last = fragments[fragments.length - 1]
    const wrong = await wrongAfterFlips(last, whole)
    expect(wrong.length, wrong.join('; ')).toBeLessThan(0.08 * (last.end - last.offset))
  }, 60_000)
})

it.each([0.72, 0.76, 0.8, 0.84, 0.88])(
  'sizes of samples that nobody reads are left as they are where the file breaks off at %d of its length',
  async (share) => {
    const renamed = Buffer.from(healthy)
    for (const [name, by] of [
      ['mp4a', 'xxxa'],
      ['avc1', 'xxx1'],
    ])
      renamed.write(by, renamed.indexOf(name, renamed.indexOf('stsd')), 'latin1')
    const { findings } = await read(renamed.subarray(0, Math.floor(renamed.length * share)))
    expect(findings.list.filter(({ code }) => code === 'isobmff.table-mended')).toEqual([])
  },
)

it('several flipped bits in the sizes of one run and one in the place of the next are mended together', async () => {
  const whole = samplesOf(await movieOf(healthy))
  const reader = readerOf(healthy)
  const moof = readChildren(reader, 0, healthy.length).boxes.filter(({ type }) => type === 'moof')[2]
  const children = (box: Box) => readChildren(reader, box.offset + box.header, box.end).boxes
  const runs = children(moof)
    .filter(({ type }) => type === 'traf')
    .map((traf) => children(traf).filter(({ type }) => type === 'trun')[0])
  const damaged = healthy.slice()
  const view = new DataView(damaged.buffer, damaged.byteOffset)
  const flip = (at: number, bit: number): void => view.setUint32(at, view.getUint32(at) ^ (1 << bit))
  const [pictures, sound] = runs
  const flags = view.getUint32(pictures.offset + 8)
  expect(flags & 0x200, 'sizes of their own').not.toBe(0)
  const entry = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  const first = pictures.offset + 20 + (flags & 0x4 ? 4 : 0) + (flags & 0x100 ? 4 : 0)
  flip(first + entry, 26)
  flip(first + 3 * entry, 5)
  flip(sound.offset + 16, 25)
  expect(samplesOf(await movieOf(damaged))).toEqual(whole)
})

describe('a movie box in front of fragments', () => {
  it('loses nothing but its header where the type of that is destroyed, and not even that', async () => {
    const whole = await movieOf(healthy)
    const at = Buffer.from(healthy).indexOf('mvhd')
    const damaged = healthy.slice()
    damaged.set([0x6d, 0x01, 0x68, 0x84], at)
    const movie = await movieOf(damaged)
    expect(movie.headerLost).toBe(false)
    expect(movie.header).toEqual(whole.header)
    expect(movie.fragmented).toBe(true)
    expect(samplesOf(movie)).toEqual(samplesOf(whole))
  })

  it('keeps everything behind a box whose type is destroyed', async () => {
    const at = Buffer.from(healthy).indexOf('mvex')
    const damaged = healthy.slice()
    damaged.set([0x01, 0x02, 0x83, 0x04], at)
    const movie = await movieOf(damaged)
    expect(movie.tracks).toHaveLength(2)
    expect(movie.boxes).toEqual((await movieOf(healthy)).boxes)
  })

  it('has edit lists whose starts nothing speaks against before the fragments are read', async () => {
    const { header, tracks } = await movieOf(healthy)
    const edits = [{ duration: 0, mediaTime: 166, rate: NORMAL_RATE }]
    const clocks = { header, tracks: tracks.map((track) => ({ ...track, edits })) }
    const mended = mendTimes(clocks, true, new Findings(9), new Allowance(1_000_000))
    expect(mended.tracks.map((track) => track.edits)).toEqual([edits, edits])
  })
})

it.each([
  ['has defaults for each of its tracks', 0, []],
  ['has none for one of them', 1, ['index-hit']],
])('a movie whose header lets expect more tracks is whole where it %s', async (_, flipped, doubts) => {
  const damaged = Buffer.from(healthy)
  const header = damaged.indexOf('mvhd')
  // a packager kept one file of several
  damaged[header + 103] += 2
  damaged[damaged.indexOf('trex') + 11] ^= flipped * 64
  const run = damaged.indexOf('trun', damaged.indexOf('moof', damaged.indexOf('moof') + 4))
  // a size of the first sample
  damaged[run + 23] ^= 1
  const { report } = await repaired(damaged)
  expect(report.doubts?.map(({ code }) => code) ?? []).toEqual(doubts)
})
