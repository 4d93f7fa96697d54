import type { ByteReader } from '../../../bytes/reader.ts'

/** Insta360 cameras end their files with 32 characters that mark their own trailer. */
const INSTA360 = '8db42d694ccc418790edff439fe026bf'

/** Names the maker's data that some cameras append after the last box, or undefined when it is none known. */
export function trailerName(reader: ByteReader, offset: number): string | undefined {
  const size = reader.size
  if (size - offset >= 8 && reader.fourcc(size - 4) === 'SEFT') return 'Samsung trailer'
  if (size - offset >= 32) {
    const text = String.fromCharCode(...reader.bytes(size - 32, 32))
    if (text === INSTA360) return 'Insta360 trailer'
  }
  return undefined
}
