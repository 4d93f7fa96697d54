import { MemorySink, MemorySource, repair } from '@mendframe/engine'
import { heifParts, type PhotoParts, tiffParts } from '@mendframe/engine/testing'
import { DAMAGES, pixelsHit } from './damages.ts'
import { rawValues, shareBehind, shownPixels, survivingShare } from './values.ts'

export interface StructureCase {
  readonly name: string
  readonly bytes: Uint8Array
  readonly damage: string
  readonly sample: { readonly name: string; readonly bytes: Uint8Array } | undefined
  readonly seed: number
}

export interface StructureResult {
  readonly name: string
  readonly damage: string
  readonly verdict: string
  readonly doubts: readonly string[]
  /** The part of what survives that the result has: values of a raw decoder, tiles, or bytes. */
  readonly share: number
  /** With its structures as they were, no decoder makes anything of the pixels that survive. */
  readonly nothingLeft: boolean
  /** The result is the original, byte for byte. */
  readonly exact: boolean
  /** A decoder opens it at the original's size. */
  readonly opens: boolean
  readonly preview: boolean
  readonly seconds: number
  readonly reason: string
}

const HEIF = /\.(hei[cf]|hif|avif)$/i
const CRW = /\.crw$/i
const PLAIN = /\.tiff?$/i

/** The parts of a photo, by its name's family; a raw photo that is no TIFF has none. */
export function partsOf(name: string, bytes: Uint8Array): Promise<PhotoParts | undefined> {
  return HEIF.test(name) ? heifParts(bytes) : tiffParts(bytes)
}

/**
 * Damages a photo's structures, repairs it and holds what comes out against what survives; undefined for a photo that no decoder
 * opens.
 */
export async function runCase({
  name,
  bytes,
  damage,
  sample,
  seed,
}: StructureCase): Promise<StructureResult | undefined> {
  const parts = await partsOf(name, bytes)
  const units = CRW.test(name) ? heapOf(bytes) : (parts?.units ?? []).flat()
  const apply = DAMAGES[damage]
  if (!apply || (HEIF.test(name) && !parts?.healthy)) return undefined
  const damaged = apply(bytes, parts?.structures ?? [], seed)
  const decode = PLAIN.test(name) || HEIF.test(name) ? shownPixels : rawValues
  const original = HEIF.test(name) ? undefined : await decode(bytes)
  if (!original && !parts?.healthy) return undefined
  const extension = name.split('.').at(-1)
  const sink = new MemorySink()
  const before = process.cpuUsage()
  const report = await repair({
    damaged: { source: new MemorySource(damaged.bytes), name: `photo.${extension}` },
    ...(sample ? { sample: { source: new MemorySource(sample.bytes), name: `sample.${extension}` } } : {}),
    sink,
  })
  const { user, system } = process.cpuUsage(before)
  const result = report.verdict === 'healthy' ? damaged.bytes : Uint8Array.from(sink.bytes())
  const doubts = (report.doubts ?? []).map(({ code }) => code)
  const base = {
    ...{ name, damage, verdict: report.verdict, doubts, seconds: (user + system) / 1e6 },
    exact: result.length === bytes.length && result.every((byte, at) => byte === bytes[at]),
    preview: doubts.includes('preview-only'),
    reason: report.reason ?? '',
  }
  if (!original)
    return { ...base, ...(await unitsBack(name, bytes, result, damaged.lost)), nothingLeft: false }
  const again = await decode(result)
  const opens = again?.width === original.width && again.height === original.height
  const nothing = units.length > 0 && units.every((unit) => isLost(unit, damaged.lost))
  if (nothing) return { ...base, opens, share: 0, nothingLeft: true }
  const [lostFront] = damaged.lost
  if (CRW.test(name) && lostFront?.[0] === 0) {
    const share = shareBehind(original, await decode(brokenBehind(bytes, lostFront[1])), again)
    return { ...base, opens, share, nothingLeft: false }
  }
  const survivors = await decode(pixelsHit(bytes, damaged.lost, units))
  return survivors
    ? { ...base, opens, share: survivingShare(original, survivors, again), nothingLeft: false }
    : { ...base, opens, share: 0, nothingLeft: true }
}

/** Bytes that no code goes on through. */
const BREAK = 64 * 1024

/** A photo coded in one chain, whose code breaks at `at`: what decoders read in front of that is what its bytes there make. */
function brokenBehind(photo: Uint8Array, at: number): Uint8Array {
  const bytes = Uint8Array.from(photo)
  return bytes.fill(0, at, at + BREAK)
}

/** Where a CIFF file keeps its values and pixels: behind its header, whose length is at 2. CIFF 1.0 r4 §3. */
function heapOf(bytes: Uint8Array): LostRanges {
  const { buffer, byteOffset, length } = bytes
  const view = new DataView(buffer, byteOffset, length)
  return [[view.getUint32(2, view.getUint8(0) === 0x49), length]]
}

/** Whether one of the losses takes all of a unit. */
function isLost([start, end]: readonly [number, number], lost: LostRanges): boolean {
  return lost.some(([from, to]) => from <= start && end <= to)
}

/** The part of the bytes of strips and tiles that were not lost and stand in their places in the result. */
async function unitsBack(
  name: string,
  original: Uint8Array,
  result: Uint8Array,
  lost: LostRanges,
): Promise<{ readonly share: number; readonly opens: boolean }> {
  const before = await partsOf(name, original)
  const after = await partsOf(name, result)
  const opens = after !== undefined && after.shape === before?.shape
  const hit = new Uint8Array(original.length)
  for (const [from, to] of lost) hit.fill(1, from, to)
  let [counted, right] = [0, 0]
  for (const [index, parts] of (before?.units ?? []).entries()) {
    const mine = joined(original, parts)
    const gone = joined(hit, parts)
    // of a tile that is no code in rows, what was hit anywhere is lost as a whole
    if (HEIF.test(name) && gone.includes(1)) continue
    const theirs = opens ? joined(result, after.units[index] ?? []) : Buffer.alloc(0)
    for (const [at, byte] of mine.entries()) {
      if (gone[at] === 1) continue
      counted++
      if (theirs[at] === byte) right++
    }
  }
  return { share: counted === 0 ? 1 : right / counted, opens }
}

type LostRanges = readonly (readonly [number, number])[]

function joined(bytes: Uint8Array, parts: LostRanges): Buffer {
  return Buffer.concat(parts.map(([from, to]) => bytes.subarray(from, to)))
}
