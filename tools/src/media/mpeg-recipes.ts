import { AAC, type Recipe, X264, X265 } from './recipe.ts'

const MPEG1 = { codec: 'mpeg1video', gop: 15, bFrames: 2, options: { b: 1_150_000 } } as const
const MPEG2 = { codec: 'mpeg2video', gop: 12, bFrames: 2, options: { b: 3_000_000 } } as const

/** Transport and program streams of further kinds. */
export const MPEG_RECIPES: Readonly<Record<string, Recipe>> = {
  'm2ts-h264-ac3': {
    about: 'AVCHD under its name on a computer',
    container: 'mpegts',
    extension: 'm2ts',
    rate: '30000/1001',
    muxer: { mpegts_m2ts_mode: 1 },
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [{ codec: 'ac3' }],
  },
  'ts-hevc-two-aac': {
    about: 'transport stream with HEVC and two tracks of sound',
    container: 'mpegts',
    extension: 'ts',
    video: { codec: 'libx265', bFrames: 2, options: X265 },
    audio: [AAC, { ...AAC, sampleRate: 44_100 }],
  },
  'ts-mpeg2-mp2': {
    about: 'broadcast: MPEG-2 and MP2',
    container: 'mpegts',
    extension: 'ts',
    rate: '25',
    video: MPEG2,
    audio: [{ codec: 'mp2' }],
  },
  'vob-mpeg2-ac3': {
    about: 'DVD: packs of 2,048 bytes with AC-3',
    container: 'vob',
    extension: 'mpg',
    rate: '25',
    video: MPEG2,
    audio: [{ codec: 'ac3' }],
  },
  'mpeg-mpeg1-mp2': {
    about: 'MPEG-1 system stream',
    container: 'mpeg',
    extension: 'mpeg',
    rate: '25',
    video: MPEG1,
    audio: [{ codec: 'mp2', sampleRate: 44_100 }],
  },
  'dat-mpeg1-mp2': {
    about: 'Video CD as a plain stream',
    container: 'vcd',
    extension: 'dat',
    rate: '25',
    size: { width: 352, height: 288 },
    video: MPEG1,
    audio: [{ codec: 'mp2', sampleRate: 44_100 }],
  },
  'mpg-bare-mpeg2': {
    about: 'pictures of MPEG-2 in no container',
    container: 'mpeg2video',
    extension: 'mpg',
    rate: '25',
    video: MPEG2,
  },
  'mpg-bare-mpeg1': {
    about: 'pictures of MPEG-1 in no container',
    container: 'mpeg1video',
    extension: 'mpg',
    rate: '30000/1001',
    video: MPEG1,
  },
}
