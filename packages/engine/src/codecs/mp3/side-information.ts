import { BitReader } from '../../bytes/bit-reader.ts'
import type { MpegAudioHeader } from './header.ts'

/** Most pairs of big values: 576 spectral lines by two. */
const MOST_BIG_VALUES = 288
/** Evidence of one granule's big_values staying in range: 289 of 512 values do. */
const BIG_VALUES_BITS = 0.8

const bits = new BitReader(new Uint8Array(0))

/** Bytes of Layer III side information, ISO/IEC 11172-3:1993 §2.4.1.7 and ISO/IEC 13818-3:1998 §2.4.1.7. */
export function sideInformationBytes(header: MpegAudioHeader): number {
  if (header.version === 1) return header.channels === 1 ? 17 : 32
  return header.channels === 1 ? 9 : 17
}

/** Bytes in front of the frame at `at` in which its main data begins: the first bits of its side information, as above. */
export function mainDataBegin(header: MpegAudioHeader, bytes: Uint8Array, at: number): number {
  const start = at + (header.protected ? 6 : 4)
  return header.version === 1 ? (bytes[start] << 1) | (bytes[start + 1] >> 7) : bytes[start]
}

/**
 * Checks the side information of a Layer III frame that starts with `frame`. Returns bits of evidence, or -1 when it is
 * impossible: spectra beyond the band limit, a window switch to the normal window, more main data than reservoir and
 * frame can hold.
 */
export function checkSideInformation(header: MpegAudioHeader, frame: Uint8Array): number {
  const lsf = header.version !== 1
  const start = header.protected ? 6 : 4
  bits.reset(frame, start * 8)
  const reservoir = bits.bits(lsf ? 8 : 9)
  if (lsf) bits.skip(header.channels === 1 ? 1 : 2)
  else bits.skip((header.channels === 1 ? 5 : 3) + header.channels * 4)
  const granules = lsf ? 1 : 2
  let mainBits = 0
  let evidence = 0
  for (let part = granules * header.channels; part > 0; part--) {
    mainBits += bits.bits(12)
    if (bits.bits(9) > MOST_BIG_VALUES) return -1
    evidence += BIG_VALUES_BITS
    bits.skip(8 + (lsf ? 9 : 4))
    if (bits.bit()) {
      // block_type 0 has no place behind window_switching_flag.
      if (bits.bits(2) === 0) return -1
      bits.skip(20)
    } else bits.skip(22)
    bits.skip(lsf ? 2 : 3)
  }
  const room = (reservoir + header.length - start - sideInformationBytes(header)) * 8
  return mainBits <= room && !bits.overrun ? evidence : -1
}
