import { describe, expect, it } from 'vitest'
import { isFormat, isHandler } from '../../../../src/formats/isobmff/mend/registered.ts'
import { diagnosed } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'
import { movieBoxes } from '../support/movie-boxes.ts'

describe('a registered code', () => {
  it('of a sample entry is no other one with a flipped bit', () => {
    for (const code of ['hdv1', 'mjp2', 'dvav', 'encv', 'raw ', 'xd5b', 'mx5n', 'aprn', 'AVd1'])
      expect(isFormat(code)).toBe(true)
    for (const code of ['avb1', 'mp4q', 'hvd1', '']) expect(isFormat(code), code).toBe(false)
  })

  it('of a handler is no other one with a flipped bit', () => {
    for (const code of ['subp', 'url ', 'soun']) expect(isHandler(code)).toBe(true)
    expect(isHandler('vidd')).toBe(false)
  })

  it('stays as it is in a healthy file', async () => {
    const bytes = fixture('hevc-aac.mp4')
    const description = movieBoxes(bytes).find(({ box }) => box.type === 'stsd')
    if (!description) throw new Error('no sample description')
    bytes.set(new TextEncoder().encode('hdv1'), description.box.offset + 20)
    expect((await diagnosed(bytes)).findings.filter(({ code }) => code === 'isobmff.table-mended')).toEqual(
      [],
    )
  })
})
