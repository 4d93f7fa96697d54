import { describe, expect, it } from 'vitest'
import { CODECS, codecNamed } from '../../../src/codecs/index.ts'
import { codecName } from '../../../src/formats/isobmff/read/codec-names.ts'
import { isEncrypted } from '../../../src/formats/isobmff/read/encryption.ts'

/** Sample entries that cameras and programs write, and the recogniser that serves each. */
const PICTURES: Readonly<Record<string, string>> = {
  'avc1 avc2 avc3 avc4 dva1 dvav': 'h264',
  'ai12 ai13 ai15 ai16 ai1p ai1q ai52 ai53 ai55 ai56 ai5p ai5q AVin': 'h264',
  'hvc1 hev1 hvc2 hev2 dvh1 dvhe': 'hevc',
  'av01 dav1': 'av1',
  'vc-1': 'vc1',
  vp08: 'vp8',
  vp09: 'vp9',
  'ap4h ap4x apch apcn apcs apco': 'prores',
  'AVdn AVdh': 'dnxhd',
  icod: 'aic',
  'dvc  dvcp dvpp dv5n dv5p dvhq dvhp dvh2 dvh3 dvh5 dvh6': 'dv',
  'mx3n mx3p mx4n mx4p mx5n mx5p m2v1 mp2v xdv1 xdv2 xdv6 xdv7 xdvc xdvd xdve xd54 xd5b hdv1 hdv2 hdv3 hdv7':
    'mpeg2video',
  'm1v1 m1v  mp1v': 'mpeg1video',
  'jpeg mjpa MJPG dmb1': 'mjpeg',
  's263 h263 H263': 'h263',
  'mp4v XVID DIVX 3IV2': 'mpeg4',
}
const SOUNDS: Readonly<Record<string, string>> = {
  mp4a: 'aac',
  '.mp3 mp3 ': 'mp3',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  'dtsc dtsh dtsl': 'dts',
  fLaC: 'flac',
  Opus: 'opus',
  alac: 'alac',
  iamf: 'iamf',
  'mhm1 mhm2': 'mhas',
  'samr sawb': 'amr',
  ima4: 'adpcm-ima',
  'lpcm in24 in32 fl32 fl64 sowt twos ulaw alaw raw  NONE ipcm fpcm': 'pcm',
}
const DATA: Readonly<Record<string, string>> = {
  'tx3g sbtl': 'tx3g',
  text: 'text',
  gpmd: 'gpmd',
  fdsc: 'fdsc',
  camm: 'camm',
  mebx: 'mebx',
}
/** Formats without a recogniser of their own: sizes, first bytes and places are learned from the sample or the index. */
const LEARNED = {
  pictures: 'CFHD MVHD MVLP CRAW BRAW R10k v210 2vuy',
  sounds: 'ac-4 mha1 Qclp QDM2 MAC3 dtse',
  data: 'tmcd c608 c708 rtmd djmd dbgi CTMD mett metx urim stpp wvtt',
}

/** Codes of four characters in a line, blanks within them included. */
function codes(line: string): string[] {
  return Array.from({ length: Math.ceil(line.length / 5) }, (_, i) => line.slice(5 * i, 5 * i + 4))
}

describe('sample entries', () => {
  const served = (table: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(table).flatMap(([line, codec]) =>
      codes(line).map((format): [string, string] => [format, codec]),
    )

  it.each(served(PICTURES))('%s of pictures is served by %s', (format, codec) => {
    expect(codecName(format, 0, true)).toBe(codec)
    expect(codecNamed(codec)?.name).toBe(codec)
  })

  it.each([...served(SOUNDS), ...served(DATA)])('%s is served by %s', (format, codec) => {
    expect(codecName(format, 0, false)).toBe(codec)
    expect(codecNamed(codec)?.name).toBe(codec)
  })

  it.each([
    ...codes(LEARNED.pictures).map((format) => [format, true] as const),
    ...codes(`${LEARNED.sounds} ${LEARNED.data}`).map((format) => [format, false] as const),
  ])('%s is learned from what is healthy', (format, video) => {
    expect(CODECS.map(({ name }) => name)).not.toContain(codecName(format, 0, video))
  })

  it.each(['encv', 'enca', 'encs', 'enct'])('%s is encrypted', (format) => {
    expect(isEncrypted(format)).toBe(true)
    expect(codecNamed(codecName(format, 0, false))).toBeUndefined()
  })
})
