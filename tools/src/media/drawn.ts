import type { Shape } from './catalogue.ts'
import { type Draw, drawFrom } from './draw.ts'
import type { Recipe } from './recipe.ts'
import type { AudioSpec, VideoSpec } from './spec.ts'

type Video = Omit<VideoSpec, 'content'>
type Audio = Omit<AudioSpec, 'content'>

/** A recording of settings drawn by lot: no catalogue has seen it. */
export interface DrawnRecipe {
  readonly recipe: Recipe
  readonly shape: Shape
}

const SIZES = [
  [176, 144],
  [320, 180],
  [352, 288],
  [360, 640],
  [480, 272],
  [640, 360],
] as const
const RATES = ['15', '24000/1001', '24', '25', '30000/1001', '30', '50', '60000/1001', '60']
const GROUPS = [1, 12, 15, 30, 60, 250]
const PRESETS = ['ultrafast', 'superfast', 'veryfast', 'medium']
/** Sizes that the older phones' codec knows. */
const H263_SIZES = [
  [176, 144],
  [352, 288],
] as const

/**
 * The recording with a number: the same number gives the same one everywhere. What is `given` is not drawn; H.263, which knows
 * few sizes, keeps its own.
 */
export function drawnRecipe(number: number, given: Partial<Omit<Shape, 'seed'>> = {}): DrawnRecipe {
  const draw = drawFrom(number)
  const video = drawVideo(draw)
  const size = video.codec === 'h263' ? {} : given
  const [drawnWidth, drawnHeight] = draw.one(video.codec === 'h263' ? H263_SIZES : SIZES)
  const width = size.width ?? drawnWidth
  const height = size.height ?? drawnHeight
  const rate = draw.one(RATES)
  const drawnSeconds = 3 + draw.below(4)
  const seconds = given.seconds ?? drawnSeconds
  const audio = drawSound(draw, video)
  const needsQuickTime = needsMov(video) || audio.some(({ codec }) => /^(pcm|adpcm|alac)/.test(codec))
  const isPhone = audio.some(({ codec }) => codec === 'amr_nb') || video.codec === 'h263'
  // QuickTime knows no Opus, and MPEG-4 files no plain sound
  const mayBeQuickTime = draw.happens(0.3) && !audio.some(({ codec }) => codec === 'libopus')
  const container = isPhone ? '3gp' : needsQuickTime || mayBeQuickTime ? 'mov' : 'mp4'
  const isFragmented = !isPhone && draw.happens(0.12)
  const movflags = isFragmented
    ? draw.one(['frag_keyframe+empty_moov+default_base_moof', 'frag_keyframe+empty_moov+separate_moof'])
    : draw.happens(0.4)
      ? 'faststart'
      : undefined
  const timecode = container === 'mov' && draw.happens(0.1) ? '01:02:03:04' : undefined
  const parts = [container, ...(movflags ? [movflags] : []), ...(timecode ? ['timecode'] : [])]
  return {
    recipe: {
      container,
      extension: container,
      rate,
      video,
      audio,
      ...(movflags ? { muxer: { movflags } } : {}),
      ...(timecode ? { timecode } : {}),
      about: [...parts, `${width}x${height} at ${rate}`, told(video), ...audio.map(told)].join(', '),
    },
    shape: { seconds, width, height, seed: number },
  }
}

/** Settings in a line, the codec first. */
function told({ codec, ...settings }: Video | Audio): string {
  const values = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [codec, ...values].join(' ').replaceAll('"', '')
}

function needsMov({ codec }: Video): boolean {
  return codec === 'prores_ks' || codec === 'dnxhd' || codec === 'mjpeg'
}

function drawVideo(draw: Draw): Video {
  const kind = draw.weighted({
    h264: 45,
    hevc: 25,
    mpeg4: 8,
    mjpeg: 5,
    vp9: 5,
    av1: 4,
    prores: 4,
    dnxhd: 2,
    h263: 2,
  })
  const timing = draw.weighted({ constant: 7, dropped: 1, jittered: 1 })
  const gop = draw.one(GROUPS)
  if (kind === 'h264') return { ...drawH264(draw, gop), timing }
  if (kind === 'hevc') return { ...drawHevc(draw, gop), timing }
  if (kind === 'mpeg4')
    return {
      codec: 'mpeg4',
      gop,
      bFrames: draw.one([0, 0, 2]),
      timing,
      options: { b: draw.one([500_000, 2_000_000]) },
    }
  if (kind === 'h263') return { codec: 'h263', gop, options: { b: 400_000 } }
  if (kind === 'vp9')
    return {
      codec: 'libvpx-vp9',
      gop: 60,
      timing,
      options: { deadline: draw.one(['realtime', 'good']), 'cpu-used': 8, b: 1_000_000 },
    }
  if (kind === 'av1')
    return {
      codec: 'libsvtav1',
      gop: 60,
      timing,
      pixelFormat: draw.one(['yuv420p', 'yuv420p10le']),
      options: { preset: 10, crf: 40 },
    }
  if (kind === 'prores')
    return {
      codec: 'prores_ks',
      pixelFormat: 'yuv422p10le',
      options: { profile: draw.one(['proxy', 'lt', 'standard', 'hq']) },
    }
  if (kind === 'dnxhd') return { codec: 'dnxhd', pixelFormat: 'yuv422p', options: { profile: 'dnxhr_sq' } }
  return {
    codec: 'mjpeg',
    timing,
    pixelFormat: draw.one(['yuvj420p', 'yuvj422p']),
    options: { flags: '+qscale+bitexact', global_quality: 118 * draw.one([2, 5, 12]) },
  }
}

