import { AV_NOPTS_VALUE, AVSEEK_FLAG_BACKWARD } from 'node-av/constants'
import { FormatContext, Packet } from 'node-av/lib'

/** What a player is told by a file: its length in seconds, and where seeks land (null: nowhere). */
export interface SeekableFile {
  readonly duration: number | undefined
  readonly landings: readonly (number | null)[]
}

/**
 * Opens a file, seeks to each time, in seconds, of a stream and tells what length it states and where each seek landed; undefined
 * where no demuxer opens it. What takes the media library down takes the caller along.
 */
export function seekHere(path: string, stream: number, times: readonly number[]): SeekableFile | undefined {
  const format = new FormatContext()
  const packet = new Packet()
  try {
    if (format.openInputSync(`file:${path}`) < 0 || format.findStreamInfoSync() < 0) return undefined
    packet.alloc()
    const duration = format.duration < 0n ? undefined : Number(format.duration) / 1e6
    return { duration, landings: times.map((time) => landing(format, packet, stream, time) ?? null) }
  } finally {
    packet.free()
    format.closeInputSync()
  }
}

/** The time of the first packet of the stream that was sought in, in seconds. */
function landing(format: FormatContext, packet: Packet, stream: number, seconds: number): number | undefined {
  const { timeBase } = format.streams[stream]
  const tick = timeBase.num / timeBase.den
  // up to the tick of the target: of ticks as long as pictures the next one may be another picture's
  const target = BigInt(Math.floor(seconds / tick))
  if (format.seekFrameSync(stream, target, AVSEEK_FLAG_BACKWARD) < 0) return undefined
  while (format.readFrameSync(packet) >= 0) {
    const time = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
    const found = packet.streamIndex === stream && time !== AV_NOPTS_VALUE ? Number(time) * tick : undefined
    packet.unref()
    if (found !== undefined) return found
  }
  return undefined
}
