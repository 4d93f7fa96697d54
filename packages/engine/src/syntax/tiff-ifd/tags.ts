/** Tags of TIFF 6.0, its supplements, Exif 2.32, TIFF/EP (ISO 12234-2) and DNG 1.7 that tell where pixels lie. */
export const TAG = {
  /** Of Panasonic's raw photos, which have their own in place of some of TIFF's: ExifTool's tag documentation, `PanasonicRaw`. */
  panasonicWidth: 2,
  panasonicHeight: 3,
  panasonicCompression: 11,
  panasonicOffset: 280,
  newSubfileType: 254,
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  make: 271,
  model: 272,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  t4Options: 292,
  t6Options: 293,
  dateTime: 306,
  artist: 315,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subIfds: 330,
  jpegTables: 347,
  jpegOffset: 513,
  jpegBytes: 514,
  jpegQuantisation: 519,
  subSampling: 530,
  xmp: 700,
  iptc: 33_723,
  copyright: 33_432,
  exifIfd: 34_665,
  gpsIfd: 34_853,
  dateTimeOriginal: 36_867,
  dateTimeDigitized: 36_868,
  subSecTime: 37_520,
  subSecTimeOriginal: 37_521,
  subSecTimeDigitized: 37_522,
  interoperabilityIfd: 40_965,
  cameraOwner: 42_032,
  bodySerial: 42_033,
  lensSerial: 42_037,
} as const

/** Bytes of a value by its type, TIFF 6.0 §2 and BigTIFF; 0 for a type that is none. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

export function typeBytes(type: number): number {
  return TYPE_BYTES[type] ?? 0
}

export const TYPE = {
  byte: 1,
  ascii: 2,
  short: 3,
  long: 4,
  rational: 5,
  ifd: 13,
  long8: 16,
  ifd8: 18,
} as const
