import { AAC, type Recipe, X264, X265 } from './recipe.ts'

/** Recordings in Flash Video. */
export const FLASH_RECIPES: Readonly<Record<string, Recipe>> = {
  'flv-h263-mp3': {
    about: 'Flash video of the first kind: Sorenson H.263 and MP3',
    container: 'flv',
    extension: 'flv',
    rate: '25',
    video: { codec: 'flv', gop: 25, options: { b: 250_000 } },
    audio: [{ codec: 'libmp3lame', sampleRate: 44_100 }],
  },
  'flv-hevc-aac': {
    about: 'Enhanced RTMP with HEVC',
    container: 'flv',
    extension: 'flv',
    video: { codec: 'libx265', bFrames: 2, options: X265 },
    audio: [AAC],
  },
  'flv-indexed': {
    about: 'with an index of key pictures',
    container: 'flv',
    extension: 'flv',
    muxer: { flvflags: 'add_keyframe_index' },
    video: { codec: 'libx264', gop: 30, options: X264 },
    audio: [{ ...AAC, channels: 1 }],
  },
  'flv-silent': {
    about: 'pictures alone',
    container: 'flv',
    extension: 'flv',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
  },
  'flv-pcm': {
    about: 'PCM sound',
    container: 'flv',
    extension: 'flv',
    video: { codec: 'flv', gop: 15, options: { b: 600_000 } },
    audio: [{ codec: 'pcm_s16le', sampleRate: 22_050, channels: 1 }],
  },
}
