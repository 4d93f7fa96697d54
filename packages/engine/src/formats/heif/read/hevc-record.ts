/** Bits of a channel and number of channels, by an `hvcC` record: ISO/IEC 14496-15:2022 §8.3.2. */
export function hevcChannelsOf(config: Uint8Array): { readonly depth: number; readonly channels: number } {
  return { depth: 8 + (config[DEPTH] & 7), channels: config[CHROMA] & 3 ? 3 : 1 }
}

/** Where a record tells of bits beyond eight, and of colour. */
const [DEPTH, CHROMA] = [17, 16]
