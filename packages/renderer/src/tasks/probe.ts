import type { MediaDescription, StreamDescription } from '../description.ts'
import { type InputStream, openInput } from '../media/input.ts'

/** Describes a file's container and streams from its headers and first packets; decodes nothing that is kept. */
export function probe(path: string): MediaDescription {
  const input = openInput(path)
  try {
    return {
      container: input.format.iformat?.name ?? 'unknown',
      duration: input.duration,
      streams: input.streams.map(describe),
    }
  } finally {
    input.close()
  }
}

function describe(input: InputStream): StreamDescription {
  const { kind, codec, stream } = input
  const parameters = stream.codecpar
  const common = { kind, codec, duration: Math.max(Number(stream.duration) * input.tick, 0) }
  if (kind === 'video') {
    const { num, den } = stream.avgFrameRate
    return {
      ...common,
      width: parameters.width,
      height: parameters.height,
      frameRate: den > 0 ? num / den : 0,
    }
  }
  if (kind === 'audio') return { ...common, sampleRate: parameters.sampleRate, channels: parameters.channels }
  return common
}
