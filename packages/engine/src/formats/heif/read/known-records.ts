import { hevcChannelsOf } from './hevc-record.ts'
import type { LooseRecord, Size } from './loose-properties.ts'

/** How the tiles of a maker's cameras are coded, where all of them are coded alike, but for words about colour. */
interface KnownRecord {
  /** How the first slice of each tile begins, after the header of its NAL unit. */
  readonly kind: string
  readonly width: number
  readonly height: number
  /** Tiles of a photo, and how large it is. */
  readonly photo: { readonly tiles: number; readonly width: number; readonly height: number }
  /** The body of the `hvcC` record in hexadecimal digits: ISO/IEC 14496-15:2022 §8.3.2. */
  readonly config: string
}

/** Apple's phones. Their colours are those of Display P3, by the words that the latest of them write. */
const KNOWN: readonly KnownRecord[] = [
  {
    kind: '44932',
    width: 512,
    height: 512,
    photo: { tiles: 48, width: 4032, height: 3024 },
    config:
      '010370000000b000000000005af000fcfdf8f800000b03a00001001740010c01ffff037000000300b0000003000003005a7024a1000100224201' +
      '01037000000300b0000003000003005aa0040200805887b91655370c01060080a2000100094401c06172c8405324',
  },
  {
    kind: '44424',
    width: 512,
    height: 512,
    photo: { tiles: 48, width: 3024, height: 4032 },
    config:
      '010160000000b000000000005af000fcfdf8f800000f03a00001001740010c01ffff016000000300b0000003000003005a2c09a1000100244201' +
      '01016000000300b0000003000003005aa00402008059cb9244a497137020206a4020a2000100114401c061124c14e9111124491244912a40',
  },
]

/** How large a photo of so many tiles is whose first slices begin so, where only one maker's do. */
export function knownSize(kind: string | undefined, tiles: number): Size | undefined {
  return KNOWN.find((each) => each.kind === kind && each.photo.tiles === tiles)?.photo
}

/** How pictures are coded whose first slices begin so, where only one maker's do. */
export function knownRecord(kind: string | undefined): LooseRecord | undefined {
  const known = KNOWN.find((each) => each.kind === kind)
  if (!known) return undefined
  const { width, height } = known
  const digits = known.config.match(/../g) ?? []
  const config = Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16))
  return { codec: 'hvc1', config, ...hevcChannelsOf(config), size: { width, height } }
}
