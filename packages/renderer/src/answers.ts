import type { MediaDescription, StreamDescription } from './description.ts'
import { RendererError } from './errors.ts'
import { isRecord } from './protocol.ts'
import type { Fault, StreamKind, TrackVerification, Verification } from './verification.ts'

/**
 * Readers of the child's answers. The child decoded hostile bytes in native code, so what it says is checked field by
 * field before anybody relies on it. All throw RendererError `crashed` for an answer of another shape.
 */
export function readVerification(value: unknown): Verification {
  const record = asRecord(value)
  return {
    ...(record.unchecked === undefined ? {} : { unchecked: text(record.unchecked) }),
    decodable: record.decodable === true,
    duration: number(record.duration),
    tracks: list(record.tracks).map(readTrack),
  }
}

function readTrack(value: unknown): TrackVerification {
  const { kind, codec, packets, frames, errors, unchecked, faults, ...look } = asRecord(value)
  return {
    kind: streamKind(kind),
    codec: text(codec),
    packets: number(packets),
    frames: number(frames),
    errors: number(errors),
    ...(unchecked === true ? { unchecked } : {}),
    ...(look.duration === undefined ? {} : { duration: number(look.duration) }),
    ...(faults === undefined ? {} : { faults: list(faults).map(readFault) }),
    ...(look.width === undefined ? {} : { width: number(look.width) }),
    ...(look.height === undefined ? {} : { height: number(look.height) }),
    ...(look.pixelFormat === undefined ? {} : { pixelFormat: text(look.pixelFormat) }),
    ...(look.sampleRate === undefined ? {} : { sampleRate: number(look.sampleRate) }),
    ...(look.channels === undefined ? {} : { channels: number(look.channels) }),
    ...(look.declared === undefined ? {} : { declared: text(look.declared) }),
  }
}

function readFault(value: unknown): Fault {
  const { start, end, units, likely } = asRecord(value)
  return {
    start: number(start),
    end: number(end),
    units: number(units),
    ...(likely === true ? { likely } : {}),
  }
}

export function readDescription(value: unknown): MediaDescription {
  const { container, duration, streams } = asRecord(value)
  return { container: text(container), duration: number(duration), streams: list(streams).map(readStream) }
}

function readStream(value: unknown): StreamDescription {
  const { kind, codec, duration, width, height, frameRate, sampleRate, channels } = asRecord(value)
  return {
    kind: streamKind(kind),
    codec: text(codec),
    duration: number(duration),
    ...(width === undefined ? {} : { width: number(width) }),
    ...(height === undefined ? {} : { height: number(height) }),
    ...(frameRate === undefined ? {} : { frameRate: number(frameRate) }),
    ...(sampleRate === undefined ? {} : { sampleRate: number(sampleRate) }),
    ...(channels === undefined ? {} : { channels: number(channels) }),
  }
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw nonsense()
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw nonsense()
}

export function number(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw nonsense()
}

export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw nonsense()
}

function streamKind(value: unknown): StreamKind {
  if (value === 'video' || value === 'audio' || value === 'text' || value === 'data') return value
  throw nonsense()
}

function nonsense(): RendererError {
  return new RendererError('crashed', 'the media process answered nonsense')
}
