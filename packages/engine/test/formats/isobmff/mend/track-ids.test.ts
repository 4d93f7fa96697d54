import { describe, expect, it } from 'vitest'
import { mendTrackIds } from '../../../../src/formats/isobmff/mend/track-ids.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

describe('ids of tracks', () => {
  it('that fragments name as well are right, though a number was left out', async () => {
    const [pictures, sound] = (await movieOf(fixture('h264-aac-fragmented.mp4'))).tracks
    const third = {
      ...sound,
      header: { ...sound.header, id: 3 },
      description: { ...sound.description, id: 3 },
    }
    const findings = new Findings()
    expect(mendTrackIds([pictures, third], findings)).toEqual([pictures, third])
    expect(findings.list).toEqual([])
    const [, mended] = mendTrackIds([pictures, { ...third, extends: undefined }], findings)
    expect(mended.header.id).toBe(2)
  })
})
