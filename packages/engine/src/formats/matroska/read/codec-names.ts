import type { CodecName } from '../../../model/track.ts'

/** Codec identifiers of RFC 9559's registry and the engine's names. */
const BY_ID: Readonly<Record<string, CodecName>> = {
  'V_MPEG4/ISO/AVC': 'h264',
  'V_MPEGH/ISO/HEVC': 'hevc',
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  V_AV1: 'av1',
  'V_MPEG4/ISO/SP': 'mpeg4',
  'V_MPEG4/ISO/ASP': 'mpeg4',
  'V_MPEG4/ISO/AP': 'mpeg4',
  'V_MPEG4/MS/V3': 'msmpeg4v3',
  V_MPEG1: 'mpeg1video',
  V_MPEG2: 'mpeg2video',
  V_MJPEG: 'mjpeg',
  V_PRORES: 'prores',
  V_THEORA: 'theora',
  V_FFV1: 'ffv1',
  V_UNCOMPRESSED: 'rawvideo',
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
  A_FLAC: 'flac',
  A_AC3: 'ac3',
  A_EAC3: 'eac3',
  A_DTS: 'dts',
  'A_MPEG/L3': 'mp3',
  'A_MPEG/L2': 'mp2',
  'A_MPEG/L1': 'mp1',
  A_ALAC: 'alac',
  A_TRUEHD: 'truehd',
  A_WAVPACK4: 'wavpack',
  A_TTA1: 'tta',
  'A_PCM/INT/LIT': 'pcm',
  'A_PCM/INT/BIG': 'pcm',
  'A_PCM/FLOAT/IEEE': 'pcm',
  'S_TEXT/UTF8': 'subrip',
  'S_TEXT/ASS': 'ass',
  'S_TEXT/SSA': 'ssa',
  'S_TEXT/WEBVTT': 'webvtt',
  'D_WEBVTT/SUBTITLES': 'webvtt',
  S_VOBSUB: 'vobsub',
  'S_HDMV/PGS': 'pgs',
  S_DVBSUB: 'dvbsub',
}

/** Four-character codes of BITMAPINFOHEADER in `V_MS/VFW/FOURCC` tracks. */
const BY_FOURCC: Readonly<Record<string, CodecName>> = {
  h264: 'h264',
  x264: 'h264',
  avc1: 'h264',
  hevc: 'hevc',
  xvid: 'mpeg4',
  divx: 'mpeg4',
  dx50: 'mpeg4',
  fmp4: 'mpeg4',
  mp4v: 'mpeg4',
  div3: 'msmpeg4v3',
  mp43: 'msmpeg4v3',
  mp42: 'msmpeg4v2',
  mjpg: 'mjpeg',
  wmv1: 'wmv1',
  wmv2: 'wmv2',
  wmv3: 'wmv3',
  wvc1: 'vc1',
}

/** Format tags of WAVEFORMATEX in `A_MS/ACM` tracks. */
const BY_FORMAT_TAG: Readonly<Record<number, CodecName>> = {
  1: 'pcm',
  3: 'pcm',
  80: 'mp2',
  85: 'mp3',
  255: 'aac',
  8192: 'ac3',
  8193: 'dts',
}

export const VFW = 'V_MS/VFW/FOURCC'
export const ACM = 'A_MS/ACM'
const FOURCC_AT = 16

/** The engine's name for a codec; identifiers it does not know stay as they are, in lower case. */
export function codecName(id: string, codecPrivate: Uint8Array): CodecName {
  if (id.startsWith('A_AAC')) return 'aac'
  if (id.startsWith('V_REAL') || id.startsWith('A_REAL')) return id.slice(2).toLowerCase()
  if (id === VFW && codecPrivate.length >= FOURCC_AT + 4) {
    const fourcc = String.fromCharCode(...codecPrivate.subarray(FOURCC_AT, FOURCC_AT + 4)).toLowerCase()
    return BY_FOURCC[fourcc] ?? fourcc
  }
  if (id === ACM && codecPrivate.length >= 2) {
    const tag = codecPrivate[0] | (codecPrivate[1] << 8)
    return BY_FORMAT_TAG[tag] ?? `acm-${tag}`
  }
  return BY_ID[id] ?? id.toLowerCase()
}

/** Codecs that the WebM guidelines allow. */
const WEBM: ReadonlySet<CodecName> = new Set(['vp8', 'vp9', 'av1', 'opus', 'vorbis', 'webvtt'])

export function isWebmCodec(codec: CodecName): boolean {
  return WEBM.has(codec)
}
