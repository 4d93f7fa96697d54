import { readLeb128 } from '../leb128.ts'
import { AUDIO_ELEMENT, CODEC_CONFIG, readObu } from './obu.ts'

/** What an IA sequence's descriptors tell of its temporal units. */
export interface IaDescriptors {
  /** Samples of every audio frame. */
  readonly frameSamples: number
  /** One frame of each is in every temporal unit. */
  readonly substreams: ReadonlySet<number>
}

/** Substreams of an IA sequence at most: far above what the profiles allow (28). */
const MOST_SUBSTREAMS = 256
const MOST_FRAME_SAMPLES = 1 << 16
const CODEC_ID_BYTES = 4

/**
 * Reads the body of an `iacb` box (IAMF v1.1.0 §6.2.3): a version, the descriptors' bytes, and the descriptors (§3.5, §3.6).
 * Undefined where they are cut off, or name no frame or substream.
 */
export function parseDescriptors(record: Uint8Array): IaDescriptors | undefined {
  const byteAt = (at: number): number => record[at]
  const size = readLeb128(byteAt, 1, record.length)
  const end = 1 + size.bytes + size.value
  if (size.bytes === 0 || end > record.length) return undefined
  let frameSamples = 0
  const substreams = new Set<number>()
  for (let at = 1 + size.bytes; at < end; ) {
    const obu = readObu(byteAt, at, end)
    if (obu === undefined) return undefined
    let place = obu.payload
    const number = (): number => {
      const { value, bytes } = readLeb128(byteAt, place, obu.end)
      place = bytes > 0 ? place + bytes : obu.end
      return value
    }
    if (obu.type === CODEC_CONFIG) {
      number()
      place += CODEC_ID_BYTES
      frameSamples = number()
    } else if (obu.type === AUDIO_ELEMENT) {
      number()
      // its kind
      place++
      number()
      const count = number()
      for (let i = 0; i < count && place < obu.end && substreams.size < MOST_SUBSTREAMS; i++)
        substreams.add(number())
    }
    at = obu.end
  }
  if (frameSamples === 0 || frameSamples > MOST_FRAME_SAMPLES || substreams.size === 0) return undefined
  return { frameSamples, substreams }
}
