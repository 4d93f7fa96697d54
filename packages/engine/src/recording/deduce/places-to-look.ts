import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { isZero } from '../../bytes/zeros.ts'

/** Zero bytes at the start of a piece of payload that make it no place to begin. */
const PROBE = 4096

/**
 * The first `bytes` of payload that are not zeros: where drafts are tried. Stretches of zeros are passed over in steps of
 * `PROBE`, at most one look a step.
 */
export function firstPayload(reader: ByteReader, payload: readonly Region[], bytes: number): Region[] {
  const taken: Region[] = []
  let left = bytes
  for (const region of payload) {
    const end = region.offset + region.length
    let at = region.offset
    while (at < end && left > 0) {
      while (at < end && isBlank(reader, at, end)) at += PROBE
      if (at >= end) break
      let until = at
      while (until < end && until - at < left && !isBlank(reader, until, end)) until += PROBE
      until = Math.min(until, end, at + left)
      // small islands between zeros are no recording; small regions are, of fragments
      const whole = until - at === region.length
      if (until - at > PROBE || whole || taken.length === 0) {
        taken.push({ offset: at, length: until - at })
        left -= until - at
      }
      at = until
    }
    if (left <= 0) break
  }
  return taken
}

function isBlank(reader: ByteReader, at: number, end: number): boolean {
  return isZero(reader, at, Math.min(at + PROBE, end))
}

/** Pieces of `length` bytes spread evenly over the payload, beside its beginning: sets repeat at key pictures. */
export function spreadPayload(payload: readonly Region[], pieces: number, length: number): Region[] {
  const total = payload.reduce((sum, region) => sum + region.length, 0)
  const spread: Region[] = []
  for (let piece = 1; piece <= pieces; piece++) {
    let skip = Math.floor((total * piece) / (pieces + 1))
    for (const region of payload) {
      if (skip >= region.length) {
        skip -= region.length
        continue
      }
      spread.push({ offset: region.offset + skip, length: Math.min(length, region.length - skip) })
      break
    }
  }
  return spread
}
