import { RARER_RECIPES } from './rarer-recipes.ts'
import type { AudioSpec, ClipSpec, VideoSpec } from './spec.ts'

/** A kind of recording without its length, size and content. */
export interface Recipe {
  readonly container: string
  readonly extension: string
  readonly muxer?: Readonly<Record<string, string | number>>
  readonly video?: Omit<VideoSpec, 'content'>
  readonly audio?: readonly Omit<AudioSpec, 'content'>[]
  readonly rate?: string
  readonly timecode?: string
  /** Codecs bound to certain picture sizes. */
  readonly size?: { readonly width: number; readonly height: number }
  /** What this recipe is there to test. */
  readonly about: string
}

const X264 = { preset: 'veryfast', crf: 23 } as const
const X265 = { preset: 'veryfast', crf: 26 } as const
const AAC = { codec: 'aac', options: { b: 128_000 } } as const
const FRONT = { movflags: 'faststart' } as const
const HALF_SECOND = 0.5
/** The library's quality scale counts in steps of 118. */
const QUALITY_FIVE = 5 * 118

/** Recordings for tests, fixtures and bench, by name. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  ...RARER_RECIPES,
  'h264-ip-aac': {
    about: 'H.264 without B-pictures, index at the end',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', options: X264 },
    audio: [AAC],
  },
  'h264-camera-aac': {
    about: 'H.264 as cameras write it: half-second closed groups, two fixed B-pictures, index in front',
    container: 'mov',
    extension: 'mov',
    muxer: FRONT,
    video: {
      codec: 'libx264',
      gop: 15,
      bFrames: 2,
      options: { ...X264, 'x264-params': 'b-adapt=0:scenecut=0:b-pyramid=none' },
    },
    audio: [AAC],
  },
  'h264-adaptive-b-aac': {
    about: 'H.264 with adaptive B-pictures in a pyramid, scene cuts',
    container: 'mp4',
    extension: 'mp4',
    video: {
      codec: 'libx264',
      gop: 60,
      bFrames: 5,
      options: { ...X264, 'x264-params': 'b-adapt=2:b-pyramid=normal' },
    },
    audio: [AAC],
  },
  'h264-slices4-aac': {
    about: 'four slices a picture',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', bFrames: 2, options: { ...X264, 'x264-params': 'slices=4' } },
    audio: [AAC],
  },
  'h264-slices8-aac': {
    about: 'eight slices a picture with access unit delimiters',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', options: { ...X264, 'x264-params': 'slices=8:aud=1' } },
    audio: [AAC],
  },
  'h264-open-gop-aac': {
    about: 'open groups of pictures: no IDR but the first, recovery points instead',
    container: 'mp4',
    extension: 'mp4',
    video: {
      codec: 'libx264',
      gop: 24,
      bFrames: 3,
      options: { ...X264, 'x264-params': 'open-gop=1:keyint=24' },
    },
    audio: [AAC],
  },
  'h264-interlaced-pcm': {
    about: 'interlaced H.264 (MBAFF) with PCM in chunks of half a second',
    container: 'mov',
    extension: 'mov',
    rate: '25',
    video: { codec: 'libx264', interlaced: true, bFrames: 2, options: X264 },
    audio: [{ codec: 'pcm_s16be', packetSeconds: HALF_SECOND }],
  },
  'h264-10bit-aac': {
    about: 'H.264 High 10',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', pixelFormat: 'yuv420p10le', bFrames: 2, options: X264 },
    audio: [AAC],
  },
  'h264-pcm-frames': {
    about: 'H.264 with 24-bit PCM interleaved picture by picture',
    container: 'mov',
    extension: 'mov',
    rate: '30000/1001',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [{ codec: 'pcm_s24le', packetSeconds: 1 / 30 }],
  },
  'h264-pcm-chunks': {
    about: 'H.264 with 16-bit PCM in chunks of half a second',
    container: 'mov',
    extension: 'mov',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'pcm_s16le', packetSeconds: HALF_SECOND }],
  },
  'h264-phone-vfr-aac': {
    about: 'phone: pictures left out in the dark, variable rate',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', timing: 'dropped', options: X264 },
    audio: [AAC],
  },
  'h264-jitter-aac': {
    about: 'every picture some milliseconds late, variable rate',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', timing: 'jittered', options: X264 },
    audio: [AAC],
  },
  'h264-two-aac': {
    about: 'two AAC tracks of the same settings, as screen recorders write them',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [AAC, { ...AAC, options: { b: 96_000 } }],
  },
  'h264-fragmented-aac': {
    about: 'fragments of a second without an index',
    container: 'mp4',
    extension: 'mp4',
    muxer: { movflags: 'frag_keyframe+empty_moov+default_base_moof' },
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [AAC],
  },
  'h264-timecode-aac': {
    about: 'with a time code track',
    container: 'mov',
    extension: 'mov',
    timecode: '01:02:03:04',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [AAC],
  },
  'h264-silent': {
    about: 'pictures without sound',
    container: 'mp4',
    extension: 'm4v',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
  },
  'h264-mp3': {
    about: 'H.264 with MP3',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'libmp3lame' }],
  },
  'h264-ac3': {
    about: 'H.264 with AC-3 in 5.1',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'ac3', channels: 6 }],
  },
  'h264-alac': {
    about: 'H.264 with Apple Lossless',
    container: 'mov',
    extension: 'mov',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'alac' }],
  },
  'hevc-b-aac': {
    about: 'HEVC with B-pictures',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx265', bFrames: 4, tag: 'hvc1', options: X265 },
    audio: [AAC],
  },
  'hevc-10bit-open-gop-aac': {
    about: 'HEVC Main 10 with open groups (CRA, RASL)',
    container: 'mov',
    extension: 'mov',
    video: {
      codec: 'libx265',
      pixelFormat: 'yuv420p10le',
      gop: 24,
      bFrames: 4,
      tag: 'hvc1',
      options: { ...X265, 'x265-params': 'open-gop=1:keyint=24:min-keyint=24' },
    },
    audio: [AAC],
  },
  'hevc-slices-aac': {
    about: 'HEVC with three slices a picture and in-band parameter sets',
    container: 'mp4',
    extension: 'mp4',
    video: {
      codec: 'libx265',
      bFrames: 2,
      tag: 'hev1',
      options: { ...X265, 'x265-params': 'slices=3:repeat-headers=1' },
    },
    audio: [AAC],
  },
  'mjpeg-pcm': {
    about: 'Motion JPEG with PCM',
    container: 'mov',
    extension: 'mov',
    video: {
      codec: 'mjpeg',
      pixelFormat: 'yuvj420p',
      options: { flags: '+qscale+bitexact', global_quality: QUALITY_FIVE },
    },
    audio: [{ codec: 'pcm_s16le', packetSeconds: HALF_SECOND }],
  },
  'prores-pcm': {
    about: 'ProRes 422 with 24-bit PCM',
    container: 'mov',
    extension: 'mov',
    video: { codec: 'prores_ks', pixelFormat: 'yuv422p10le', options: { profile: 'standard' } },
    audio: [{ codec: 'pcm_s24le', packetSeconds: HALF_SECOND }],
  },
  'dnxhd-pcm': {
    about: 'DNxHR with PCM',
    container: 'mov',
    extension: 'mov',
    video: { codec: 'dnxhd', pixelFormat: 'yuv422p', options: { profile: 'dnxhr_sq' } },
    audio: [{ codec: 'pcm_s16le', packetSeconds: HALF_SECOND }],
  },
  'dv-pcm': {
    about: 'DV with PCM',
    container: 'mov',
    extension: 'mov',
    rate: '25',
    size: { width: 720, height: 576 },
    video: { codec: 'dvvideo' },
    audio: [{ codec: 'pcm_s16be', packetSeconds: 1 / 25 }],
  },
  'av1-opus': {
    about: 'AV1 with Opus',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libsvtav1', gop: 60, options: { preset: 10, crf: 40 } },
    audio: [{ codec: 'libopus' }],
  },
  'vp9-opus': {
    about: 'VP9 with Opus',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libvpx-vp9', gop: 60, options: { deadline: 'realtime', 'cpu-used': 8, b: 1_500_000 } },
    audio: [{ codec: 'libopus' }],
  },
  'vp9-aac': {
    about: 'VP9 with AAC',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libvpx-vp9', gop: 60, options: { deadline: 'good', 'cpu-used': 8, b: 1_500_000 } },
    audio: [AAC],
  },
  'h264-opus': {
    about: 'H.264 with Opus, as meetings and browsers record',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', bFrames: 2, options: X264 },
    audio: [{ codec: 'libopus', options: { b: 64_000 } }],
  },
  'mpeg4-aac': {
    about: 'MPEG-4 part 2 with B-pictures and AAC',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'mpeg4', bFrames: 2, gop: 24, options: { b: 1_500_000 } },
    audio: [AAC],
  },
  '3gp-mpeg4-amr': {
    about: 'old phone: MPEG-4 part 2 with AMR',
    container: '3gp',
    extension: '3gp',
    rate: '15',
    video: { codec: 'mpeg4', gop: 30, options: { b: 600_000 } },
    audio: [{ codec: 'amr_nb', sampleRate: 8_000, channels: 1 }],
  },
  '3gp-h263-amr': {
    about: 'older phone: H.263 with AMR',
    container: '3gp',
    extension: '3gp',
    rate: '15',
    size: { width: 352, height: 288 },
    video: { codec: 'h263', gop: 30, options: { b: 300_000 } },
    audio: [{ codec: 'amr_nb', sampleRate: 8_000, channels: 1 }],
  },
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

export interface Shape {
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly seed: number
}

/** Which part a recording plays: the one to be damaged, or a sample that is calmer or alike. */
export type Role = 'victim' | 'calm-sample' | 'like-sample'

const CONTENT = {
  victim: { video: 'scenes', audio: 'noise' },
  'calm-sample': { video: 'calm', audio: 'tone' },
  'like-sample': { video: 'busy', audio: 'noise' },
} as const

/** The clip of a recipe. Victim and sample of one seed share nothing but their settings. @throws Error for an unknown name */
export function clipOf(name: string, role: Role, shape: Shape): ClipSpec {
  const recipe = RECIPES[name]
  if (!recipe) throw new Error(`there is no recipe ${name}`)
  const content = CONTENT[role]
  const { video, audio, muxer, timecode, size } = recipe
  return {
    container: recipe.container,
    seconds: shape.seconds,
    width: size?.width ?? shape.width,
    height: size?.height ?? shape.height,
    rate: recipe.rate ?? '30',
    seed: shape.seed * 3 + Object.keys(CONTENT).indexOf(role),
    ...(muxer ? { muxer } : {}),
    ...(timecode ? { timecode } : {}),
    ...(video ? { video: { ...video, content: content.video } } : {}),
    ...(audio ? { audio: audio.map((track) => ({ ...track, content: content.audio })) } : {}),
  }
}
