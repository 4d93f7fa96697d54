import type { BoolDecoder } from '../bool-decoder.ts'
import { COEFFICIENT_UPDATES } from './coefficient-probabilities.ts'
import { Probabilities } from './probabilities.ts'

const EVEN = 128
/** Bytes of the size in front of each of the further partitions but the last, RFC 6386 §9.5. */
export const SIZE_BYTES = 3
/** Probabilities by which those of vectors change, §17.2. */
// biome-ignore format: a table
const VECTOR_UPDATES = Uint8Array.of(
  237, 246, 253, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 250, 250, 252, 254, 254,
  231, 243, 245, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 251, 251, 254, 254, 254,
)

/** What a frame that builds on others says of its macroblocks besides. */
export interface InterFields {
  /** Probabilities that one does not build on others, that it builds on the last frame, and else on the golden one. */
  readonly intra: number
  readonly last: number
  readonly golden: number
  /** Whether vectors to each of the references, from 1 on, are the other way round. */
  readonly reversed: readonly boolean[]
}

/** What a frame says before its macroblocks, §9.3 to §9.11, §19.2. */
export interface FrameFields {
  /** The first partition, read up to where the macroblocks' modes begin. */
  readonly modes: BoolDecoder
  readonly hasSegmentMap: boolean
  readonly segmentProbabilities: Uint8Array
  /** Probability of a macroblock with coefficients; undefined where that is not told. */
  readonly skipProbability: number | undefined
  /** Where each further partition lies in the frame; the last goes on to its end. */
  readonly partitions: readonly { readonly from: number; readonly to: number }[]
  /** Undefined of a key frame. */
  readonly inter: InterFields | undefined
  /** The probabilities that frames behind this one begin with. */
  readonly kept: Probabilities
}

/**
 * Reads the fields in the first partition, which ends at `firstEnd`; undefined where they break off.
 * @param probabilities of this frame: they are changed as it says
 */
export function readFields(
  bytes: Uint8Array,
  firstEnd: number,
  modes: BoolDecoder,
  isKey: boolean,
  probabilities: Probabilities,
): FrameFields | undefined {
  const flag = (): boolean => modes.bool(EVEN) === 1
  // colour space and clamping
  if (isKey) modes.literal(2)
  const segments = readSegments(modes)
  // filter type, level and sharpness
  modes.literal(1 + 6 + 3)
  const adjusted = flag() && flag()
  for (let i = 0; adjusted && i < 8; i++) if (flag()) modes.literal(6 + 1)
  const count = 1 << modes.literal(2)
  // quantizer indices
  modes.literal(7)
  for (let i = 0; i < 5; i++) if (flag()) modes.literal(4 + 1)
  const reversed = isKey ? [] : readReferences(modes)
  const isKept = flag()
  const kept = isKept ? probabilities : new Probabilities(probabilities)
  // refresh_last
  if (!isKey) modes.literal(1)
  const { coefficients } = probabilities
  for (let i = 0; i < coefficients.length; i++)
    if (modes.bool(COEFFICIENT_UPDATES[i]) === 1) coefficients[i] = modes.literal(8)
  const skipProbability = flag() ? modes.literal(8) : undefined
  const inter = isKey ? undefined : { ...readInter(modes, probabilities), reversed }
  if (modes.overrun) return undefined
  return {
    modes,
    ...segments,
    skipProbability,
    inter,
    kept,
    partitions: readPartitions(bytes, firstEnd, count),
  }
}

/** update_segmentation, §9.3. */
function readSegments(bools: BoolDecoder): Pick<FrameFields, 'hasSegmentMap' | 'segmentProbabilities'> {
  const flag = (): boolean => bools.bool(EVEN) === 1
  let hasSegmentMap = false
  const segmentProbabilities = new Uint8Array(3).fill(255)
  if (flag()) {
    hasSegmentMap = flag()
    if (flag()) {
      bools.literal(1)
      for (const bits of [7, 6]) for (let i = 0; i < 4; i++) if (flag()) bools.literal(bits + 1)
    }
    if (hasSegmentMap) for (let i = 0; i < 3; i++) if (flag()) segmentProbabilities[i] = bools.literal(8)
  }
  return { hasSegmentMap, segmentProbabilities }
}

/** What becomes of the golden and the alternate frame, §9.7: whether vectors to each reference are the other way round. */
function readReferences(bools: BoolDecoder): boolean[] {
  const refreshed = [bools.literal(1), bools.literal(1)]
  for (const isRefreshed of refreshed) if (isRefreshed === 0) bools.literal(2)
  return [false, false, bools.bool(EVEN) === 1, bools.bool(EVEN) === 1]
}

function readInter(bools: BoolDecoder, { modes, chromaModes, vectors }: Probabilities) {
  const [intra, last, golden] = [bools.literal(8), bools.literal(8), bools.literal(8)]
  for (const each of [modes, chromaModes])
    if (bools.bool(EVEN) === 1) for (let i = 0; i < each.length; i++) each[i] = bools.literal(8)
  for (let i = 0; i < vectors.length; i++) {
    if (bools.bool(VECTOR_UPDATES[i]) === 0) continue
    const value = bools.literal(7)
    vectors[i] = value === 0 ? 1 : value << 1
  }
  return { intra, last, golden }
}

function readPartitions(bytes: Uint8Array, firstEnd: number, count: number): FrameFields['partitions'] {
  let from = firstEnd + SIZE_BYTES * (count - 1)
  return Array.from({ length: count }, (_, i) => {
    const at = firstEnd + SIZE_BYTES * i
    const size =
      i < count - 1 ? (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) : Infinity
    const to = Math.min(from + size, Math.max(from, bytes.length))
    const partition = { from, to }
    from += size
    return partition
  })
}

/** The segment of a macroblock, §10. */
export function readSegment(modes: BoolDecoder, probabilities: Uint8Array): void {
  modes.bool(modes.bool(probabilities[0]) === 0 ? probabilities[1] : probabilities[2])
}
