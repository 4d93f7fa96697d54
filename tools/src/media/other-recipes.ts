import { AAC, QUALITY_FIVE, type Recipe, X264 } from './recipe.ts'

/** Recordings in other containers. */
export const OTHER_RECIPES: Readonly<Record<string, Recipe>> = {
  'avi-mpeg4-mp3': {
    about: 'AVI with MPEG-4 part 2 and MP3',
    container: 'avi',
    extension: 'avi',
    video: { codec: 'mpeg4', gop: 30, tag: 'XVID', options: { b: 1_500_000 } },
    audio: [{ codec: 'libmp3lame', sampleRate: 44_100 }],
  },
  'avi-mjpeg-pcm': {
    about: 'AVI as photo cameras write it',
    container: 'avi',
    extension: 'avi',
    video: {
      codec: 'mjpeg',
      pixelFormat: 'yuvj422p',
      options: { flags: '+qscale+bitexact', global_quality: QUALITY_FIVE },
    },
    audio: [{ codec: 'pcm_u8', sampleRate: 11_025, channels: 1 }],
  },
  'mkv-h264-aac': {
    about: 'Matroska with H.264 and AAC',
    container: 'matroska',
    extension: 'mkv',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [AAC],
  },
  'webm-vp9-opus': {
    about: 'WebM',
    container: 'webm',
    extension: 'webm',
    video: { codec: 'libvpx-vp9', gop: 60, options: { deadline: 'realtime', 'cpu-used': 8, b: 1_500_000 } },
    audio: [{ codec: 'libopus' }],
  },
  'ts-h264-aac': {
    about: 'transport stream',
    container: 'mpegts',
    extension: 'ts',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [AAC],
  },
  'mts-h264-ac3': {
    about: 'camcorder: transport stream with time codes before packets',
    container: 'mpegts',
    extension: 'mts',
    rate: '25',
    muxer: { mpegts_m2ts_mode: 1 },
    video: { codec: 'libx264', bFrames: 2, interlaced: true, options: X264 },
    audio: [{ codec: 'ac3' }],
  },
  'mpg-mpeg2-mp2': {
    about: 'MPEG-2 program stream',
    container: 'mpeg',
    extension: 'mpg',
    rate: '25',
    video: { codec: 'mpeg2video', gop: 12, bFrames: 2, options: { b: 3_000_000 } },
    audio: [{ codec: 'mp2' }],
  },
  'flv-h264-aac': {
    about: 'Flash video',
    container: 'flv',
    extension: 'flv',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [{ ...AAC, sampleRate: 44_100 }],
  },
  'wmv-wmv2-wma': {
    about: 'Windows Media',
    container: 'asf',
    extension: 'wmv',
    video: { codec: 'wmv2', gop: 30, options: { b: 1_500_000 } },
    audio: [{ codec: 'wmav2', sampleRate: 44_100 }],
  },
}
