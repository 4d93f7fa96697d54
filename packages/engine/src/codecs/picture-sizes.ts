/** Picture sizes that cameras, phones, screens and editors use, in luma samples, the usual first. */
export const PICTURE_SIZES: readonly (readonly [width: number, height: number])[] = [
  ...([
    [1920, 1080],
    [1280, 720],
    [3840, 2160],
    [640, 480],
    [854, 480],
    [2704, 1520],
    [1920, 1440],
  ] as const),
  ...([
    [640, 360],
    [568, 320],
    [1080, 1920],
    [720, 1280],
    [2160, 3840],
    [1440, 1080],
    [2720, 1530],
  ] as const),
  ...([
    [4096, 2160],
    [2560, 1440],
    [960, 540],
    [720, 480],
    [720, 576],
    [480, 360],
    [320, 240],
  ] as const),
  ...([
    [352, 288],
    [176, 144],
    [480, 272],
    [848, 480],
    [768, 432],
    [1024, 576],
  ] as const),
  ...([
    [960, 720],
    [1280, 960],
    [2704, 2028],
    [2704, 2032],
    [4000, 3000],
    [5312, 2988],
    [5312, 4648],
  ] as const),
  ...([
    [3008, 1504],
    [3000, 3000],
    [4096, 1344],
    [2272, 736],
    [1408, 704],
    [5120, 2880],
    [7680, 4320],
  ] as const),
  ...([
    [4096, 2304],
    [3840, 1920],
    [5760, 2880],
    [2880, 2880],
    [2048, 1536],
    [1600, 1200],
    [1024, 768],
  ] as const),
  ...([
    [800, 600],
    [800, 480],
    [426, 240],
    [256, 144],
    [540, 960],
    [480, 640],
    [360, 640],
    [320, 568],
  ] as const),
  ...([
    [608, 1080],
    [576, 1024],
    [480, 854],
    [480, 848],
    [1080, 1080],
    [1080, 1350],
    [720, 720],
  ] as const),
  ...([
    [640, 640],
    [480, 480],
    [1152, 2048],
    [1440, 2560],
    [1440, 1920],
    [1536, 2048],
    [2336, 1080],
  ] as const),
  ...([
    [2400, 1080],
    [2340, 1080],
    [2316, 1080],
    [1680, 1050],
    [1440, 900],
    [1366, 768],
    [1280, 800],
  ] as const),
  ...([
    [1280, 1024],
    [1152, 648],
    [1152, 864],
    [1024, 600],
    [704, 576],
    [704, 480],
  ] as const),
  ...([
    [640, 368],
    [640, 352],
    [624, 352],
    [576, 432],
    [544, 960],
    [512, 288],
    [432, 240],
    [400, 224],
  ] as const),
  ...([
    [384, 288],
    [368, 640],
    [352, 240],
    [320, 180],
    [240, 320],
    [160, 120],
    [128, 96],
    [128, 72],
  ] as const),
]

/** Lengths of sides that are not coded as they are: 1080 lines take 68 rows of macroblocks. */
const ODD_SIDES = [1080, 540, 360, 270, 854, 426, 568, 1366, 600, 2700, 1350]

/**
 * The visible size of pictures coded as `width` by `height` samples, when coded sizes are multiples of `step`, and heights of
 * `rowStep`: the most usual one that is coded so, be it cropped or not, else one with usual sides, which is a guess.
 */
export function visibleSize(
  width: number,
  height: number,
  step: number,
  rowStep = step,
): { width: number; height: number; guessed: boolean } {
  const up = (size: number, to: number): number => Math.ceil(size / to) * to
  const known = PICTURE_SIZES.find(([w, h]) => up(w, step) === width && up(h, rowStep) === height)
  if (known) return { width: known[0], height: known[1], guessed: false }
  const side = (coded: number, to: number): number =>
    ODD_SIDES.find((odd) => odd % to !== 0 && up(odd, to) === coded) ?? coded
  return { width: side(width, step), height: side(height, rowStep), guessed: true }
}

/** Coded widths worth trying, in steps of `step` samples, the usual first, then every other up to 8192. */
export function codedWidths(step: number): number[] {
  const widths = new Set(PICTURE_SIZES.map(([width]) => Math.ceil(width / step)))
  for (let width = 2; width * step <= 4096; width++) widths.add(width)
  return [...widths]
}
