import { describe, expect, it } from 'vitest'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose } from '../../../src/engine.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

/** A photo in the brief form: its type, and one box with its picture; of a main brand, and of one that it goes with. */
function brief(brand: string, other: string): Uint8Array {
  const letters = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
  const writer = new BoxWriter()
  writer.box('ftyp', () => writer.raw(letters(`${brand}\0\0\0\0${other}`)))
  writer.box('mini', () => writer.raw(Uint8Array.from({ length: 300 }, (_, i) => (i * 89 + (i >> 4)) & 255)))
  return writer.bytes().slice()
}

describe.each([
  ['mif3', 'avif'],
  ['mif3', 'heic'],
  ['avif', 'mif3'],
])('a photo in the brief form, of brand %s with %s', (brand, other) => {
  const damaged = brief(brand, other)

  it('is refused as what is not read, not as damaged', async () => {
    const { report } = await repairPhoto(damaged, 'heif')
    expect(report).toMatchObject({ format: 'heif', verdict: 'unrepairable' })
    expect(report.reason).toMatch(/brief form/)
    expect(report.findings).toMatchObject([{ code: 'heif.brief-form', severity: 'info' }])
  })

  it('needs no sample, which could not help', async () => {
    const { format, sample } = await diagnose({
      file: { source: new MemorySource(damaged), name: 'photo.heif' },
    })
    expect([format, sample]).toEqual(['heif', 'unneeded'])
  })
})
