/** How pictures are coded, BITMAPINFOHEADER (Windows GDI). */
export interface BitmapInfo {
  readonly width: number
  /** Rows; told as negative where the first row is the top one. */
  readonly height: number
  readonly bitCount: number
  /** Four characters, or `RGB ` for plain pictures. */
  readonly compression: string
  readonly imageBytes: number
  /** What follows the header: a palette, or the codec's configuration. */
  readonly extra: Uint8Array
}

const COMMON = 40

/** Reads a header; undefined for fewer than 40 bytes. */
export function parseBitmapInfo(bytes: Uint8Array): BitmapInfo | undefined {
  if (bytes.length < COMMON) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const compression = view.getUint32(16, true)
  return {
    width: view.getInt32(4, true),
    height: view.getInt32(8, true),
    bitCount: view.getUint16(14, true),
    compression: compression < 32 ? 'RGB ' : String.fromCharCode(...bytes.subarray(16, 20)),
    imageBytes: view.getUint32(20, true),
    extra: bytes.slice(COMMON),
  }
}

/** Engine's codec names by the four characters in upper case. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  mpeg4: [
    ...[
      'XVID',
      'DIVX',
      'DX50',
      'FMP4',
      'MP4V',
      'MP4S',
      '3IV2',
      '3IVX',
      'RMP4',
      'SEDG',
      'XVIX',
      'DM4V',
      'BLZ0',
      'M4S2',
      'DXGM',
    ],
    ...[
      'UMP4',
      'WV1F',
      'SIPP',
      'XVID',
      'NDIG',
      'QMP4',
      'FVFW',
      'FFDS',
      'SMP4',
      'HDX4',
      'EPHV',
      'G264',
      'LMP4',
      'FXVD',
      'MNM4',
    ],
  ],
  msmpeg4v3: ['DIV3', 'DIV4', 'DIV5', 'DIV6', 'MP43', 'MPG3', 'AP41', 'COL0', 'COL1', 'DVX3', '3IVD'],
  msmpeg4v2: ['MP42', 'DIV2'],
  msmpeg4v1: ['MPG4', 'MP41', 'DIV1'],
  mjpeg: [
    'MJPG',
    'AVRN',
    'DMB1',
    'AVDJ',
    'JPEG',
    'LJPG',
    'CJPG',
    'IJPG',
    'JPGL',
    'MJLS',
    'ACDV',
    'QIVG',
    'SLMJ',
    'MJPA',
  ],
  h264: ['H264', 'X264', 'AVC1', 'DAVC', 'VSSH', 'Q264', 'V264', 'GAVC', 'UMSV', 'SMV2'],
  hevc: ['HEVC', 'H265', 'X265', 'HVC1', 'HEV1'],
  h263: ['H263', 'X263', 'T263', 'L263', 'VX1K', 'ZYGO', 'M263', 'LSVM', 'U263'],
  dv: [
    'DVSD',
    'DVHD',
    'DVSL',
    'DV25',
    'DVCP',
    'DV50',
    'DVC ',
    'CDVC',
    'CDV5',
    'DVIS',
    'PDVC',
    'AVDV',
    'AVD1',
    'DVH1',
  ],
  mpeg2video: [
    'MPG2',
    'MPEG',
    'MP2V',
    'M2V1',
    'EM2V',
    'LMP2',
    'SLIF',
    'MMES',
    'HDV1',
    'HDV2',
    'HDV3',
    'DAVC2',
  ],
  mpeg1video: ['MPG1', 'PIM1', 'MP1V', 'PIM2', 'VCR2'],
  wmv1: ['WMV1'],
  wmv2: ['WMV2', 'GXVE'],
  wmv3: ['WMV3'],
  vc1: ['WVC1', 'WMVA'],
  vp8: ['VP80'],
  vp9: ['VP90'],
  av1: ['AV01'],
  huffyuv: ['HFYU', 'FFVH'],
  cinepak: ['CVID'],
}

const BY_COMPRESSION = new Map(
  Object.entries(NAMES).flatMap(([codec, codes]) => codes.map((code): [string, string] => [code, codec])),
)

/** Compressions that are plain samples without any coding. */
const PLAIN: ReadonlySet<string> = new Set([
  ...[
    'RGB ',
    'DIB ',
    'YUY2',
    'UYVY',
    'YUYV',
    'YV12',
    'I420',
    'IYUV',
    'Y800',
    'Y8  ',
    'NV12',
    'Y422',
    'YVYU',
    'HDYC',
    'YUV2',
    'GREY',
  ],
])

/** The codec of four characters; themselves in lower case where they are not known. */
export function bitmapCodec(compression: string): string {
  const code = compression.toUpperCase()
  if (PLAIN.has(code)) return 'rawvideo'
  return BY_COMPRESSION.get(code) ?? (compression.toLowerCase().replace(/[^\x21-\x7e]/g, '') || 'unknown')
}
