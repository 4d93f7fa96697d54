import { describe, expect, it } from 'vitest'
import { headZeroed, truncated } from '../../src/bytes/damage.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { cr3 } from '../../src/formats/cr3/index.ts'
import { crw } from '../../src/formats/crw/index.ts'
import { mrw } from '../../src/formats/mrw/index.ts'
import { x3f } from '../../src/formats/x3f/index.ts'
import { withoutPersonal } from '../../src/formats/x3f/properties.ts'
import { photoPair, placeOf, repairPhoto } from '../../testing/photos/repair-photo.ts'

const text = (letters: string): Uint8Array => new TextEncoder().encode(letters)

function wide(letters: string): Uint8Array {
  return Uint8Array.from(Buffer.from(letters, 'utf16le'))
}

/** When the sample was recorded, as a number of seconds in 32 bits. */
const SECONDS = Uint8Array.of(0x01, 0xf1, 0x53, 0x65)

describe('a repair that takes a head from a sample tells nothing of its own', () => {
  it.each([
    ['cr3', photoPair(cr3, 'eos'), headZeroed, 2_700, ['2026:01:02', 'owner 1'].map(text)],
    ['mrw', photoPair(mrw, 'dimage'), headZeroed, 1_400, [text('2026:01:02')]],
    ['crw', photoPair(crw, 'powershot'), truncated, 0.7, [SECONDS]],
  ] as const)('%s', async (extension, { bytes, sample }, damage, much, secrets) => {
    const result = await repairPhoto(damage(bytes, much), extension, sample)
    expect(result.report.sample?.used).toContain('metadata')
    for (const secret of secrets) {
      expect(placeOf(sample, secret)).toBeGreaterThanOrEqual(0)
      expect(placeOf(result.bytes, secret)).toBe(-1)
    }
  })

  it('x3f', async () => {
    const { bytes, sample } = photoPair(x3f, 'foveon')
    const result = await repairPhoto(headZeroed(bytes, 40), 'x3f', sample)
    expect(result.bytes.subarray(8, 24)).toEqual(new Uint8Array(16))
  })

  it('x3f, whose properties stay but for those', () => {
    const texts = ['CAMMODEL', 'DP1', 'TIME', '1700000001']
    const starts = texts.map((_, i) => texts.slice(0, i).reduce((sum, each) => sum + each.length + 1, 0))
    const head = new Uint32Array([0, 0x0002_0000, 2, 0, 0, 0, ...starts])
    const section = Buffer.concat([Buffer.from(head.buffer), ...texts.map((each) => wide(`${each}\0`))])
    const reader = new ByteReader(new MemorySource(Uint8Array.from(section)))
    const kept = withoutPersonal(reader, { type: 'PROP', sign: 'SECp', offset: 0, length: section.length })
    expect([placeOf(kept, wide('CAMMODEL')) > 0, placeOf(kept, wide('DP1')) > 0]).toEqual([true, true])
    expect(placeOf(kept, wide('TIME'))).toBeGreaterThan(0)
    expect(placeOf(kept, wide('17'))).toBe(-1)
    expect(kept.length).toBe(section.length)
  })
})
