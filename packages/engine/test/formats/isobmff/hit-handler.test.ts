import { describe, expect, it } from 'vitest'
import { DOUBT } from '../../../src/model/doubt.ts'
import { movieOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** The recording with the last occurrence of a text overwritten. */
function hit(original: Uint8Array, ...changes: readonly [string, string][]): Uint8Array {
  const bytes = Buffer.from(original)
  for (const [text, put] of changes) bytes.write(put, bytes.lastIndexOf(text), 'latin1')
  return new Uint8Array(bytes)
}

const film = fixture('h264-aac.mp4')

describe('a track whose handler was hit beyond mending', () => {
  it('is of the kind that its media header says', async () => {
    const handler = hit(film, ['vide', 'vk\xe4e'])
    const at = Buffer.from(handler).indexOf('mdhd') - 4
    // the size of the box in front, so that the tree is broken
    handler[at + 1] |= 4
    const { report, bytes } = await repaired(handler)
    const { tracks } = await movieOf(bytes)
    expect(tracks.map(({ description: { kind, codec } }) => `${kind} ${codec}`)).toEqual([
      'video h264',
      'audio aac',
    ])
    expect(report.verdict).toBe('repaired')
  })

  it('is mended where nothing else was hit', async () => {
    const { report, bytes } = await repaired(hit(film, ['soun', '\0\0\0\0']))
    expect(report.verdict).toBe('repaired')
    expect((await movieOf(bytes)).tracks.map(({ handlerType }) => handlerType)).toEqual(['vide', 'soun'])
  })

  it('is in doubt where that and its format are lost, too', async () => {
    const lost = hit(film, ['soun', 'sk\xe4n'], ['smhd', 's\xede4'], ['mp4a', 'm\x14\x24a'])
    const { report } = await repaired(lost)
    expect(report.tracks.map(({ kind }) => kind)).toEqual(['video', 'data'])
    expect(report.doubts).toContainEqual(DOUBT.indexHit)
  })
})
