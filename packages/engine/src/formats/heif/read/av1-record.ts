import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type InBandSequence, inBandSequences } from '../../../codecs/av1/configuration.ts'

/** Bytes at a picture's start in which its sequence header stands. */
const HEAD = 512

/** The same where the header stands first, or behind a delimiter: there it is believed of a picture of a few pixels, too. */
const FIRST = 80

/** What the sequence header of a picture says, as the record that decoders are set up with. */
export function sequenceOf(reader: ByteReader, { offset, length }: Region): InBandSequence | undefined {
  const within = (bytes: number): Region => ({ offset, length: Math.min(length, bytes) })
  return inBandSequences(reader, [within(HEAD)])[0] ?? inBandSequences(reader, [within(FIRST)], 1)[0]
}

/**
 * Bits of a channel and number of channels, by the third byte of an `av1C` record: AV1 Codec ISO Media File Format Binding
 * §2.3.3.
 */
export function channelsOf(config: Uint8Array): { readonly depth: number; readonly channels: number } {
  const flags = config[2]
  return { depth: flags & HIGH ? (flags & TWELVE ? 12 : 10) : 8, channels: flags & MONO ? 1 : 3 }
}

const [HIGH, TWELVE, MONO] = [0x40, 0x20, 0x10]
