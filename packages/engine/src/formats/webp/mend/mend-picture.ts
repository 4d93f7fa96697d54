import { rewriteKeyFrame } from '../../../codecs/vp8/key-frame-reader.ts'
import { rewriteLossless, rewriteLosslessAlpha } from '../../../codecs/vp8l/check-image.ts'
import type { PhotoArea } from '../../../model/photo.ts'
import { plainAccount, type RasterAccount } from '../../../photo/raster/raster.ts'
import type { ImageCheck } from '../read/image.ts'
import { bodyOf, type Picture } from '../read/picture.ts'

/** What becomes of a picture. */
export interface PictureFate {
  readonly picture: Picture
  readonly account: RasterAccount
  /** Data of its own in place of the file's; undefined where those stay. */
  readonly image: Uint8Array | undefined
  readonly alpha: Uint8Array | undefined
  /** Its transparency goes: what is left of it would hide the picture. */
  readonly alphaGone: boolean
  /** Something in it was hit, and nothing tells where. */
  readonly torn: boolean
  readonly gone: boolean
}

/** Bits of the first byte of a transparency that say how its levels are predicted. */
const FILTER = 0x0c

/** Ends the data of a picture properly that breaks off or goes wrong; what nothing is left of is gone. */
export function mendPicture(bytes: Uint8Array, picture: Picture): PictureFate {
  const { check, image, alphaCheck } = picture
  const alphaHit = alphaCheck !== undefined && !alphaCheck.right
  const alpha = alphaHit ? mendAlpha(bytes, picture) : undefined
  const base = { picture, alpha, alphaGone: alphaHit && !alpha, torn: false, gone: false }
  if (!check || check.there === 0)
    return { ...base, account: plainAccount(check?.height ?? 0, false), image: undefined, gone: true }
  if (check.state === 'right') return { ...base, account: plainAccount(check.height, true), image: undefined }
  // a picture whose end is missing is as it was up to there; in another one, nothing tells what was hit
  const torn = check.state === 'torn' || (image.state !== 'cut' && picture.holes.length === 0)
  const account = accountOf(check, torn)
  if (check.whole) return { ...base, account, image: undefined, torn }
  const body = bodyOf(bytes, image)
  const mended =
    check.type === 'VP8 '
      ? rewriteKeyFrame(body, picture.holes, check.modes < check.total ? check.modes : Infinity, check.there)
      : rewriteLossless(
          body.subarray(0, Math.min(body.length, ...picture.holes.map(({ from }) => from))),
          check.there,
        )
  if (!mended) return { ...base, account: plainAccount(check.height, false), image: undefined, gone: true }
  return { ...base, account, image: mended, torn }
}

/** A transparency that goes on as it was where it breaks off; undefined where it would hide the picture. */
function mendAlpha(bytes: Uint8Array, { alpha, alphaCheck, check }: Picture): Uint8Array | undefined {
  const image = alphaCheck?.image
  if (!alpha || !image || !check || image.there === 0 || image.whole) return undefined
  const body = bodyOf(bytes, alpha)
  if (!image.predicted && (body[0] & FILTER) === 0) return undefined
  const mended = rewriteLosslessAlpha(body.subarray(1), check.width, check.height, image.there)
  if (!mended) return undefined
  const result = new Uint8Array(1 + mended.length)
  result[0] = body[0]
  result.set(mended, 1)
  return result
}

/** Counts rows of pixels: those in front of the first unit that is missing, and the rest. */
function accountOf(check: ImageCheck, torn: boolean): RasterAccount {
  const { width, height, there, total, perRow, unitWide, unitHigh, predicted } = check
  const row = Math.floor(there / perRow)
  const whole = Math.min(height, row * unitHigh)
  const areas: PhotoArea[] = []
  const state = predicted ? 'filled' : 'lost'
  if (torn) areas.push({ x: 0, y: 0, width, height: Math.min(height, whole + unitHigh), state: 'estimated' })
  if (there < total) {
    const x = Math.floor((there % perRow) * unitWide)
    const below = Math.min(height, whole + unitHigh)
    areas.push({ x, y: whole, width: width - x, height: below - whole, state })
    if (below < height) areas.push({ x: 0, y: below, width, height: height - below, state })
  }
  return {
    recovered: torn ? 0 : whole,
    estimated: torn ? whole : 0,
    lost: height - whole,
    areas: areas.filter((area) => area.width > 0 && area.height > 0),
  }
}
