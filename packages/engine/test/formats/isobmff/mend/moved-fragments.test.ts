import { describe, expect, it } from 'vitest'
import { RUN_SIZE } from '../../../../src/formats/isobmff/boxes/trun.ts'
import { mendMovedFragments } from '../../../../src/formats/isobmff/mend/fragments/moved-fragments.ts'
import { Fragments } from '../../../../src/formats/isobmff/read/fragments.ts'
import { Findings } from '../../../../src/model/finding.ts'

/** A fragment of one run of three samples whose payload lies at 1000, and whose offsets count from `base`. */
function fragment(base: number, sizes = [100, 120, 80], end = 1300, dataOffset?: number): Fragments {
  const fragments = new Fragments([{ type: 'moof', offset: 900, header: 8, size: 92, end: 992, form: '32' }])
  fragments.addFragment({ start: 1000, end })
  const unsaid = { description: undefined, size: undefined, flags: undefined }
  fragments.addPart({ track: 1, baseOffset: base, duration: 10, ...unsaid, baseIsFragment: false }, 0)
  fragments.addRun({ count: 3, dataOffset, firstFlags: undefined, fields: RUN_SIZE, entries: sizes })
  return fragments
}

function mended(of: Fragments): number | undefined {
  mendMovedFragments(of, () => 0, new Findings())
  return of.headers[0].baseOffset
}

describe('a fragment in front of which an editor put something', () => {
  it('lies where its samples fill the payload', () => {
    expect(mended(fragment(945))).toBe(1000)
    expect(mended(fragment(1055))).toBe(1000)
  })

  it('has its base as far in front of its samples as they say', () => {
    expect(mended(fragment(845, undefined, undefined, 100))).toBe(900)
  })

  it('stays where its samples do not fill the payload', () => {
    expect(mended(fragment(945, [100, 120, 81]))).toBe(945)
    expect(mended(fragment(945, undefined, 1310))).toBe(945)
  })

  it('stays where it lies within its payload', () => {
    const whole = fragment(1000)
    const findings = new Findings()
    mendMovedFragments(whole, () => 0, findings)
    expect(whole.headers[0].baseOffset).toBe(1000)
    expect(findings.list).toEqual([])
  })
})
