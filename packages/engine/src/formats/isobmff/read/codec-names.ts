import type { CodecName } from '../../../model/track.ts'

/** Sample entry formats and the engine's codec names; `mp4a` and `mp4v` are decided by their descriptors. */
const BY_FORMAT: Readonly<Record<string, CodecName>> = {
  avc1: 'h264',
  avc2: 'h264',
  avc3: 'h264',
  avc4: 'h264',
  dva1: 'h264',
  dvav: 'h264',
  AVin: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  hvc2: 'hevc',
  hev2: 'hevc',
  hvc3: 'hevc',
  hev3: 'hevc',
  'vc-1': 'vc1',
  av01: 'av1',
  dav1: 'av1',
  vp09: 'vp9',
  vp08: 'vp8',
  vvc1: 'vvc',
  vvi1: 'vvc',
  XVID: 'mpeg4',
  xvid: 'mpeg4',
  DIVX: 'mpeg4',
  divx: 'mpeg4',
  FMP4: 'mpeg4',
  fmp4: 'mpeg4',
  '3IV2': 'mpeg4',
  s263: 'h263',
  h263: 'h263',
  H263: 'h263',
  jpeg: 'mjpeg',
  mjpa: 'mjpeg',
  MJPG: 'mjpeg',
  mjpg: 'mjpeg',
  AVDJ: 'mjpeg',
  dmb1: 'mjpeg',
  apch: 'prores',
  apcn: 'prores',
  apcs: 'prores',
  apco: 'prores',
  ap4h: 'prores',
  ap4x: 'prores',
  aprn: 'prores',
  aprh: 'prores',
  icod: 'aic',
  AVdn: 'dnxhd',
  AVdh: 'dnxhd',
  'dvc ': 'dv',
  dvcp: 'dv',
  dvpp: 'dv',
  dv5n: 'dv',
  dv5p: 'dv',
  dvhp: 'dv',
  dvhq: 'dv',
  dvh2: 'dv',
  dvh3: 'dv',
  dvh4: 'dv',
  dvh5: 'dv',
  dvh6: 'dv',
  AVdv: 'dv',
  AVd1: 'dv',
  dvsd: 'dv',
  mp2v: 'mpeg2video',
  m2v1: 'mpeg2video',
  mpg2: 'mpeg2video',
  mpeg: 'mpeg2video',
  MPEG: 'mpeg2video',
  AVmp: 'mpeg2video',
  m1v1: 'mpeg1video',
  'm1v ': 'mpeg1video',
  mp1v: 'mpeg1video',
  mx3n: 'mpeg2video',
  mx3p: 'mpeg2video',
  mx4n: 'mpeg2video',
  mx4p: 'mpeg2video',
  mx5n: 'mpeg2video',
  mx5p: 'mpeg2video',
  alac: 'alac',
  '.mp3': 'mp3',
  'mp3 ': 'mp3',
  'ms\0U': 'mp3',
  'ac-3': 'ac3',
  sac3: 'ac3',
  'ec-3': 'eac3',
  samr: 'amr',
  sawb: 'amr',
  dtsc: 'dts',
  dtsh: 'dts',
  dtsl: 'dts',
  'DTS ': 'dts',
  Opus: 'opus',
  fLaC: 'flac',
  iamf: 'iamf',
  mhm1: 'mhas',
  mhm2: 'mhas',
  ima4: 'adpcm-ima',
  twos: 'pcm',
  sowt: 'pcm',
  in24: 'pcm',
  in32: 'pcm',
  fl32: 'pcm',
  fl64: 'pcm',
  'raw ': 'pcm',
  NONE: 'pcm',
  lpcm: 'pcm',
  ipcm: 'pcm',
  fpcm: 'pcm',
  ulaw: 'pcm',
  alaw: 'pcm',
  sbtl: 'tx3g',
  srtp: 'rtp',
}

/** Sony's HDV and XDCAM formats are all MPEG-2 with a mode in the last one or two characters. */
const MPEG2_PREFIXES = ['hdv', 'xdv', 'xd5', 'xdh']

/** objectTypeIndication of ISO/IEC 14496-1, as registered at mp4ra.org. */
const BY_OBJECT_TYPE: Readonly<Record<number, CodecName>> = {
  32: 'mpeg4',
  33: 'h264',
  35: 'hevc',
  64: 'aac',
  96: 'mpeg2video',
  97: 'mpeg2video',
  98: 'mpeg2video',
  99: 'mpeg2video',
  100: 'mpeg2video',
  101: 'mpeg2video',
  102: 'aac',
  103: 'aac',
  104: 'aac',
  105: 'mp3',
  106: 'mpeg1video',
  107: 'mp3',
  108: 'mjpeg',
  165: 'ac3',
  166: 'eac3',
  169: 'dts',
  173: 'opus',
  221: 'vorbis',
  225: 'qcelp',
}

/** Whether an objectTypeIndication is one that names a codec. */
export function namesCodec(objectType: number): boolean {
  return BY_OBJECT_TYPE[objectType] !== undefined
}

/** Object type indications that name a codec. */
export function objectTypesOf(codec: CodecName): number[] {
  return Object.entries(BY_OBJECT_TYPE).flatMap(([type, name]) => (name === codec ? [Number(type)] : []))
}

/** The codec of a sample entry; unknown formats keep their code in lower case. `objectType` is 0 without a descriptor. */
export function codecName(format: string, objectType: number, video: boolean): CodecName {
  if (format === 'mp4a' || format === 'mp4v' || format === 'm4s2') {
    return BY_OBJECT_TYPE[objectType] ?? (format === 'mp4a' ? 'aac' : 'mpeg4')
  }
  // `raw ` is uncompressed video in a picture track.
  if (video && (format === 'raw ' || format === 'NONE')) return 'rawvideo'
  const known = BY_FORMAT[format]
  if (known) return known
  if (MPEG2_PREFIXES.some((prefix) => format.startsWith(prefix))) return 'mpeg2video'
  if (format.startsWith('AVin') || /^ai(1|5|[a-z0-9])/.test(format)) return 'h264'
  return format.toLowerCase().trim()
}
