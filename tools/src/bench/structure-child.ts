import { AV_NOPTS_VALUE, AVSEEK_FLAG_BACKWARD } from 'node-av/constants'
import { FormatContext, Packet } from 'node-av/lib'
import type { SeekableFile } from './structure.ts'

/**
 * `node structure-child.ts FILE SECONDS…`: opens a file, seeks to each time and tells on standard output what length it states and where
 * each seek landed, as JSON. In a process of its own as every use of the media library.
 */
const [path = '', ...wanted] = process.argv.slice(2)
const format = new FormatContext()
if (format.openInputSync(`file:${path}`) < 0 || format.findStreamInfoSync() < 0) process.exit(1)

const duration = format.duration < 0n ? undefined : Number(format.duration) / 1e6
const packet = new Packet()
packet.alloc()

/** The time of the first packet of the stream that was sought in, in seconds. */
function landing(stream: number, seconds: number): number | undefined {
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

const [stream = '0', ...times] = wanted
const answer: SeekableFile = {
  duration,
  landings: times.map((time) => landing(Number(stream), Number(time)) ?? null),
}
console.log(JSON.stringify(answer))
