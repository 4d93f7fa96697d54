/** Opus counts time in 48 kHz whatever it codes, RFC 6716 §2. */
export const OPUS_RATE = 48_000
/** Longest packet: 120 ms, RFC 6716 §3.4 [R5]. */
const MOST_SAMPLES = 5760
/** Largest frame, §3.4 [R2]. */
const MOST_FRAME_BYTES = 1275

/** Samples at 48 kHz of one frame by configuration number, Table 2. */
const FRAME_SAMPLES = Array.from({ length: 32 }, (_, config) => {
  if (config < 12) return [480, 960, 1920, 2880][config & 3]
  if (config < 16) return [480, 960][config & 1]
  return [120, 240, 480, 960][config & 3]
})

/**
 * First bytes that differ from this one in mode and bandwidth alone, RFC 6716 §3.1: encoders change those from packet to packet,
 * by what there is to hear; the frame's length, its channels and the number of frames are settings.
 */
export function otherModes(first: number): readonly number[] {
  const config = first >> 3
  return FRAME_SAMPLES.flatMap((samples, other) =>
    samples === FRAME_SAMPLES[config] && other !== config ? [(other << 3) | (first & 7)] : [],
  )
}

/**
 * Samples at 48 kHz that `bytes`, taken as one whole packet, hold; 0 when the rules of RFC 6716 §3.4 rule such a packet out.
 * Nothing in a packet says where it ends: most lengths pass.
 */
export function packetSamples(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0
  const frame = FRAME_SAMPLES[bytes[0] >> 3]
  const rest = bytes.length - 1
  switch (bytes[0] & 3) {
    case 0:
      return rest <= MOST_FRAME_BYTES ? frame : 0
    case 1:
      return rest % 2 === 0 && rest / 2 <= MOST_FRAME_BYTES ? frame * 2 : 0
    case 2:
      return twoFrames(bytes) ? frame * 2 : 0
    default:
      return severalFrames(bytes, frame)
  }
}

/**
 * The same for a packet of several streams (more than two channels, RFC 7845 §5.1.1): its first stream tells the duration,
 * and where its frames end is not looked into.
 */
export function multistreamSamples(bytes: Uint8Array): number {
  if (bytes.length < 2) return 0
  const frame = FRAME_SAMPLES[bytes[0] >> 3]
  const code = bytes[0] & 3
  const count = code === 3 ? bytes[1] & 63 : code === 0 ? 1 : 2
  return count * frame <= MOST_SAMPLES ? count * frame : 0
}

/** Code 2: the first frame's length stands in front of it. */
function twoFrames(bytes: Uint8Array): boolean {
  const size = frameSize(bytes, 1, bytes.length)
  if (size < 0) return false
  const second = bytes.length - 1 - sizeBytes(size) - size
  return second >= 0 && second <= MOST_FRAME_BYTES
}

/** Code 3: a count byte, padding, and with a variable bit rate a length for each frame but the last. */
function severalFrames(bytes: Uint8Array, frame: number): number {
  if (bytes.length < 2) return 0
  const count = bytes[1] & 63
  if (count === 0 || count * frame > MOST_SAMPLES) return 0
  let at = 2
  let end = bytes.length
  if (bytes[1] & 0x40) {
    let value = 255
    while (value === 255) {
      if (at >= bytes.length) return 0
      value = bytes[at++]
      end -= value === 255 ? 254 : value
    }
  }
  if (end < at) return 0
  if ((bytes[1] & 0x80) === 0) {
    const each = (end - at) / count
    return Number.isInteger(each) && each <= MOST_FRAME_BYTES ? frame * count : 0
  }
  let sizes = 0
  for (let index = 1; index < count; index++) {
    const size = frameSize(bytes, at, end)
    if (size < 0) return 0
    at += sizeBytes(size)
    sizes += size
  }
  const last = end - at - sizes
  return last >= 0 && last <= MOST_FRAME_BYTES ? frame * count : 0
}

/** A frame length of one or two bytes, §3.2.1; -1 when it is cut off. */
function frameSize(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1
  if (bytes[at] < 252) return bytes[at]
  return at + 1 < end ? bytes[at + 1] * 4 + bytes[at] : -1
}

function sizeBytes(size: number): number {
  return size < 252 ? 1 : 2
}
