import type { Recipe } from './recipe.ts'

/** Recordings in Windows Media. */
export const WINDOWS_RECIPES: Readonly<Record<string, Recipe>> = {
  'wmv-wmv1-wma1': {
    about: 'Windows Media 7',
    container: 'asf',
    extension: 'wmv',
    rate: '25',
    video: { codec: 'wmv1', gop: 50, options: { b: 200_000 } },
    audio: [{ codec: 'wmav1', sampleRate: 22_050, channels: 1 }],
  },
  'asf-msmpeg4-mp3': {
    about: 'MS-MPEG4 version 3 and MP3',
    container: 'asf',
    extension: 'asf',
    video: { codec: 'msmpeg4', gop: 30, options: { b: 250_000 } },
    audio: [{ codec: 'libmp3lame', sampleRate: 44_100 }],
  },
  'asf-large-packets': {
    about: 'packets of 8 KiB',
    container: 'asf',
    extension: 'asf',
    muxer: { packet_size: 8192 },
    video: { codec: 'wmv2', gop: 30, options: { b: 2_000_000 } },
    audio: [{ codec: 'wmav2', sampleRate: 48_000 }],
  },
  'asf-sound': {
    about: 'sound alone',
    container: 'asf',
    extension: 'asf',
    audio: [{ codec: 'wmav2', sampleRate: 44_100 }],
  },
}
