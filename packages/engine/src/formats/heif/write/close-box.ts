import type { ByteReader } from '../../../bytes/reader.ts'
import { Splice } from '../../../bytes/splice.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'

const SIZE = 4
/** Bytes of size and type, behind which a size of 64 bits stands. */
const SHORT_HEADER = 8

/** A file whose last box ends with it: the box's size is that of what is there, ISO/IEC 14496-12:2022 §4.2.2. */
export function withClosedBox({ size }: ByteReader, { offset, form }: Box): Splice {
  const field = new DataView(new ArrayBuffer(form === '64' ? 8 : SIZE))
  if (form === '64') field.setBigUint64(0, BigInt(size - offset))
  else field.setUint32(0, size - offset)
  const at = form === '64' ? offset + SHORT_HEADER : offset
  const splice = new Splice()
  splice.copy(0, at)
  splice.bytes(new Uint8Array(field.buffer))
  splice.copy(at + field.byteLength, size - at - field.byteLength)
  return splice
}
