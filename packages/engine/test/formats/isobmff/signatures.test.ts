import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { type ByteSource, MemorySource } from '../../../src/bytes/source.ts'
import { SignatureScanner } from '../../../src/formats/isobmff/read/scan.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SearchingSource } from '../../../testing/searching-source.ts'

const LENGTH = 20_000
const CODES = ['moov', 'moof', 'trak']

/**
 * The codes that are told, each with its place, where the search goes on `skip` bytes behind each one; it ends with the one
 * numbered `last`.
 */
async function told(source: ByteSource, skip: number, last: number): Promise<readonly string[]> {
  const codes: string[] = []
  await new SignatureScanner(CODES).scan(new ByteReader(source), 3, LENGTH - 5, SILENT, (offset, type) => {
    codes.push(`${type} ${offset}`)
    return codes.length > last ? -1 : offset + skip
  })
  return codes
}

const text = fc.constantFrom(...CODES, 'moo', 'oov', 'tra', 'mootrak', 'trakmoov', 'mooftrakmoov')

it('codes are told in their order wherever they stand, by our search and the one of the environment', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(LENGTH - 20), text), { maxLength: 200 }),
      fc.constantFrom(1, 4, 1000, 9000),
      fc.nat(300),
      async (places, skip, last) => {
        const bytes = new Uint8Array(LENGTH).fill(0x6d)
        for (const [at, word] of places) bytes.set(Buffer.from(word), at)
        const own = await told(new MemorySource(bytes), skip, last)
        const source = new SearchingSource(bytes)
        expect(await told(source, skip, last)).toEqual(own)
        expect(source.calls).toBeGreaterThan(0)
        const all = [
          ...Buffer.from(bytes)
            .toString('latin1')
            .matchAll(/(?=(moov|moof|trak))./g),
        ]
        const within = all.filter(({ index }) => index >= 3 && index + 4 <= LENGTH - 5)
        if (skip === 1)
          expect(own).toEqual(within.slice(0, last + 1).map(({ 1: code, index }) => `${code} ${index}`))
      },
    ),
  ))

it('codes that stand one behind the other are not sought with a call each', async () => {
  const source = new SearchingSource(Buffer.from('moof'.repeat(LENGTH / 4)))
  expect(await told(source, 1, LENGTH)).toHaveLength(LENGTH / 4 - 3)
  expect(source.calls).toBeLessThan(200)
})
