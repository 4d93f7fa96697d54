import { describe, expect, it } from 'vitest'
import { elementaryStream } from '../../../../src/formats/isobmff/boxes/sample-entries.ts'
import { mendDescriptors } from '../../../../src/formats/isobmff/mend/descriptors.ts'
import { mendSampleDescription } from '../../../../src/formats/isobmff/mend/entries.ts'
import { Patches } from '../../../../src/formats/isobmff/mend/patched-source.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { BoxWriter } from '../../../../src/syntax/iso-boxes/box-writer.ts'
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

  it('keep a box that ends with theirs whatever it is called, though the one before it might reach as far with a bit turned', () => {
    const writer = new BoxWriter()
    writer.fullBox('stsd', 0, 0, () => {
      writer.u32(1)
      writer.box('avc1', () => {
        writer.zeros(78)
        writer.box('avcC', () => writer.zeros(37))
        writer.box('colr', () => writer.zeros(10))
        writer.box('\0\0\0\x99', () => {})
      })
    })
    const bytes = writer.bytes()
    const findings = new Findings()
    mendSampleDescription(new Patches(readerOf(bytes)), 0, bytes.length, 'vide', findings)
    expect(findings.list).toEqual([])
  })
})

describe('descriptors of an elementary stream', () => {
  const whole = elementaryStream(0x40, 5, Uint8Array.of(0x13, 0x90, 0x56, 0xe5, 0))

  function mended(bytes: Uint8Array): { bytes: Uint8Array; messages: string[] } {
    const findings = new Findings()
    const patches = new Patches(readerOf(bytes))
    mendDescriptors(patches, 4, bytes.length, findings)
    const after = patches.reader().bytes(0, bytes.length).slice()
    return { bytes: after, messages: findings.list.map(({ message }) => message) }
  }

  it('that fit each other are left as they are', () => {
    expect(mended(whole)).toEqual({ bytes: whole, messages: [] })
  })

  it('get a length back that reaches past the one it lies in', () => {
    const at = whole.indexOf(5, 30)
    for (const [byte, bit] of [
      [at + 1, 4],
      [at + 4, 6],
      [5, 0],
      [at - 17, 3],
    ]) {
      const hit = whole.slice()
      hit[byte] ^= 1 << bit
      const { bytes, messages } = mended(hit)
      expect(messages).toHaveLength(1)
      expect(bytes).toEqual(whole)
    }
  })

  it('get a tag back, and flags that no media file has set', () => {
    const [outer, flags, config] = [4, 4 + 5 + 2, 4 + 5 + 3]
    for (const byte of [outer, flags, config]) {
      for (const bit of [5, 6, 7]) {
        const hit = whole.slice()
        hit[byte] ^= 1 << bit
        const { bytes, messages } = mended(hit)
        expect(messages).toHaveLength(1)
        expect(bytes).toEqual(whole)
      }
    }
  })

  it('get a length back that leaves the rest to what looks like a descriptor of another kind', () => {
    const hit = whole.slice()
    const tag = whole.indexOf(5, 30)
    // the length's second byte ends it: what is left of it is tag and length of something unknown that fits
    hit[tag + 2] = 0
    const { bytes, messages } = mended(hit)
    expect(messages).toHaveLength(1)
    expect(bytes).toEqual(whole)
  })

  it('stay where no single bit explains them', () => {
    const hit = whole.slice()
    hit[5] ^= 1
    hit[whole.indexOf(5, 30) + 1] ^= 16
    expect(mended(hit)).toEqual({ bytes: hit, messages: [] })
  })
})
