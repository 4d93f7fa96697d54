import { BitReader } from '../../../bytes/bit-reader.ts'
import { skipFilmGrain } from './film-grain.ts'
import { readGlobalMotion } from './global-motion.ts'
import {
  type IntraFrame,
  NONE_RESTORED,
  readCdef,
  readFilterDeltas,
  readQuantiser,
  readRestoration,
  readSize,
  readSuperResolution,
  skipLoopFilter,
} from './intra-frame.ts'
import { distance, type SavedFrame } from './references.ts'
import { readSampleFormat } from './sample-format.ts'
import { readSegments } from './segments.ts'
import type { SequenceHeader } from './sequence-header.ts'
import { readTileLayout } from './tile-layout.ts'

const INTER = 1
const SWITCH = 3
const REFERENCES = 7
const NO_PRIMARY = 7
const EACH_FRAME = 2
const ALL_FRAMES = 0xff
export const SWITCHABLE = 4

/** A frame that depends on others. */
export interface InterFrame extends IntraFrame {
  readonly shown: boolean
  readonly orderHint: number
  readonly orderHintBits: number
  readonly refreshed: number
  /** By reference, from 1 on. */
  readonly references: readonly (SavedFrame | undefined)[]
  readonly orderHints: readonly number[]
  readonly globals: readonly (readonly number[])[]
  readonly globalTypes: readonly number[]
  readonly primary: SavedFrame | undefined
  readonly precise: boolean
  readonly integer: boolean
  readonly filter: number
  readonly motionModes: boolean
  readonly projects: boolean
  readonly compound: boolean
  /** The two references of skip mode. */
  readonly skipReferences: readonly number[] | undefined
  readonly warps: boolean
  readonly sequence: SequenceHeader
}

