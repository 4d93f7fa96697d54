import { AAC, type Recipe, X264, X265 } from './recipe.ts'

const REALTIME = { deadline: 'realtime', 'cpu-used': 8, b: 1_500_000 } as const

/** Matroska and WebM of further kinds. */
export const MATROSKA_RECIPES: Readonly<Record<string, Recipe>> = {
  'mkv-hevc-opus': {
    about: 'Matroska with HEVC and Opus',
    container: 'matroska',
    extension: 'mkv',
    video: { codec: 'libx265', bFrames: 2, options: X265 },
    audio: [{ codec: 'libopus' }],
  },
  'mkv-h264-two-aac': {
    about: 'screen recorder: two tracks of sound',
    container: 'matroska',
    extension: 'mkv',
    rate: '60',
    video: { codec: 'libx264', bFrames: 2, gop: 120, options: X264 },
    audio: [AAC, { ...AAC, sampleRate: 44_100 }],
  },
  'mkv-h264-flac': {
    about: 'Matroska with FLAC',
    container: 'matroska',
    extension: 'mkv',
    rate: '24000/1001',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [{ codec: 'flac' }],
  },
  'mkv-mpeg4-mp3': {
    about: 'Matroska with MPEG-4 part 2 and MP3',
    container: 'matroska',
    extension: 'mkv',
    rate: '25',
    video: { codec: 'mpeg4', gop: 30, options: { b: 1_500_000 } },
    audio: [{ codec: 'libmp3lame', sampleRate: 44_100 }],
  },
  'mkv-mpeg2-ac3': {
    about: 'Matroska with MPEG-2 and AC-3',
    container: 'matroska',
    extension: 'mkv',
    rate: '25',
    video: { codec: 'mpeg2video', gop: 12, bFrames: 2, options: { b: 2_000_000 } },
    audio: [{ codec: 'ac3' }],
  },
  'mkv-mjpeg-pcm': {
    about: 'Matroska with Motion JPEG and plain sound',
    container: 'matroska',
    extension: 'mkv',
    rate: '25',
    video: { codec: 'mjpeg', pixelFormat: 'yuvj420p', options: { b: 3_000_000 } },
    audio: [{ codec: 'pcm_s16le' }],
  },
  'webm-vp8-vorbis': {
    about: 'WebM of the first kind',
    container: 'webm',
    extension: 'webm',
    video: { codec: 'libvpx', gop: 60, options: REALTIME },
    audio: [{ codec: 'libvorbis' }],
  },
  'webm-av1-opus': {
    about: 'WebM with AV1',
    container: 'webm',
    extension: 'webm',
    video: { codec: 'libsvtav1', gop: 60, options: { preset: 12, crf: 40 } },
    audio: [{ codec: 'libopus' }],
  },
}
