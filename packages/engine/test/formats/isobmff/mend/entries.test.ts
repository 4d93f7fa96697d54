import { describe, expect, it } from 'vitest'
import { BoxWriter } from '../../../../src/formats/isobmff/boxes/box-writer.ts'
import { mendSampleDescription } from '../../../../src/formats/isobmff/mend/entries.ts'
import { Patches } from '../../../../src/formats/isobmff/mend/patched-source.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { readerOf } from '../support/engine.ts'

/** A `stsd` box with a plain entry, and a box of `type` behind it. */
function description(type: string): Uint8Array {
  const writer = new BoxWriter()
  writer.fullBox('stsd', 0, 0, () => {
    writer.u32(1)
    writer.box('amf0', () => writer.zeros(8))
    writer.box(type, () => writer.zeros(40))
  })
  return writer.bytes()
}

describe('sample entries', () => {
  it.each(['free', 'skip'])('are as many as they say where %s fills up the room behind them', (type) => {
    const bytes = description(type)
    const findings = new Findings()
    mendSampleDescription(new Patches(readerOf(bytes)), 0, bytes.length, 'data', findings)
    expect(findings.list).toEqual([])
  })

  it('are counted where another one lies behind', () => {
    const bytes = description('tx3g')
    const findings = new Findings()
    mendSampleDescription(new Patches(readerOf(bytes)), 0, bytes.length, 'data', findings)
    expect(findings.list.map(({ message }) => message)).toEqual(["count 1 of 'stsd' must be 2"])
  })
})
