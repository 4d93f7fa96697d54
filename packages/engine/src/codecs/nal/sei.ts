/** Payload types, ITU-T H.264 (08/2021) Annex D. */
const SEI_RECOVERY_POINT = 6

/** What one SEI NAL unit said. */
export interface SeiSummary {
  /** Messages fill the unit exactly and the trailing bits are right. */
  exact: boolean
  /** The messages that were seen looked like messages. */
  plausible: boolean
  /** recovery_frame_cnt of a recovery point message, or -1. */
  recoveryFrames: number
  /** Messages that were walked over. */
  messages: number
}

/**
 * Walks the messages of an SEI NAL unit (§7.3.2.3.1) in unescaped bytes, `headerBytes` of NAL unit header in front. When `whole`
 * is false the bytes are only its beginning. Shared by H.264 and H.265, whose syntax is the same here.
 */
export function readSei(
  bytes: Uint8Array,
  length: number,
  headerBytes: number,
  whole: boolean,
  into: SeiSummary,
): void {
  into.exact = false
  into.plausible = false
  into.recoveryFrames = -1
  into.messages = 0
  let at = headerBytes
  while (at < length) {
    if (whole && bytes[at] === 0x80 && at === length - 1) {
      into.exact = at > headerBytes
      into.plausible = into.exact
      return
    }
    into.messages++
    let type = 0
    while (at < length && bytes[at] === 0xff) {
      type += 255
      at++
    }
    type += bytes[at++] ?? 0
    let size = 0
    while (at < length && bytes[at] === 0xff) {
      size += 255
      at++
    }
    size += bytes[at++] ?? 0
    if (whole && at + size > length) return
    if (type > MAX_PAYLOAD_TYPE) return
    if (type === SEI_RECOVERY_POINT && headerBytes === 1 && size > 0 && at < length) {
      into.recoveryFrames = leadingUe(bytes, at)
    }
    at += size
  }
  // Some encoders leave out the trailing bits.
  into.plausible = true
}

/** Past the highest assigned payload type (ITU-T H.274) with room for what comes. */
const MAX_PAYLOAD_TYPE = 255

function leadingUe(bytes: Uint8Array, at: number): number {
  const word =
    ((bytes[at] << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) >>>
    0
  const zeros = Math.clz32(word)
  if (zeros > 15) return -1
  return (word >>> (31 - 2 * zeros)) - 1
}
