import { describe, expect, it } from 'vitest'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import type { RecordingReport } from '../../../../src/model/report.ts'
import { movieOf, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

/** A film whose pictures or sound have a sample entry that nobody knows. */
function renamed(name: 'h264-aac.mp4' | 'h264-aac-twin.mp4', entry: 'avc1' | 'mp4a'): Buffer {
  const bytes = Buffer.from(fixture(name))
  // behind the size of the description, its version and its count
  const at = bytes.indexOf('stsd', bytes.indexOf(entry) - 24) + 16
  bytes.write('zz9a', at, 'latin1')
  return bytes
}

const codes = ({ doubts }: RecordingReport): string[] => doubts?.map(({ code }) => code) ?? []
const shown = ({ samples }: MovieTrack): number[] =>
  Array.from({ length: samples.length }, (_, row) => samples.dts[row] + samples.cts[row])

describe('sound of a codec that nobody reads', () => {
  const film = renamed('h264-aac.mp4', 'mp4a')
  const media = film.indexOf('mdat') - 4
  const moov = film.indexOf('moov') - 4

  it('has no ends that are known without the index', async () => {
    const { report } = await repaired(film.subarray(0, moov), renamed('h264-aac-twin.mp4', 'mp4a'))
    expect(codes(report)).toContain('ends')
  })

  it('may be out of place where bytes came into the media data or went', async () => {
    const middle = media + ((moov - media) >> 1)
    const without = Buffer.concat([film.subarray(0, middle), film.subarray(middle + 512)])
    const more = Buffer.concat([film.subarray(0, middle), Buffer.alloc(512, 7), film.subarray(middle)])
    for (const damaged of [without, more]) {
      for (const sample of [undefined, renamed('h264-aac-twin.mp4', 'mp4a')])
        expect(codes((await repaired(damaged, sample)).report)).toContain('moved')
    }
    expect(codes((await repaired(Buffer.concat([film, Buffer.alloc(512, 7)]))).report)).not.toContain('moved')
  })
})

describe('pictures of a codec that nobody reads', () => {
  it('keep the times that their index tells', async () => {
    const film = renamed('h264-aac.mp4', 'avc1')
    const [pictures] = (await movieOf(film)).tracks
    const hit = Buffer.from(film)
    const size = hit.indexOf('mdat') - 4
    hit.writeUInt32BE(hit.readUInt32BE(size) >> 1, size)
    const { bytes } = await repaired(hit, renamed('h264-aac-twin.mp4', 'avc1'))
    const [kept] = (await movieOf(bytes)).tracks
    expect(shown(kept)).toEqual(shown(pictures))
  })
})
