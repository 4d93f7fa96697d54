import {
  FF_ENCODER_H263,
  FF_ENCODER_LIBSVTAV1,
  FF_ENCODER_LIBVPX_VP8,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  FF_ENCODER_MJPEG,
  FF_ENCODER_MPEG1VIDEO,
  FF_ENCODER_MPEG2VIDEO,
  FF_ENCODER_MPEG4,
  FF_ENCODER_MSMPEG4V2,
  FF_ENCODER_MSMPEG4V3,
  FF_ENCODER_PRORES_KS,
  FF_ENCODER_WMV1,
  FF_ENCODER_WMV2,
} from 'node-av/constants'
import type { Recipe } from './encode.ts'

const QUIET_X264 = 'crf=34:threads=1:lookahead-threads=1'
const QUIET_X265 = 'crf=36:frame-threads=1:log-level=none:info=0'

function x264(name: string, params: string, more: Partial<Recipe> = {}): Recipe {
  return {
    name,
    codec: 'h264',
    encoder: FF_ENCODER_LIBX264,
    ...more,
    options: { preset: 'medium', 'x264-params': `${QUIET_X264}:${params}`, ...more.options },
  }
}

function x265(name: string, params: string, more: Partial<Recipe> = {}): Recipe {
  return {
    name,
    codec: 'hevc',
    encoder: FF_ENCODER_LIBX265,
    ...more,
    options: { preset: 'medium', 'x265-params': `${QUIET_X265}:${params}`, ...more.options },
  }
}

function asp(name: string, options: Readonly<Record<string, string>>, more: Partial<Recipe> = {}): Recipe {
  return { name, codec: 'mpeg4', encoder: FF_ENCODER_MPEG4, ...more, options: { qscale: '16', ...options } }
}

function mpeg2(name: string, options: Readonly<Record<string, string>>, more: Partial<Recipe> = {}): Recipe {
  const base = { name, codec: 'mpeg2video', encoder: FF_ENCODER_MPEG2VIDEO, bFrames: 2, pictures: 16 }
  return { ...base, ...more, options: { qscale: '14', ...options } }
}

function vp9(name: string, options: Readonly<Record<string, string>>, more: Partial<Recipe> = {}): Recipe {
  const base = { name, codec: 'vp9', encoder: FF_ENCODER_LIBVPX_VP9, container: 'webm' as const }
  return { ...base, ...more, options: { deadline: 'good', 'cpu-used': '3', ...options } }
}

