import type { Coding, DraftTrack } from '../../../recording/draft.ts'
import { elementaryStream, lookBoxes, pictureEntry, plainEntry, soundEntry } from '../boxes/sample-entries.ts'

type ChildBoxes = readonly (readonly [type: string, body: Uint8Array])[]
type Entry = readonly [format: string, boxes?: ChildBoxes]

const EMPTY = new Uint8Array(0)
/** Stream types, ISO/IEC 14496-1:2010 Table 6. */
const VISUAL = 4
const AUDIO = 5
/** Hz from which on MPEG audio is version 1: ISO/IEC 11172-3 and 13818-3. */
const MPEG1_RATES = 32_000

/** Format and boxes of picture entries by codec; those without are of a codec whose variant is the format. */
const PICTURES: Readonly<Record<string, (coding: Coding) => Entry>> = {
  h264: ({ config, look }) => ['avc1', [['avcC', config], ...lookBoxes(look)]],
  hevc: ({ config, look }) => ['hvc1', [['hvcC', config], ...lookBoxes(look)]],
  av1: ({ config }) => ['av01', [['av1C', config]]],
  vp9: () => ['vp09'],
  vp8: () => ['vp08'],
  mpeg4: ({ config }) => ['mp4v', [['esds', elementaryStream(0x20, VISUAL, config)]]],
  mpeg2video: ({ variant }) =>
    variant ? [variant] : ['mp4v', [['esds', elementaryStream(0x61, VISUAL, EMPTY)]]],
  h263: ({ config }) => ['s263', [['d263', config]]],
  mjpeg: () => ['jpeg'],
  dnxhd: () => ['AVdn'],
}

/** The same of sound. */
const SOUNDS: Readonly<Record<string, (coding: Coding) => Entry>> = {
  aac: ({ config }) => ['mp4a', [['esds', elementaryStream(0x40, AUDIO, config)]]],
  mp3: ({ sampleRate = 0 }) => [
    'mp4a',
    [['esds', elementaryStream(sampleRate >= MPEG1_RATES ? 0x6b : 0x69, AUDIO, EMPTY)]],
  ],
  alac: ({ config }) => ['alac', [['alac', Uint8Array.of(0, 0, 0, 0, ...config)]]],
  amr: ({ config, sampleRate }) => [sampleRate === 16_000 ? 'sawb' : 'samr', [['damr', config]]],
  ac3: ({ config }) => ['ac-3', [['dac3', config]]],
  eac3: ({ config }) => ['ec-3', [['dec3', config]]],
  pcm: plainSound,
}

/** What entries of data tracks hold behind the fields of all entries. */
const DATA: Readonly<Record<string, readonly [format: string, body: Uint8Array]>> = {
  fdsc: ['fdsc', Uint8Array.of(0, 1)],
  gpmd: ['gpmd', new Uint8Array(4)],
  camm: ['camm', EMPTY],
}

/** The sample entry of a track that keeps none of its own. */
export function codingEntry({ coding, kind, width = 0, height = 0 }: DraftTrack): Uint8Array {
  if (!coding) return EMPTY
  const { codec, variant = '', channels = 2, sampleRate = 0, bits = 16 } = coding
  if (kind === 'video') {
    const [format, boxes = []] = PICTURES[codec]?.(coding) ?? [variant]
    return pictureEntry({ format, width, height, boxes })
  }
  if (kind === 'audio') {
    const [format, boxes = []] = SOUNDS[codec]?.(coding) ?? [variant]
    return soundEntry({ format, channels, bits, rate: sampleRate, boxes })
  }
  const [format, body] = DATA[codec] ?? [variant, EMPTY]
  return plainEntry(format, body)
}

/** QuickTime File Format, 'Sound sample descriptions': the formats of PCM; `enda` turns those of 24 bits and more around. */
function plainSound({ bits = 16, facts }: Coding): Entry {
  const isLittle = facts?.endian === 'little'
  if (bits === 8) return ['raw ']
  if (bits === 16) return [isLittle ? 'sowt' : 'twos']
  return [bits === 24 ? 'in24' : 'fl32', isLittle ? [['enda', Uint8Array.of(0, 1)]] : []]
}
