/** What one channel's residuals depend on, from cookie and element header. */
export interface ResidualCode {
  readonly samples: number
  /** Bits of a residual too large for the code. */
  readonly sampleBits: number
  readonly historyMultiplier: number
  readonly initialHistory: number
  readonly riceLimit: number
}

/** Ones that announce a number written out. */
const ESCAPE_PREFIX = 9
const RUN_BITS = 16
/** History is kept in 1/512. */
const HISTORY_SHIFT = 9
/** Numbers above this set the history instead of moving it. */
const MAX_NUMBER = 0xffff
/** Histories below this announce a run of zeros. */
const RUN_HISTORY = 128

/** Bytes behind the data that `skipResiduals` may look at. */
export const RESIDUAL_SLACK = 16

let at = 0

/**
 * Skips the residuals of one channel, which are coded with an adaptive Golomb-Rice code whose parameter follows the
 * magnitude of what came before, with runs of zeros. Returns the bit position behind them, or -1 when `end` comes first or a run
 * leaves the frame.
 */
export function skipResiduals(bytes: Uint8Array, position: number, end: number, code: ResidualCode): number {
  const { samples, sampleBits, historyMultiplier, riceLimit } = code
  at = position
  let history = code.initialHistory
  let afterRun = 0
  for (let sample = 0; sample < samples; sample++) {
    if (at >= end) return -1
    const k = Math.min(31 - Math.clz32((history >>> HISTORY_SHIFT) + 3), riceLimit)
    const number = takeNumber(bytes, k, sampleBits)
    if (number > MAX_NUMBER) history = MAX_NUMBER
    else {
      const decay = (Math.imul(historyMultiplier, history) >>> 0) >>> HISTORY_SHIFT
      history = (history + historyMultiplier * (number + afterRun) - decay) >>> 0
    }
    afterRun = 0
    if (history < RUN_HISTORY && sample + 1 < samples) {
      const runK = Math.min(Math.clz32(history) - 24 + ((history + 16) >> 6), riceLimit)
      const run = takeNumber(bytes, runK, RUN_BITS)
      if (sample + 1 + run > samples) return -1
      sample += run
      if (run < MAX_NUMBER) afterRun = 1
      history = 0
    }
  }
  return at <= end ? at : -1
}

/** One number: a unary prefix, then k bits of which the last is left out for the two smallest values. */
function takeNumber(bytes: Uint8Array, k: number, escapeBits: number): number {
  const byte = at >>> 3
  const window =
    ((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) << (at & 7)
  const prefix = Math.clz32(~window)
  if (prefix >= ESCAPE_PREFIX) {
    at += ESCAPE_PREFIX
    return takeBits(bytes, escapeBits)
  }
  at += prefix + 1
  if (k === 1) return prefix
  const suffix = takeBits(bytes, k)
  const number = prefix * ((1 << k) - 1)
  if (suffix >= 2) return number + suffix - 1
  at--
  return number
}

/** `count` bits, up to 32. */
function takeBits(bytes: Uint8Array, count: number): number {
  const byte = at >>> 3
  const shift = at & 7
  at += count
  const high =
    ((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) << shift
  if (count + shift <= 32) return high >>> (32 - count)
  return (high | (bytes[byte + 4] >> (8 - shift))) >>> (32 - count)
}
