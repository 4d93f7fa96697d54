import { LimitError } from '../model/errors.ts'
import type { Limits } from './limits.ts'
import type { ByteReader } from './reader.ts'

/** All bytes of a file, for formats whose files fit into memory. @throws LimitError for larger ones, EnvironmentError */
export function readWhole({ size, source }: ByteReader, limits: Limits): Uint8Array {
  if (size > limits.structureBytes) throw new LimitError('the file is too large')
  const bytes = new Uint8Array(size)
  return bytes.subarray(0, source.read(0, bytes))
}
