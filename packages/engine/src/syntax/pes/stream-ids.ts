/** Values of stream_id, ISO/IEC 13818-1:2022 Table 2-22. */
export const PROGRAM_STREAM_MAP = 0xbc
export const PRIVATE_1 = 0xbd
export const PADDING = 0xbe
export const PRIVATE_2 = 0xbf
export const EXTENDED = 0xfd
export const PROGRAM_STREAM_DIRECTORY = 0xff

/** MPEG audio, 0xc0 to 0xdf. */
export function isAudioId(id: number): boolean {
  return id >> 5 === 6
}

/** MPEG, H.264 and HEVC video, 0xe0 to 0xef. */
export function isVideoId(id: number): boolean {
  return id >> 4 === 0xe
}

/** Streams whose packets carry nothing between packet_length and payload, §2.4.3.7. */
const BARE: ReadonlySet<number> = new Set([
  PROGRAM_STREAM_MAP,
  PADDING,
  PRIVATE_2,
  0xf0,
  0xf1,
  0xf2,
  0xf8,
  PROGRAM_STREAM_DIRECTORY,
])

export function isBare(id: number): boolean {
  return BARE.has(id)
}

/** Ids that a packet of a program or transport stream may have. */
export function isStreamId(id: number): boolean {
  return id >= PROGRAM_STREAM_MAP
}
