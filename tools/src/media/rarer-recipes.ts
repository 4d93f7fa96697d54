import type { Recipe } from './catalogue.ts'

const X264 = { preset: 'veryfast', crf: 23 } as const
const X265 = { preset: 'veryfast', crf: 26 } as const
const AAC = { codec: 'aac', options: { b: 128_000 } } as const
const MONO = { codec: 'pcm_s24le', channels: 1, packetSeconds: 0.5 } as const

/** Recordings of rarer settings: what the common ones leave unsaid. */
export const RARER_RECIPES: Readonly<Record<string, Recipe>> = {
  'h264-baseline-mono': {
    about: 'webcam: Baseline without arithmetic coding, 15 pictures a second, mono AAC at 16 kHz',
    container: 'mp4',
    extension: 'mp4',
    rate: '15',
    video: { codec: 'libx264', gop: 150, options: { ...X264, profile: 'baseline' } },
    audio: [{ codec: 'aac', sampleRate: 16_000, channels: 1, options: { b: 32_000 } }],
  },
  'h264-intra-two-mono': {
    about: 'studio camera: intra pictures only, 4:2:2 in 10 bits, two mono tracks of PCM',
    container: 'mov',
    extension: 'mov',
    rate: '25',
    video: {
      codec: 'libx264',
      pixelFormat: 'yuv422p10le',
      gop: 1,
      options: { ...X264, 'x264-params': 'keyint=1:slices=8' },
    },
    audio: [MONO, MONO],
  },
  'h264-hrd-filler-aac': {
    about: 'constant bit rate: filler units, picture timing and buffering messages',
    container: 'mp4',
    extension: 'mp4',
    rate: '30000/1001',
    video: {
      codec: 'libx264',
      bFrames: 2,
      options: {
        preset: 'veryfast',
        'x264-params':
          'nal-hrd=cbr:filler=1:bitrate=2000:vbv-maxrate=2000:vbv-bufsize=2000:pic-struct=1:aud=1',
      },
    },
    audio: [AAC],
  },
  'h264-intra-refresh-aac': {
    about: 'no key picture but the first: intra columns move through the picture',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', gop: 30, options: { ...X264, 'x264-params': 'intra-refresh=1' } },
    audio: [AAC],
  },
  'h264-60-aac': {
    about: 'action camera: 59.94 pictures a second, two reference pictures, sound at 48 kHz',
    container: 'mp4',
    extension: 'mp4',
    rate: '60000/1001',
    video: { codec: 'libx264', gop: 30, options: { ...X264, 'x264-params': 'scenecut=0:ref=2' } },
    audio: [AAC],
  },
  'h264-surround-aac': {
    about: 'H.264 with AAC in 5.1',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', bFrames: 3, options: X264 },
    audio: [{ codec: 'aac', channels: 6, options: { b: 320_000 } }],
  },
  'h264-eac3': {
    about: 'H.264 with E-AC-3',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'eac3' }],
  },
  'h264-flac': {
    about: 'H.264 with FLAC',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libx264', options: X264 },
    audio: [{ codec: 'flac' }],
  },
  'h264-ulaw': {
    about: 'security camera: H.264 with G.711 at 8 kHz, 12 pictures a second',
    container: 'mov',
    extension: 'mov',
    rate: '12',
    video: { codec: 'libx264', gop: 24, options: X264 },
    audio: [{ codec: 'pcm_mulaw', sampleRate: 8_000, channels: 1, packetSeconds: 0.25 }],
  },
  'mpeg2-four-mono': {
    about: 'news camera: MPEG-2 4:2:2 interlaced, four mono tracks of PCM',
    container: 'mov',
    extension: 'mov',
    rate: '25',
    video: {
      codec: 'mpeg2video',
      pixelFormat: 'yuv422p',
      gop: 12,
      bFrames: 2,
      interlaced: true,
      options: { b: 6_000_000 },
    },
    audio: [MONO, MONO, MONO, MONO],
  },
  'hevc-phone-vfr-aac': {
    about: 'phone: HEVC without B-pictures, pictures left out, mono sound',
    container: 'mov',
    extension: 'mov',
    video: {
      codec: 'libx265',
      timing: 'dropped',
      tag: 'hvc1',
      options: { ...X265, 'x265-params': 'bframes=0' },
    },
    audio: [{ codec: 'aac', sampleRate: 44_100, channels: 1, options: { b: 96_000 } }],
  },
  'hevc-intra-pcm': {
    about: 'HEVC 4:2:2 in 10 bits, intra pictures only, PCM',
    container: 'mov',
    extension: 'mov',
    rate: '24000/1001',
    video: {
      codec: 'libx265',
      pixelFormat: 'yuv422p10le',
      gop: 1,
      tag: 'hvc1',
      options: { ...X265, 'x265-params': 'keyint=1' },
    },
    audio: [{ codec: 'pcm_s16le', packetSeconds: 1 / 24 }],
  },
  'hevc-fragmented-aac': {
    about: 'HEVC in fragments, as streaming packagers write them',
    container: 'mp4',
    extension: 'mp4',
    muxer: { movflags: 'frag_keyframe+empty_moov+separate_moof+omit_tfhd_offset' },
    video: { codec: 'libx265', bFrames: 3, tag: 'hvc1', options: X265 },
    audio: [AAC],
  },
  'prores-4444-pcm': {
    about: 'ProRes 4444 with an alpha plane',
    container: 'mov',
    extension: 'mov',
    rate: '24',
    video: { codec: 'prores_ks', pixelFormat: 'yuva444p10le', options: { profile: '4444' } },
    audio: [{ codec: 'pcm_s16le', packetSeconds: 0.5 }],
  },
  'av1-aac': {
    about: 'AV1 in 10 bits with AAC',
    container: 'mp4',
    extension: 'mp4',
    video: { codec: 'libsvtav1', pixelFormat: 'yuv420p10le', gop: 60, options: { preset: 10, crf: 40 } },
    audio: [AAC],
  },
  'mjpeg-ima4': {
    about: 'photo camera: Motion JPEG 4:2:2 with IMA ADPCM',
    container: 'mov',
    extension: 'mov',
    rate: '24',
    video: {
      codec: 'mjpeg',
      pixelFormat: 'yuvj422p',
      options: { flags: '+qscale+bitexact', global_quality: 590 },
    },
    audio: [{ codec: 'adpcm_ima_qt', sampleRate: 22_050, channels: 1 }],
  },
}