/** Reads a frame header, §5.9.2; undefined where it is of another kind, or has what is not read here, or breaks the syntax. */
export function readInterFrame(
  payload: Uint8Array,
  sequence: SequenceHeader,
  saved: readonly (SavedFrame | undefined)[],
): InterFrame | undefined {
  const bits = new BitReader(payload)
  const flag = (): boolean => bits.bit() === 1
  const format = readSampleFormat(new BitReader(sequence.bytes, sequence.rest), sequence.profile)
  const { orderHintBits } = sequence
  if (sequence.decoderModel || sequence.reduced || flag()) return undefined
  const type = bits.bits(2)
  if (type !== INTER && type !== SWITCH) return undefined
  const shown = flag()
  const showable = shown || flag()
  const resilient = type === SWITCH || flag()
  const learns = !flag()
  const screenContent = (sequence.screenContent === EACH_FRAME ? bits.bit() : sequence.screenContent) === 1
  let integer = false
  if (screenContent)
    integer = (sequence.integerVectors === EACH_FRAME ? bits.bit() : sequence.integerVectors) === 1
  bits.skip(sequence.frameIdBits)
  const ownSize = type === SWITCH || flag()
  const orderHint = bits.bits(orderHintBits)
  const primaryAt = resilient ? NO_PRIMARY : bits.bits(3)
  const refreshed = type === SWITCH ? ALL_FRAMES : bits.bits(8)
  if (resilient && orderHintBits > 0) bits.skip(8 * orderHintBits)
  // frame_refs_short_signaling
  if (orderHintBits > 0 && flag()) return undefined
  const references: (SavedFrame | undefined)[] = [undefined]
  for (let i = 0; i < REFERENCES; i++) {
    const reference = saved[bits.bits(3)]
    if (!reference) return undefined
    references.push(reference)
    if (sequence.frameIdBits > 0) bits.skip(sequence.deltaIdBits)
  }
  let size: ReturnType<typeof readSize> | undefined
  if (ownSize && !resilient) {
    for (let i = 1; i <= REFERENCES && !size; i++) {
      const reference = references[i]
      if (flag() && reference)
        size = readSuperResolution(bits, format, reference.upscaledWidth, reference.height)
    }
  }
  size ??= readSize(bits, sequence, ownSize, format)
  const precise = !integer && flag()
  const filter = flag() ? SWITCHABLE : bits.bits(2)
  const motionModes = flag()
  const projects = !resilient && sequence.projectsVectors && flag()
  const orderHints = references.map((reference) => reference?.orderHint ?? 0)
  // disable_frame_end_update_cdf
  const keepsDistributions = !learns || flag()
  const primary = primaryAt === NO_PRIMARY ? undefined : references[1 + primaryAt]
  const tiles = readTileLayout(bits, size.columns, size.rows, sequence.largeBlocks ? 5 : 4)
  const { quantiser, alike } = readQuantiser(bits, format)
  const segments = readSegments(bits, quantiser, primary?.segments)
  const deltaQuantiser = quantiser > 0 && flag()
  if (deltaQuantiser) bits.skip(2)
  const deltaFilters = deltaQuantiser && flag() ? readFilterDeltas(bits, format) : 0
  const lossless = segments.quantisers.map((index) => index === 0 && alike)
  const allLossless = lossless.every(Boolean)
  if (!allLossless) skipLoopFilter(bits, format)
  const cdefBits = allLossless || !format.cdef ? -1 : readCdef(bits, format)
  const unrestored = (allLossless && size.width === size.upscaledWidth) || !format.restores
  const restoration = unrestored ? NONE_RESTORED : readRestoration(bits, format, sequence.largeBlocks)
  const transformsDiffer = !allLossless && flag()
  const compound = flag()
  const skipReferences = compound ? skipModeReferences(orderHints, orderHint, orderHintBits) : undefined
  const skipMode = skipReferences !== undefined && flag()
  const warps = !resilient && sequence.warps && flag()
  const fewTransformTypes = flag()
  const { globals, globalTypes } = readGlobalMotion(bits, primary?.globals, precise)
  if (format.filmGrain && showable) skipFilmGrain(bits, format, type === INTER)
  if (size.upscaledWidth > sequence.width || size.height > sequence.height || bits.overrun) return undefined
  return {
    ...{
      format,
      largeBlocks: sequence.largeBlocks,
      filtersIntra: sequence.filtersIntra,
      ...size,
      learns,
      screenContent,
    },
    ...{
      copies: false,
      tiles,
      quantiser,
      segments,
      lossless,
      deltaQuantiser,
      deltaFilters,
      cdefBits,
      ...restoration,
    },
    ...{
      transformsDiffer,
      fewTransformTypes,
      bits: bits.position,
      keepsDistributions,
      refreshed,
      orderHint,
      shown,
      key: false,
    },
    ...{
      orderHintBits,
      references,
      orderHints,
      globals,
      globalTypes,
      primary,
      precise,
      integer,
      filter,
      motionModes,
    },
    ...{ projects, compound, skipReferences: skipMode ? skipReferences : undefined, warps, sequence },
  }
}

/** skip_mode_params, §5.9.22. */
function skipModeReferences(hints: readonly number[], hint: number, bits: number): number[] | undefined {
  if (bits === 0) return undefined
  let forward = 0
  let backward = 0
  for (let i = 1; i <= REFERENCES; i++) {
    const away = distance(hints[i], hint, bits)
    if (away < 0 && (forward === 0 || distance(hints[i], hints[forward], bits) > 0)) forward = i
    if (away > 0 && (backward === 0 || distance(hints[i], hints[backward], bits) < 0)) backward = i
  }
  if (forward === 0) return undefined
  if (backward === 0) {
    for (let i = 1; i <= REFERENCES; i++)
      if (
        distance(hints[i], hints[forward], bits) < 0 &&
        (backward === 0 || distance(hints[i], hints[backward], bits) > 0)
      )
        backward = i
    if (backward === 0) return undefined
  }
  return [Math.min(forward, backward), Math.max(forward, backward)]
}
