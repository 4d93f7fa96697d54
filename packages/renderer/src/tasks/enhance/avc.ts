import { RendererError } from '../../errors.ts'
import { BitReader, joinPrefixed, startCoded, unescapeUnit } from './nal.ts'
import type { Splicer } from './splicer.ts'

const SLICES: readonly number[] = [1, 5]
const SPS = 7
const PPS = 8
const ID_LIMIT = 31

/** The content of an `avcC` box (ISO/IEC 14496-15:2022 §5.3.3.1.2). */
interface AvcConfiguration {
  /** Bytes up to the length size. */
  readonly head: Buffer
  readonly sequenceSets: readonly Buffer[]
  readonly pictureSets: readonly Buffer[]
  /** What follows the sets: chroma format and bit depths. */
  readonly tail: Buffer
  /** Bytes of a length field. */
  readonly width: number
}

/**
 * Fits H.264 between samples with the configuration `avcC`: the stretches have parameter sets of identifiers that the track does
 * not use, listed beside the track's own, so that a player may jump anywhere.
 * @throws RendererError `unsupported` when the configuration cannot be read or is full
 */
export function avcSplicer(avcC: Buffer): Splicer & { readonly id: number } {
  const own = readConfiguration(avcC)
  const used = [...own.sequenceSets.map(sequenceId), ...own.pictureSets.map(pictureId)]
  const id = Math.max(-1, ...used.filter((value) => value < ID_LIMIT)) + 1
  if (own.sequenceSets.length >= ID_LIMIT || used.includes(id))
    throw new RendererError('unsupported', 'the track has no identifier left for another parameter set')
  return {
    id,
    box: 'avcC',
    sample: (packet) =>
      joinPrefixed(
        startCoded(packet).filter((unit) => SLICES.includes((unit[0] ?? 0) & 31)),
        own.width,
      ),
    extend: (configuration) => {
      const units = startCoded(configuration)
      const pick = (type: number): Buffer[] => units.filter((unit) => ((unit[0] ?? 0) & 31) === type)
      return writeConfiguration({
        ...own,
        sequenceSets: [...own.sequenceSets, ...pick(SPS)],
        pictureSets: [...own.pictureSets, ...pick(PPS)],
      })
    },
  }
}

function sequenceId(unit: Buffer): number {
  return new BitReader(unescapeUnit(unit.subarray(4, 16))).unsigned()
}

function pictureId(unit: Buffer): number {
  return new BitReader(unescapeUnit(unit.subarray(1, 16))).unsigned()
}

function readConfiguration(avcC: Buffer): AvcConfiguration {
  if (avcC.length < 7 || avcC[0] !== 1)
    throw new RendererError('unsupported', 'the track has no H.264 configuration to extend')
  let at = 5
  const list = (mask: number): Buffer[] => {
    const units: Buffer[] = []
    for (let left = (avcC[at++] ?? 0) & mask; left > 0; left--) {
      if (at + 2 > avcC.length) throw new RendererError('unsupported', 'the H.264 configuration is cut off')
      const length = avcC.readUInt16BE(at)
      units.push(avcC.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
    return units
  }
  const sequenceSets = list(31)
  const pictureSets = list(255)
  const width = ((avcC[4] ?? 3) & 3) + 1
  return { head: avcC.subarray(0, 5), sequenceSets, pictureSets, tail: avcC.subarray(at), width }
}

function writeConfiguration(own: AvcConfiguration): Buffer {
  const list = (units: readonly Buffer[]): Buffer =>
    Buffer.concat(
      units.flatMap((unit) => {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(unit.length)
        return [length, unit]
      }),
    )
  const counts = [0xe0 | own.sequenceSets.length, own.pictureSets.length]
  return Buffer.concat([
    own.head,
    Buffer.from(counts.slice(0, 1)),
    list(own.sequenceSets),
    Buffer.from(counts.slice(1)),
    list(own.pictureSets),
    own.tail,
  ])
}
