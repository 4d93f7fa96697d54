/** Identifiers of EBML, RFC 8794 §11.2 and §11.3. */
export const EBML = 0x1a45dfa3
export const DOC_TYPE = 0x4282
export const VOID = 0xec
export const CRC_32 = 0xbf

/** Identifiers of Matroska, RFC 9559 §5. */
export const SEGMENT = 0x18538067
export const SEEK_HEAD = 0x114d9b74
export const SEEK = 0x4dbb
export const SEEK_ID = 0x53ab
export const SEEK_POSITION = 0x53ac
export const INFO = 0x1549a966
export const TIMESTAMP_SCALE = 0x2ad7b1
export const DURATION = 0x4489
export const MUXING_APP = 0x4d80
export const WRITING_APP = 0x5741
export const TRACKS = 0x1654ae6b
export const CUES = 0x1c53bb6b
export const CUE_POINT = 0xbb
export const CUE_TIME = 0xb3
export const CUE_TRACK_POSITIONS = 0xb7
export const CUE_TRACK = 0xf7
export const CUE_CLUSTER_POSITION = 0xf1
export const CUE_RELATIVE_POSITION = 0xf0
export const CHAPTERS = 0x1043a770
export const TAGS = 0x1254c367
export const ATTACHMENTS = 0x1941a469
export const CLUSTER = 0x1f43b675
export const TIMESTAMP = 0xe7
export const SILENT_TRACKS = 0x5854
export const POSITION = 0xa7
export const PREV_SIZE = 0xab
export const SIMPLE_BLOCK = 0xa3
export const ENCRYPTED_BLOCK = 0xaf
export const BLOCK_GROUP = 0xa0
export const BLOCK = 0xa1
export const BLOCK_ADDITIONS = 0x75a1
export const BLOCK_DURATION = 0x9b
export const REFERENCE_BLOCK = 0xfb

export const TRACK_ENTRY = 0xae
export const TRACK_NUMBER = 0xd7
export const TRACK_UID = 0x73c5
export const TRACK_TYPE = 0x83
export const FLAG_LACING = 0x9c
export const DEFAULT_DURATION = 0x23e383
export const CODEC_ID = 0x86
export const CODEC_PRIVATE = 0x63a2
export const CODEC_DELAY = 0x56aa
export const SEEK_PRE_ROLL = 0x56bb
export const VIDEO = 0xe0
export const PIXEL_WIDTH = 0xb0
export const PIXEL_HEIGHT = 0xba
export const AUDIO = 0xe1
export const SAMPLING_FREQUENCY = 0xb5
export const OUTPUT_SAMPLING_FREQUENCY = 0x78b5
export const CHANNELS = 0x9f
export const BIT_DEPTH = 0x6264
export const CONTENT_ENCODINGS = 0x6d80
export const CONTENT_ENCODING = 0x6240
export const CONTENT_ENCODING_SCOPE = 0x5032
export const CONTENT_ENCODING_TYPE = 0x5033
export const CONTENT_COMPRESSION = 0x5034
export const CONTENT_COMP_ALGO = 0x4254
export const CONTENT_COMP_SETTINGS = 0x4255

/** Children of the Segment other than clusters. */
export const LEVEL_ONE: ReadonlySet<number> = new Set([
  SEEK_HEAD,
  INFO,
  TRACKS,
  CUES,
  CHAPTERS,
  TAGS,
  ATTACHMENTS,
])

/** What elements are called in messages. */
export const NAMES: Readonly<Record<number, string>> = {
  [EBML]: 'EBML header',
  [SEGMENT]: 'Segment',
  [SEEK_HEAD]: 'SeekHead',
  [INFO]: 'Info',
  [TRACKS]: 'Tracks',
  [CUES]: 'Cues',
  [CHAPTERS]: 'Chapters',
  [TAGS]: 'Tags',
  [ATTACHMENTS]: 'Attachments',
  [CLUSTER]: 'Cluster',
}

/**
 * What is stored beside pictures and sound. It is kept as it is where its parts fill it: a sum that does not hold tells of a
 * little of it.
 */
export const BESIDE: readonly number[] = [CHAPTERS, ATTACHMENTS, TAGS]
