import { closeSync } from 'node:fs'
import type { DecodingFault, TornPicture, Verification } from '@mendframe/engine'
import type { EngineRunOptions } from './conversation.ts'
import { runEngine } from './engine-process.ts'
import { EngineCrashError } from './errors.ts'
import { handed } from './handed.ts'
import { openInput } from './inputs.ts'

/** Codecs, as decoders call them, whose pictures the engine reads to their last bit: a process is not started for others. */
const READ_CODECS: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1', 'vp8', 'vp9', 'mpeg4', 'h263'])

/**
 * The figures of a decoding check with the pictures added that decoders show without a word though bits in them were hit: the
 * engine reads them symbol by symbol, in a process of its own.
 * @throws EnvironmentError, AbortedError, EngineLimitError, EngineCrashError, or what the engine itself threw.
 */
export async function withTornPictures(
  path: string,
  verification: Verification,
  options: EngineRunOptions,
): Promise<Verification> {
  if (!verification.decodable || !verification.tracks.some(({ codec }) => READ_CODECS.has(codec)))
    return verification
  const input = openInput(path)
  try {
    const job = { kind: 'read-pictures' as const, file: handed(input, 0) }
    const message = await runEngine(job, [input.descriptor], options)
    if (message.type !== 'read-pictures') throw new EngineCrashError('the engine answered something else', '')
    return withPlaces(verification, message.tracks)
  } finally {
    closeSync(input.descriptor)
  }
}

/** Pictures of a track that were hit inside: when they are shown and decoded, in seconds. */
type Stretches = readonly TornPicture[]

/**
 * The figures with torn pictures added, told by the place of their track among those with pictures, where no fault is known
 * there.
 */
export function withPlaces(
  verification: Verification,
  tracks: readonly { readonly place: number; readonly torn: Stretches }[],
): Verification {
  const torn = new Map(tracks.map(({ place, torn }) => [place, torn]))
  let place = 0
  return {
    ...verification,
    tracks: verification.tracks.map((track) => {
      const found = track.kind === 'video' ? (torn.get(place++) ?? []) : []
      return found.length > 0 ? { ...track, faults: joined(track.faults ?? [], found) } : track
    }),
  }
}

/** Seconds by which neighbours' times may be rounded. */
const TOUCHING = 0.002

function joined(known: readonly DecodingFault[], torn: Stretches): DecodingFault[] {
  const told = known.map((fault) => {
    const inside = torn.filter((picture) => picture.inside && overlap(fault, picture)).length
    return inside > 0 ? { ...fault, inside } : fault
  })
  const likely = torn
    .filter((picture) => !picture.weak && !known.some((fault) => overlap(fault, picture)))
    .map(({ start, end, decoded, inside }): DecodingFault => {
      return { start, end, units: 1, likely: true, decoded, ...(inside ? { inside: 1 } : {}) }
    })
  return [...told, ...likely].sort((a, b) => a.start - b.start)
}

function overlap(fault: DecodingFault, { start, end }: TornPicture): boolean {
  return fault.start < end - TOUCHING && start < fault.end - TOUCHING
}
