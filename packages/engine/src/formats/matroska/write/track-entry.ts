import { element, float, text, unsigned } from '../../../syntax/ebml/write.ts'
import type { Deduced } from '../deduce/finding.ts'
import {
  AUDIO,
  BIT_DEPTH,
  CHANNELS,
  CODEC_DELAY,
  CODEC_ID,
  CODEC_PRIVATE,
  FLAG_LACING,
  PIXEL_HEIGHT,
  PIXEL_WIDTH,
  SAMPLING_FREQUENCY,
  SEEK_PRE_ROLL,
  TRACK_ENTRY,
  TRACK_NUMBER,
  TRACK_TYPE,
  TRACK_UID,
  VIDEO,
} from '../ids.ts'

const TYPES = { video: 1, audio: 2, text: 17 } as const

/** A TrackEntry, RFC 9559 §5.1.4.1, for a track that nothing but its frames describes. */
export function trackEntry(number: number, track: Deduced): Uint8Array {
  const { width, height, sampleRate, channels, bitDepth, codecPrivate, codecDelay, seekPreRoll } = track
  const parts = [
    unsigned(TRACK_NUMBER, number),
    unsigned(TRACK_UID, number),
    unsigned(TRACK_TYPE, TYPES[track.kind]),
    unsigned(FLAG_LACING, 1),
    text(CODEC_ID, track.codecId),
  ]
  if (codecPrivate && codecPrivate.length > 0) parts.push(element(CODEC_PRIVATE, codecPrivate))
  if (codecDelay) parts.push(unsigned(CODEC_DELAY, codecDelay))
  if (seekPreRoll) parts.push(unsigned(SEEK_PRE_ROLL, seekPreRoll))
  if (width && height)
    parts.push(element(VIDEO, unsigned(PIXEL_WIDTH, width), unsigned(PIXEL_HEIGHT, height)))
  if (sampleRate) {
    const depth = bitDepth ? [unsigned(BIT_DEPTH, bitDepth)] : []
    parts.push(
      element(AUDIO, float(SAMPLING_FREQUENCY, sampleRate), unsigned(CHANNELS, channels ?? 2), ...depth),
    )
  }
  return element(TRACK_ENTRY, ...parts)
}
