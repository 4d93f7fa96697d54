import { MemorySink, MemorySource, type PictureReport, repair } from '@mendframe/engine'
import {
  type ByteRange,
  dcSurvives,
  type PhotoCoefficients,
  randomFrom,
  survivingMcus,
} from '@mendframe/engine/testing'
import type { PhotoDamage } from './damages.ts'
import { decode, exactBlocks, meanDifference, nearPixels, type Pixels } from './score.ts'

export interface PhotoCase {
  readonly photo: string
  readonly bytes: Uint8Array
  readonly original: PhotoCoefficients
  /** What the photo shows, and what is told of it. */
  readonly healthy: HealthyPhoto
  readonly damage: string
  /** Undefined leaves the photo as it is. */
  readonly apply: PhotoDamage | undefined
  readonly seed: number
  readonly peer: boolean
  readonly sample: Uint8Array | undefined
}

export interface HealthyPhoto {
  readonly pixels: Pixels | undefined
  readonly told: PictureReport | undefined
}

/** Decodes a photo and asks for its report, once for all of its damages. */
export async function healthyPhoto(bytes: Uint8Array): Promise<HealthyPhoto> {
  const damaged = { source: new MemorySource(bytes), name: 'photo.jpg' }
  const report = await repair({ damaged, sink: new MemorySink() })
  return { pixels: await decode(bytes), told: report.kind === 'photo' ? report.pictures[0] : undefined }
}

/** What a repair came to, as parts of the blocks whose bits survive. */
export interface CaseResult {
  readonly photo: string
  readonly damage: string
  readonly progressive: boolean
  /** No byte of a first scan of DC was hit. */
  readonly dcSurvives: boolean
  readonly verdict: string
  /** Pixel blocks within two levels: of the repaired file, and of the damaged one as the peer shows it. */
  readonly near: number
  readonly peerNear: number | undefined
  /** Coded blocks with exact detail, and with DC within two levels besides. */
  readonly exact: number
  readonly exactNear: number
  /** Mean difference of samples from the original's, in levels; undefined where the repaired photo has another size. */
  readonly off: number | undefined
  /** Called repaired, though it does not show what the original did. */
  readonly falselyRepaired: boolean
  /** Width, height, sampling and orientation are the original's. */
  readonly shape: boolean
  readonly seconds: number
  readonly megapixels: number
}

/** Damages a photo, repairs it and holds the result against the original. */
export async function runCase(run: PhotoCase): Promise<CaseResult> {
  const { bytes, original, photo, damage } = run
  const { layout, start, end } = original
  let seed = run.seed
  for (const character of photo + damage) seed = (Math.imul(seed, 31) + character.charCodeAt(0)) | 0
  const damaged = run.apply?.(bytes, { scan: start, end, random: randomFrom(seed) }) ?? { bytes, hits: [] }
  const sink = new MemorySink()
  const before = process.cpuUsage()
  const report = await repair({
    damaged: { source: new MemorySource(damaged.bytes), name: 'photo.jpg' },
    ...(run.sample ? { sample: { source: new MemorySource(run.sample), name: 'sample.jpg' } } : {}),
    sink,
  })
  const { user, system } = process.cpuUsage(before)
  const repaired = report.verdict === 'healthy' ? damaged.bytes : Uint8Array.from(sink.bytes())
  const surviving = survivingMcus(bytes, damaged.hits)
  const { pixels, told } = run.healthy
  const near = (other: Pixels | undefined): number =>
    pixels ? nearPixels(pixels, other, surviving, original) : 0
  const shown = await decode(repaired)
  const off = pixels && meanDifference(pixels, shown)
  const { exact, near: exactNear } = exactBlocks(original, repaired, surviving)
  const picture = report.kind === 'photo' ? report.pictures[0] : undefined
  return {
    photo,
    damage,
    progressive: told?.layout.includes('progressive') ?? false,
    dcSurvives: dcSurvives(
      bytes,
      damaged.hits.length > 0 ? damaged.hits : [firstChange(bytes, damaged.bytes)],
    ),
    verdict: report.verdict,
    near: near(shown),
    peerNear: run.peer ? near(await decode(damaged.bytes)) : undefined,
    exact,
    exactNear,
    off,
    falselyRepaired: report.verdict === 'repaired' && off !== 0,
    shape:
      picture !== undefined &&
      told !== undefined &&
      picture.width === told.width &&
      picture.height === told.height &&
      picture.layout === told.layout &&
      picture.orientation === told.orientation,
    seconds: (user + system) / 1e6,
    megapixels: (layout.width * layout.height) / 1e6,
  }
}

/** The byte from which on a damaged photo differs. */
function firstChange(bytes: Uint8Array, damaged: Uint8Array): ByteRange {
  const at = bytes.findIndex((byte, index) => byte !== damaged[index])
  return at < 0 ? [bytes.length, bytes.length] : [at, at + 1]
}
