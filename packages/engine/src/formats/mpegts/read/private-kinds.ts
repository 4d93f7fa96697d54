/** Header of a PES packet of PCM: bytes of sound behind it, channels and rate, bits a sample. */
const PCM_HEADER = 4
const PCM_CHANNELS = 11
const PCM_RATES: ReadonlySet<number> = new Set([1, 4, 5])
/** Types of segments of presentation graphics: palette, object, composition, windows, end. */
const SEGMENTS: ReadonlySet<number> = new Set([0x14, 0x15, 0x16, 0x17, 0x80])
const SEGMENT_HEADER = 3
/** Where format_sync of a major sync of TrueHD stands in an access unit, and its value. */
const SYNC_AT = 4
const MAJOR_SYNC = [0xf8, 0x72, 0x6f, 0xba]

/** data_identifier of teletext, its high bits, and data_unit_length: EN 300 472 §4. */
const TELETEXT = 1
const TELETEXT_UNIT = 0x2c
/** data_identifier and subtitle_stream_id of subtitles, and sync_byte of a segment: EN 300 743 §7.1, §7.2.1. */
const SUBTITLE = [0x20, 0, 0x0f]
const PAGE_AT = 4

/**
 * What a PES packet of private data holds in a syntax of its own, and how its codec is called: of Blu-ray discs and AVCHD (BD-ROM
 * Part 3 §3), and text of broadcasts. `size` of its bytes are in the file, `bytes` are the first. Undefined where it is none of
 * those.
 */
export function sniffPrivate(bytes: Uint8Array, size: number): string | undefined {
  if (MAJOR_SYNC.every((byte, i) => bytes[SYNC_AT + i] === byte)) return 'truehd'
  const isPcm = bytes.length >= PCM_HEADER && wordAt(bytes, 0) + PCM_HEADER === size && isPcmForm(bytes)
  if (isPcm) return 'pcm-bluray'
  const isSegment = bytes.length >= SEGMENT_HEADER && SEGMENTS.has(bytes[0])
  if (isSegment && wordAt(bytes, 1) + SEGMENT_HEADER === size) return 'pgs'
  if (bytes.length > PAGE_AT + 1 && SUBTITLE.every((byte, i) => bytes[i] === byte)) return 'dvb-subtitle'
  const isTeletext = bytes[0] >> 4 === TELETEXT && bytes[2] === TELETEXT_UNIT
  return isTeletext && size % (TELETEXT_UNIT + 2) === 1 ? 'teletext' : undefined
}

/** Descriptors without which nothing reads text of broadcasts, in an unknown language: EN 300 468 §6.2.41 and §6.2.43. */
export function descriptorsFor(codec: string, bytes: Uint8Array): Uint8Array {
  const unknown = [0x75, 0x6e, 0x64]
  const page = [...bytes.subarray(PAGE_AT, PAGE_AT + 2)]
  if (codec === 'dvb-subtitle') return Uint8Array.of(0x59, 8, ...unknown, 0x10, ...page, ...page)
  return codec === 'teletext' ? Uint8Array.of(0x56, 5, ...unknown, 0x09, 0) : new Uint8Array(0)
}

/** Whether channels, rate and bits are some that discs have. */
function isPcmForm(bytes: Uint8Array): boolean {
  const channels = bytes[2] >> 4
  return channels > 0 && channels <= PCM_CHANNELS && PCM_RATES.has(bytes[2] & 15) && bytes[3] >> 6 > 0
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1]
}
