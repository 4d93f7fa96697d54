import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { Packet } from 'node-av/lib'
import type { Input, InputStream } from './input.ts'

/** Least seconds of a preview, where the recording has them. */
const LEAST_SECONDS = 1
/** Seconds shown of a recording that does not say how long it is. */
const UNKNOWN_LENGTH_SECONDS = 10

/** Seconds from the start that the first part of a recording covers. */
export function firstPart(input: Input, fraction: number, maxSeconds: number): number {
  const wanted = input.duration > 0 ? input.duration * fraction : UNKNOWN_LENGTH_SECONDS
  return Math.min(Math.max(wanted, LEAST_SECONDS), maxSeconds)
}

/** Seconds of a packet after the recording's start, or undefined when the container does not say. */
export function packetTime(packet: Packet, input: Input, stream: InputStream): number | undefined {
  const time = packet.dts === AV_NOPTS_VALUE ? packet.pts : packet.dts
  return time === AV_NOPTS_VALUE ? undefined : Number(time) * stream.tick - input.start
}

/** The first picture stream that is no cover picture, and the first sound stream. */
export function mainStreams(input: Input): {
  video: InputStream | undefined
  audio: InputStream | undefined
} {
  return {
    video: input.streams.find(({ kind, attachedPicture }) => kind === 'video' && !attachedPicture),
    audio: input.streams.find(({ kind }) => kind === 'audio'),
  }
}
