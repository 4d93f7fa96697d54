import { type Recipe, X264 } from './recipe.ts'

const DV_SIZE = { width: 720, height: 576 } as const

/** Recordings in AVI, beside those that every container has. */
export const AVI_RECIPES: Readonly<Record<string, Recipe>> = {
  'avi-mpeg4-b-ac3': {
    about: 'AVI with MPEG-4 part 2 with B pictures, and AC-3',
    container: 'avi',
    extension: 'avi',
    rate: '24000/1001',
    video: { codec: 'mpeg4', gop: 60, bFrames: 2, tag: 'DX50', options: { b: 1_200_000 } },
    audio: [{ codec: 'ac3' }],
  },
  'avi-mpeg4-low-mp3': {
    about: 'clip of the early web: MPEG-4 part 2 at a low bit rate, with MP3',
    container: 'avi',
    extension: 'avi',
    rate: '15',
    video: { codec: 'mpeg4', gop: 15, tag: 'DIVX', options: { b: 150_000 } },
    audio: [{ codec: 'libmp3lame', sampleRate: 22_050, channels: 1, options: { b: 32_000 } }],
  },
  'avi-h264-mp3': {
    about: 'AVI with H.264 and MP3',
    container: 'avi',
    extension: 'avi',
    rate: '25',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'libmp3lame' }],
  },
  'avi-h264-b-aac': {
    about: 'AVI with H.264 with B pictures, and AAC',
    container: 'avi',
    extension: 'avi',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [{ codec: 'aac', options: { b: 96_000 } }],
  },
  'avi-dv-pcm': {
    about: 'tape camera: DV in AVI with PCM',
    container: 'avi',
    extension: 'avi',
    rate: '25',
    size: DV_SIZE,
    video: { codec: 'dvvideo' },
    audio: [{ codec: 'pcm_s16le' }],
  },
  'avi-huffyuv-pcm': {
    about: 'screen recorder: HuffYUV with PCM',
    container: 'avi',
    extension: 'avi',
    rate: '15',
    video: { codec: 'huffyuv', pixelFormat: 'yuv422p' },
    audio: [{ codec: 'pcm_s16le', sampleRate: 44_100 }],
  },
  'avi-raw-pcm': {
    about: 'webcam: plain pictures with PCM in 8 bits',
    container: 'avi',
    extension: 'avi',
    rate: '10',
    size: { width: 160, height: 120 },
    video: { codec: 'rawvideo', pixelFormat: 'yuv420p' },
    audio: [{ codec: 'pcm_u8', sampleRate: 8_000, channels: 1 }],
  },
  'avi-msmpeg4-adpcm': {
    about: 'old film: MS-MPEG4 version 3 with Microsoft ADPCM',
    container: 'avi',
    extension: 'avi',
    rate: '25',
    video: { codec: 'msmpeg4', gop: 100, tag: 'DIV3', options: { b: 1_000_000 } },
    audio: [{ codec: 'adpcm_ms', sampleRate: 22_050 }],
  },
  'avi-mjpeg-ima': {
    about: 'dash camera: Motion JPEG with IMA ADPCM',
    container: 'avi',
    extension: 'avi',
    video: {
      codec: 'mjpeg',
      pixelFormat: 'yuvj422p',
      options: { flags: '+qscale+bitexact', global_quality: 5 * 118 },
    },
    audio: [{ codec: 'adpcm_ima_wav', sampleRate: 16_000, channels: 1 }],
  },
}
