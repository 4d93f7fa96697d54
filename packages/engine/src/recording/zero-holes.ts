import type { ByteReader } from '../bytes/reader.ts'
import { zerosEnd } from '../bytes/zeros.ts'
import type { Finding, Findings } from '../model/finding.ts'

/** Zeros in the middle of a coded picture that no encoder writes. */
export const ZERO_HOLE = 512

/**
 * Adds what [from, to) is that belongs to nothing in its container: where it begins with as many zeros as no encoder writes, a
 * stretch that was overwritten with them, and what stands behind them as foreign bytes.
 * @param codes of the findings of zeros and of foreign bytes
 */
export function addForeign(
  findings: Findings,
  reader: ByteReader,
  [from, to]: readonly [from: number, to: number],
  codes: { readonly zeros: string; readonly foreign: string },
  foreign: (offset: number, length: number) => Finding,
): void {
  const end = zerosEnd(reader, from, to)
  const start = end - from < ZERO_HOLE ? from : end
  if (start > from) {
    const length = start - from
    const message = `${length} zero bytes where packets or pictures have to stand`
    findings.add({ code: codes.zeros, severity: 'error', message, offset: from, length })
  }
  if (start < to && !findings.countMore(codes.foreign)) findings.add(foreign(start, to - start))
}

/** Codecs whose entropy coding leaves no long runs of zeros inside a picture, but as stuffing. */
const DENSE: ReadonlySet<string> = new Set([
  ...['prores', 'dnxhd', 'mpeg4', 'h263', 'mpeg2video', 'av1', 'vp8', 'vp9'],
])

/** Whether `hasZeroHole` tells of a codec's pictures that they were hit. */
export function isDense(codec: string): boolean {
  return DENSE.has(codec)
}

/** The last bytes of a VC-3 frame, its end-of-frame signature in SMPTE ST 2019-1:2016. */
const END_OF_FRAME = 0x600d_c0de

/**
 * True when [offset, offset + size) holds `ZERO_HOLE` zero bytes in a row that are neither its end (padding) nor stuffing: in
 * front of a start code, ISO/IEC 13818-2 §5.2.3, or of the end of a VC-3 frame.
 */
export function hasZeroHole(reader: ByteReader, offset: number, size: number): boolean {
  const end = Math.min(offset + size, reader.size)
  const step = ZERO_HOLE >> 1
  for (let at = offset + step; at < end; at += step) {
    if (reader.u8(at) !== 0) continue
    let from = at
    while (from > offset && reader.u8(from - 1) === 0) from--
    let to = at + 1
    while (to < end && reader.u8(to) === 0) to++
    if (to - from >= ZERO_HOLE && to < end && reader.u8(to) !== 1 && reader.u32(to) !== END_OF_FRAME)
      return true
    at = Math.max(at, to - step)
  }
  return false
}