/** Every test stream. Adding one: a line here, then run `generate.ts`. */
export const RECIPES: readonly Recipe[] = [
  x264('h264-baseline', 'keyint=12', { options: { profile: 'baseline' } }),
  x264('h264-b-pyramid', 'keyint=24:bframes=4:b-adapt=0:b-pyramid=normal:scenecut=0'),
  x264('h264-b-adaptive', 'keyint=16:bframes=3:b-adapt=2:weightp=2'),
  x264('h264-slices-2', 'keyint=12:slices=2:bframes=1'),
  x264('h264-slices-8', 'keyint=12:slices=8:bframes=2', { height: 128, pictures: 20 }),
  x264('h264-open-gop', 'keyint=10:open-gop=1:bframes=2:b-adapt=0:scenecut=0'),
  x264('h264-interlaced', 'keyint=12:tff=1:bframes=2', { interlaced: true }),
  x264('h264-interlaced-cavlc', 'keyint=12:tff=1:cabac=0:bframes=2:crf=16', {
    interlaced: true,
    fieldsApart: 3,
    pictures: 14,
  }),
  x264('h264-field-pairs', 'keyint=1:tff=1:crf=24', { interlaced: true, fieldsApart: 9, pictures: 5 }),
  x264('h264-cabac-init-1', 'keyint=12:bframes=2:cabac-idc=1:partitions=all:crf=24', { pictures: 8 }),
  x264('h264-cabac-init-2', 'keyint=12:bframes=2:cabac-idc=2:partitions=all:crf=24', { pictures: 8 }),
  x264('h264-10-bit', 'keyint=12:bframes=2', { format: 'yuv420p10le' }),
  x264('h264-422-10-bit-intra', 'keyint=1', { format: 'yuv422p10le', pictures: 8 }),
  x264('h264-aud-repeated-headers', 'keyint=8:aud=1:repeat-headers=1:bframes=1'),
  x264('h264-cavlc', 'keyint=12:cabac=0:bframes=2'),
  x264('h264-start-codes', 'keyint=12:aud=1:repeat-headers=1:bframes=2:slices=2', { container: 'none' }),
  x265('hevc-p', 'keyint=12:bframes=0'),
  x265('hevc-b-pyramid', 'keyint=24:min-keyint=24:bframes=4:b-adapt=0:b-pyramid=1:scenecut=0:open-gop=0'),
  x265('hevc-open-gop', 'keyint=10:min-keyint=10:open-gop=1:bframes=3:b-adapt=0:scenecut=0'),
  x265('hevc-radl', 'keyint=12:min-keyint=12:open-gop=0:radl=2:bframes=3:b-adapt=0:scenecut=0'),
  x265('hevc-10-bit', 'keyint=12:bframes=2', { format: 'yuv420p10le' }),
  x265('hevc-422-10-bit', 'keyint=4:crf=18:tu-intra-depth=3', { format: 'yuv422p10le', pictures: 8 }),
  x265('hevc-444-10-bit', 'keyint=4:crf=18:tu-intra-depth=3', { format: 'yuv444p10le', pictures: 8 }),
  x265('hevc-slices', 'keyint=12:slices=3:bframes=2:ctu=16:min-cu-size=8:wpp=1', {
    height: 160,
    pictures: 20,
  }),
  x265(
    'hevc-repeated-headers',
    'keyint=8:aud=1:repeat-headers=1:bframes=1:hrd=1:vbv-bufsize=200:vbv-maxrate=200',
  ),
  x265('hevc-sao-without-deblocking', 'keyint=12:bframes=2:no-deblock=1:sao=1'),
  x265('hevc-temporal-layers', 'keyint=16:bframes=3:b-adapt=0:temporal-layers=1:scenecut=0'),
  x265('hevc-start-codes', 'keyint=12:aud=1:repeat-headers=1:bframes=2', { container: 'none' }),
  {
    name: 'mjpeg',
    codec: 'mjpeg',
    encoder: FF_ENCODER_MJPEG,
    format: 'yuvj420p',
    pictures: 6,
    container: 'mov',
  },
  {
    name: 'prores',
    codec: 'prores',
    encoder: FF_ENCODER_PRORES_KS,
    options: { profile: '0', qscale: '24' },
    format: 'yuv422p10le',
    width: 64,
    pictures: 5,
    container: 'mov',
  },
  asp('mpeg4-simple', {}),
  asp('mpeg4-b', { bf: '2' }, { bFrames: 2 }),
  asp('mpeg4-qpel-4mv', { flags: '+mv4+qpel', mbd: 'rd' }, { pictures: 16 }),
  asp('mpeg4-packets', { ps: '60', bf: '1' }, { bFrames: 1, pictures: 20 }),
  asp('mpeg4-interlaced', { flags: '+ildct+ilme', bf: '2' }, { bFrames: 2, interlaced: true, pictures: 20 }),
  asp('mpeg4-matrix', { mpeg_quant: '1' }, { pictures: 10 }),
  asp('mpeg4-partitioned', { data_partitioning: '1', ps: '80' }, { pictures: 10 }),
  {
    name: 'h263',
    codec: 'h263',
    encoder: FF_ENCODER_H263,
    width: 128,
    height: 96,
    container: 'mov',
    pictures: 14,
  },
  mpeg2('mpeg2-b', {}),
  mpeg2('mpeg2-interlaced', { flags: '+ildct+ilme', alternate_scan: '1' }, { interlaced: true }),
  mpeg2('mpeg2-422', { intra_vlc: '1', profile: '0' }, { format: 'yuv422p', pictures: 8 }),
  {
    name: 'mpeg1-b',
    codec: 'mpeg1video',
    encoder: FF_ENCODER_MPEG1VIDEO,
    options: { qscale: '14' },
    bFrames: 2,
    pictures: 16,
    container: 'mov',
  },
  {
    name: 'av1',
    codec: 'av1',
    encoder: FF_ENCODER_LIBSVTAV1,
    options: { preset: '10', crf: '50', 'svtav1-params': 'keyint=10' },
    pictures: 24,
  },
  {
    name: 'av1-segments',
    codec: 'av1',
    encoder: FF_ENCODER_LIBSVTAV1,
    options: { preset: '8', crf: '50', 'svtav1-params': 'keyint=12:aq-mode=1' },
    pictures: 20,
  },
  {
    name: 'vp8',
    codec: 'vp8',
    encoder: FF_ENCODER_LIBVPX_VP8,
    options: { deadline: 'realtime', 'cpu-used': '8', crf: '50', b: '40000' },
    pictures: 14,
    container: 'webm',
  },
  {
    name: 'vp9',
    codec: 'vp9',
    encoder: FF_ENCODER_LIBVPX_VP9,
    options: { deadline: 'realtime', 'cpu-used': '8', crf: '50', b: '40000' },
    pictures: 14,
    container: 'webm',
  },
  vp9(
    'vp9-hidden',
    { deadline: 'realtime', 'cpu-used': '7', b: '60000', 'lag-in-frames': '16' },
    { gop: 30 },
  ),
  vp9('vp9-adapting', { 'frame-parallel': '0', b: '50000' }, { width: 102, height: 70, pictures: 16 }),
  vp9(
    'vp9-tiles',
    { 'tile-columns': '1', 'tile-rows': '1', 'frame-parallel': '0', b: '60000' },
    {
      ...{ width: 520, height: 136, pictures: 6 },
    },
  ),
  vp9('vp9-resilient', { 'error-resilient': '1', b: '40000' }, { pictures: 12 }),
  vp9('vp9-lossless', { lossless: '1' }, { width: 64, height: 48, pictures: 5 }),
  vp9(
    'vp9-segments',
    { deadline: 'realtime', 'aq-mode': '3', 'frame-parallel': '0', b: '30000' },
    {
      ...{ width: 160, height: 96, gop: 20, pictures: 20 },
    },
  ),
  vp9(
    'vp9-10-bit',
    { profile: '2', 'frame-parallel': '0', crf: '20', b: '0' },
    {
      ...{ format: 'yuv420p10le', pictures: 6 },
    },
  ),
  vp9('vp9-422', { profile: '1', b: '40000' }, { format: 'yuv422p', pictures: 8 }),
  vp9(
    'vp9-444-10-bit',
    { profile: '3', 'frame-parallel': '0', b: '40000' },
    {
      ...{ format: 'yuv444p10le', pictures: 8 },
    },
  ),
  ...(
    [
      ['msmpeg4v2', FF_ENCODER_MSMPEG4V2],
      ['msmpeg4v3', FF_ENCODER_MSMPEG4V3],
      ['wmv1', FF_ENCODER_WMV1],
      ['wmv2', FF_ENCODER_WMV2],
    ] as const
  ).map(([codec, encoder]) => ({
    ...{ name: codec, codec, encoder, options: { qscale: '20' } },
    ...{ width: 64, height: 48, pictures: 8, gop: 4, container: 'avi' as const },
  })),
]
