import { describe, expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { movieOf, read, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

describe('tracks of a repaired file', () => {
  it('keep their order where one comes from the index and another from the bytes', async () => {
    const original = fixture('h264-aac.mp4')
    const damaged = original.slice()
    const trak = Buffer.from(damaged).indexOf('trak')
    damaged.fill(0x5a, trak, trak - 4 + new DataView(damaged.buffer).getUint32(trak - 4))
    damaged.fill(0x5a, trak - 4, trak)
    const { report, bytes } = await repaired(damaged, original)
    expect(report.tracks.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'video'],
      [2, 'audio'],
    ])
    expect((await movieOf(bytes)).tracks.map(({ header }) => header.id)).toEqual([1, 2])
  })

  it('that were looked for in vain are named', async () => {
    const original = fixture('h264-aac.mp4')
    const damaged = indexZeroed(original)
    const [, sound] = (await movieOf(original)).tracks
    for (let row = 0; row < sound.samples.length; row++) {
      const { offset, size } = sound.samples
      damaged.fill(0, offset[row], offset[row] + size[row])
    }
    const { report } = await repaired(damaged, original)
    expect(report.tracks.map(({ kind }) => kind)).toEqual(['video'])
    const [finding] = report.findings.filter(({ code }) => code === 'isobmff.track-absent')
    expect(finding?.message).toBe('track 2 (aac): none of its samples was found')
    expect((await read(original)).findings.has('isobmff.track-absent')).toBe(false)
  })
})