function drawH264(draw: Draw, gop: number): Video {
  const interlaced = draw.happens(0.1)
  const pixelFormat = draw.weighted({ yuv420p: 8, yuv420p10le: 1, yuv422p10le: 1 })
  const params = [
    `slices=${draw.one([1, 1, 1, 2, 4, 8])}`,
    `ref=${draw.one([1, 2, 3, 5])}`,
    `cabac=${draw.happens(0.8) ? 1 : 0}`,
    ...(draw.happens(0.3) ? ['aud=1'] : []),
    ...(draw.happens(0.2) ? ['open-gop=1'] : []),
    ...(draw.happens(0.3) ? ['scenecut=0'] : []),
    ...(draw.happens(0.15) ? ['b-pyramid=none'] : []),
    ...(draw.happens(0.1) ? ['pic-struct=1'] : []),
    ...(draw.happens(0.1) ? ['repeat-headers=1'] : []),
  ]
  return {
    codec: 'libx264',
    gop,
    bFrames: draw.one([0, 0, 1, 2, 3, 5]),
    interlaced,
    pixelFormat,
    options: { preset: draw.one(PRESETS), crf: 18 + draw.below(15), 'x264-params': params.join(':') },
  }
}

function drawHevc(draw: Draw, gop: number): Video {
  const ctu = draw.one([16, 32, 64])
  // the encoder crashes when slices have too few rows of blocks
  const slices = draw.happens(0.2) && ctu === 16 ? [`slices=${draw.one([2, 3])}`] : []
  const params = [
    `ctu=${ctu}`,
    `ref=${draw.one([1, 2, 3])}`,
    `bframes=${draw.one([0, 0, 2, 3, 4])}`,
    `keyint=${gop}`,
    `open-gop=${draw.happens(0.4) ? 1 : 0}`,
    ...slices,
    ...(draw.happens(0.2) ? ['repeat-headers=1'] : []),
    ...(draw.happens(0.15) ? ['aud=1'] : []),
    ...(draw.happens(0.15) ? ['hrd=1', 'vbv-maxrate=3000', 'vbv-bufsize=3000'] : []),
  ]
  return {
    codec: 'libx265',
    gop,
    pixelFormat: draw.weighted({ yuv420p: 7, yuv420p10le: 3 }),
    tag: draw.one(['hvc1', 'hvc1', 'hev1']),
    options: {
      preset: draw.one(['ultrafast', 'veryfast']),
      crf: 20 + draw.below(14),
      'x265-params': params.join(':'),
    },
  }
}

function drawSound(draw: Draw, video: Video): Audio[] {
  if (video.codec === 'h263') return [{ codec: 'amr_nb', sampleRate: 8_000, channels: 1 }]
  if (draw.happens(0.07)) return []
  const first = drawTrack(draw, video)
  if (!draw.happens(0.1)) return [first]
  const second = draw.happens(0.5) ? first : drawTrack(draw, video)
  const mixes = [first, second].some(({ codec }) => codec === 'libopus') && first.codec !== second.codec
  return mixes ? [first] : [first, second]
}

function drawTrack(draw: Draw, { codec: picture }: Video): Audio {
  if (picture === 'libvpx-vp9' || picture === 'libsvtav1')
    return draw.happens(0.6)
      ? { codec: 'libopus', options: { b: draw.one([48_000, 96_000]) } }
      : drawAac(draw)
  if (needsMov({ codec: picture })) return drawPcm(draw)
  const kind = draw.weighted({ aac: 62, pcm: 13, mp3: 6, ac3: 5, alac: 4, opus: 4, eac3: 3, adpcm: 3 })
  if (kind === 'pcm') return drawPcm(draw)
  if (kind === 'mp3')
    return { codec: 'libmp3lame', sampleRate: draw.one([44_100, 48_000]), channels: draw.one([1, 2]) }
  if (kind === 'ac3') return { codec: 'ac3', channels: draw.one([2, 6]) }
  if (kind === 'eac3') return { codec: 'eac3' }
  if (kind === 'alac') return { codec: 'alac', sampleRate: draw.one([44_100, 48_000]) }
  if (kind === 'opus') return { codec: 'libopus', options: { b: 64_000 } }
  if (kind === 'adpcm') return { codec: 'adpcm_ima_qt', sampleRate: draw.one([22_050, 44_100]), channels: 1 }
  return drawAac(draw)
}

function drawAac(draw: Draw): Audio {
  const channels = draw.one([1, 2, 2, 2, 6] as const)
  return {
    codec: 'aac',
    sampleRate: draw.one([16_000, 22_050, 32_000, 44_100, 44_100, 48_000, 48_000]),
    channels,
    options: { b: channels * draw.one([24_000, 48_000, 64_000]) },
  }
}

function drawPcm(draw: Draw): Audio {
  return {
    codec: draw.one(['pcm_s16le', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be']),
    sampleRate: draw.one([44_100, 48_000]),
    channels: draw.one([1, 2] as const),
    packetSeconds: draw.one([1 / 25, 0.1, 0.5, 1]),
  }
}
