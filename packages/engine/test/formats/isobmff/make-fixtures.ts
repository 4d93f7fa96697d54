import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeClip } from '../../../../../tools/src/media/make-clip.ts'
import type { AudioSpec, ClipSpec, VideoSpec } from '../../../../../tools/src/media/spec.ts'

// Writes the stored recordings: `node packages/engine/test/formats/isobmff/make-fixtures.ts [name…]`. Needs node-av, reading them
// does not.

const FOLDER = new URL('./fixtures/', import.meta.url)

const base = { container: 'mp4', seconds: 2, width: 128, height: 72, rate: '25', seed: 7 } as const

function x264(params: string, more: Partial<VideoSpec> = {}): VideoSpec {
  return {
    codec: 'libx264',
    content: 'fractal',
    gop: 25,
    bFrames: 2,
    ...more,
    options: { preset: 'medium', crf: 33, 'x264-params': `threads=1:lookahead-threads=1:${params}` },
  }
}

const aac: AudioSpec = { codec: 'aac', content: 'bursts', channels: 2, options: { b: 24_000 } }
const pcm: AudioSpec = {
  codec: 'pcm_s16le',
  content: 'tone',
  channels: 1,
  sampleRate: 8_000,
  packetSeconds: 0.25,
}

const opus: AudioSpec = {
  codec: 'libopus',
  content: 'bursts',
  channels: 2,
  sampleRate: 48_000,
  options: { b: 32_000 },
}
const mpeg4: VideoSpec = { codec: 'mpeg4', content: 'calm', gop: 10, options: { b: 120_000 } }
const mjpeg: VideoSpec = {
  codec: 'mjpeg',
  content: 'calm',
  pixelFormat: 'yuvj420p',
  options: { flags: '+qscale', global_quality: 2400 },
}
/** Another size, of a sample with other settings. */
const LARGER = { width: 176, height: 144, seed: 8 } as const

/** ISO/IEC 23001-7 common encryption, with a key that tests know. */
const encryption = {
  encryption_scheme: 'cenc-aes-ctr',
  encryption_key: '00112233445566778899aabbccddeeff',
  encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
}

/** Every stored recording: a line each. */
const CLIPS: Readonly<Record<string, ClipSpec>> = {
  'h264-aac.mp4': { ...base, video: x264('bframes=2'), audio: [aac] },
  'h264-aac-twin.mp4': { ...base, seed: 8, video: x264('bframes=2', { content: 'calm' }), audio: [aac] },
  'h264-aac-faststart.mp4': {
    ...base,
    muxer: { movflags: 'faststart' },
    video: x264('bframes=0', { bFrames: 0 }),
    audio: [aac],
  },
  'h264-mono.mp4': {
    ...base,
    seed: 8,
    video: x264('bframes=0', { bFrames: 0, content: 'calm' }),
    audio: [{ ...aac, channels: 1 }],
  },
  'hevc-aac.mp4': {
    ...base,
    video: {
      codec: 'libx265',
      content: 'fractal',
      gop: 25,
      bFrames: 2,
      tag: 'hvc1',
      options: { preset: 'medium', crf: 36, 'x265-params': 'log-level=none:frame-threads=1:pools=none' },
    },
    audio: [aac],
  },
  'h264-pcm.mov': { ...base, container: 'mov', video: x264('bframes=1', { bFrames: 1 }), audio: [pcm] },
  'h264-aac-fragmented.mp4': {
    ...base,
    muxer: { movflags: 'frag_keyframe+empty_moov+default_base_moof', frag_duration: 500_000 },
    video: { ...x264('bframes=2:keyint=10'), gop: 10 },
    audio: [aac],
  },
  'h264-two-aac.mov': {
    ...base,
    container: 'mov',
    seconds: 1,
    video: x264('bframes=0', { bFrames: 0 }),
    audio: [aac, { ...aac, content: 'noise' }],
    timecode: '01:00:00:00',
  },
  'h264-aac-encrypted.mp4': {
    ...base,
    muxer: { ...encryption, movflags: 'faststart' },
    video: x264('bframes=2'),
    audio: [aac],
  },
  'h264-aac-encrypted-fragmented.mp4': {
    ...base,
    muxer: { ...encryption, movflags: 'frag_keyframe+empty_moov+default_base_moof', frag_duration: 500_000 },
    video: x264('bframes=2'),
    audio: [aac],
  },
  'mpeg4-aac.mp4': { ...base, seconds: 1, video: mpeg4, audio: [aac] },
  'mpeg4-aac-larger.mp4': { ...base, ...LARGER, seconds: 1, video: mpeg4, audio: [aac] },
  'mjpeg-pcm.mov': { ...base, container: 'mov', seconds: 1, rate: '10', video: mjpeg, audio: [pcm] },
  'mjpeg-pcm-larger.mov': {
    ...base,
    ...LARGER,
    container: 'mov',
    seconds: 1,
    rate: '10',
    video: mjpeg,
    audio: [pcm],
  },
  'h264-opus.mp4': { ...base, video: x264('bframes=0', { bFrames: 0 }), audio: [opus] },
  'h264-opus-larger.mp4': { ...base, ...LARGER, video: x264('bframes=0', { bFrames: 0 }), audio: [opus] },
  'prores-pcm.mov': {
    ...base,
    container: 'mov',
    seconds: 1,
    width: 64,
    height: 48,
    rate: '10',
    video: { codec: 'prores_ks', content: 'calm', pixelFormat: 'yuv422p10le', options: { profile: '0' } },
    audio: [pcm],
  },
}

const wanted = process.argv.slice(2)
mkdirSync(FOLDER, { recursive: true })
for (const [name, clip] of Object.entries(CLIPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const path = fileURLToPath(new URL(name, FOLDER))
  await makeClip(clip, path)
  console.log(`${name}: ${statSync(path).size} bytes`)
}
