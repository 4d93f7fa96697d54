import { inflateZlib } from '../../../bytes/deflate/inflate-zlib.ts'
import type { Limits } from '../../../bytes/limits.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, childOf, readBox, readChildren } from '../../../syntax/iso-boxes/box.ts'
import { compressedMovieBroken, unsupported } from '../findings.ts'

/** A movie box for itself, apart from the file whose samples it names. */
export interface OpenedMovie {
  readonly reader: ByteReader
  readonly box: Box
}

/** Bytes a movie box may inflate to: hours of tables take some megabytes, of which zlib saves less than nine tenths. */
const MOST_BYTES = 64 << 20
const LEAST_BOUND = 8 << 20
const MOST_TIMES = 64

/**
 * Opens a compressed movie box, QuickTime File Format, 'Compressed Movie Resources': `dcom` names the method, `cmvd` holds the
 * size and the compressed movie box. Of a stream that breaks off or is damaged, what comes before. Undefined when no box comes
 * out.
 */
export function openCompressedMovie(
  reader: ByteReader,
  cmov: Box,
  limits: Limits,
  findings: Findings,
): OpenedMovie | undefined {
  const { boxes } = readChildren(reader, bodyOf(cmov), cmov.end)
  const method = childOf(boxes, 'dcom')
  const data = childOf(boxes, 'cmvd')
  const named = method ? reader.fourcc(bodyOf(method)) : ''
  if (!data || (named !== 'zlib' && !looksLikeZlib(reader, data))) {
    findings.add(unsupported('cmov', cmov.offset, `compressed movie box (${named || 'of no method'})`))
    return undefined
  }
  const from = bodyOf(data) + SIZE_FIELD
  const source = reader.bytes(from, Math.max(0, data.end - from)).slice()
  const bound = Math.min(limits.structureBytes, MOST_BYTES, LEAST_BOUND + MOST_TIMES * source.length)
  const { bytes, end, checked } = inflateZlib(source, bound)
  const declared = reader.u32(bodyOf(data))
  if (end !== 'whole' || checked === false || bytes.length !== declared)
    findings.add(compressedMovieBroken(cmov.offset, cmov.end - cmov.offset, declared, bytes.length))
  const opened = new ByteReader(new MemorySource(bytes))
  const box = readBox(opened, 0, opened.size)
  return box?.type === 'moov' ? { reader: opened, box } : undefined
}

/** The size before compression. */
const SIZE_FIELD = 4

/** True when the data begin as a zlib stream does, RFC 1950 §2.2, whatever the method's name. */
function looksLikeZlib(reader: ByteReader, data: Box): boolean {
  const head = reader.u16(bodyOf(data) + SIZE_FIELD)
  return ((head >> 8) & 15) === 8 && head % 31 === 0
}
