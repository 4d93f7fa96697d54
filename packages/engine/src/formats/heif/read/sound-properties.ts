import type { ByteReader } from '../../../bytes/reader.ts'
import { isWholeHvcC, parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { type Box, bodyOf, isCut } from '../../../syntax/iso-boxes/box.ts'

/** Longest property that is looked into. */
const MOST_BYTES = 1 << 24
const FULL = 4

/**
 * What a property's body must be, by its type: ISO/IEC 23008-12:2022 §6.5, ISO/IEC 14496-12:2022 §12.1.5, ISO/IEC 14496-15:2022
 * §8.3.2, AV1 Codec ISO Media File Format Binding §2.3.3.
 */
const CHECKS: Readonly<Record<string, (body: Uint8Array) => boolean>> = {
  hvcC: (body) => isWholeHvcC(body) && (parseHvcC(body)?.sps.length ?? 0) > 0,
  // marker and version
  av1C: (body) => body.length >= 4 && body[0] === 0x81,
  ispe: (body) => body.length >= 12 && isPlain(body) && u32(body, FULL) > 0 && u32(body, FULL + 4) > 0,
  irot: ([turn]) => turn < 4,
  imir: ([axis]) => axis < 2,
  pixi: isDepths,
  colr: isColours,
  auxC: (body) => isPlain(body) && isName(body.subarray(FULL)),
}

/** Whether a property holds what its type can; what is not known is taken for sound. */
export function isSound(reader: ByteReader, box: Box): boolean {
  const check = CHECKS[box.type]
  if (!check || isCut(box) || box.size > MOST_BYTES) return true
  return check(reader.bytes(bodyOf(box), box.end - bodyOf(box)))
}

/** Version 0 without flags. */
function isPlain(body: Uint8Array): boolean {
  return u32(body, 0) === 0
}

/** One number of bits for each channel. */
function isDepths(body: Uint8Array): boolean {
  const count = body[FULL]
  const depths = body.subarray(FULL + 1, FULL + 1 + count)
  return count > 0 && depths.length === count && depths.every((bits) => bits > 0 && bits <= 32)
}

/** A name in printable characters, such as a URN, up to its zero. */
function isName(text: Uint8Array): boolean {
  const end = text.indexOf(0)
  return end !== 0 && (end < 0 ? text : text.subarray(0, end)).every((byte) => byte > 0x20 && byte < 0x7f)
}

/** Bytes of an ICC profile's header, one of its tags in the table behind it, and where its signature stands: ICC.1:2022 §7. */
const [ICC_HEADER, ICC_TAG, ICC_SIGNATURE] = [128, 12, 36]
const ACSP = 0x61637370
const [NCLX, RICC, PROF] = [0x6e636c78, 0x72494343, 0x70726f66]

function isColours(body: Uint8Array): boolean {
  const kind = u32(body, 0)
  // three code points, and the full range flag with seven reserved bits
  if (kind === NCLX) return body.length >= 11 && (body[10] & 0x7f) === 0
  // a profile without bytes stands for none
  if (kind === RICC || kind === PROF) return body.length === 4 || isProfile(body.subarray(4))
  // other kinds, such as QuickTime's 'nclc', are known by their names alone
  return body.length > 4 && isName(body.subarray(0, 4))
}

/** A profile whose tags lie in it, each with a type: ICC.1:2022 §7.2, §7.3. */
function isProfile(profile: Uint8Array): boolean {
  if (profile.length < ICC_HEADER + 4 || u32(profile, ICC_SIGNATURE) !== ACSP) return false
  const count = u32(profile, ICC_HEADER)
  const table = ICC_HEADER + 4
  if (table + count * ICC_TAG > profile.length) return false
  for (let at = table; at < table + count * ICC_TAG; at += ICC_TAG) {
    const offset = u32(profile, at + 4)
    if (offset + u32(profile, at + 8) > profile.length || u32(profile, offset) === 0) return false
  }
  return true
}

function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at] * 2 ** 24 + (bytes[at + 1] << 16) + (bytes[at + 2] << 8) + bytes[at + 3]) >>> 0
}
