import { AV_NOPTS_VALUE } from 'node-av/constants'
import { FormatContext, Packet, type Rational } from 'node-av/lib'
import { Muxer } from './muxer.ts'

/**
 * Makes a long recording of a short one by writing its packets again and again with later times, until the file has
 * `bytes` bytes: fast, and real to every reader.
 * @throws Error when a file cannot be read or written
 */
export function loopClip(source: string, container: string, path: string, bytes: number): void {
  const input = openClip(source)
  const muxer = new Muxer(container, path)
  for (const stream of input.streams) {
    muxer.addStream((copy) => {
      stream.codecpar.copy(copy.codecpar)
      copy.timeBase = stream.timeBase
      copy.avgFrameRate = stream.avgFrameRate
    })
  }
  const bases = input.streams.map((stream) => stream.timeBase)
  input.closeInputSync()
  input.freeContext()
  muxer.begin({})
  let written = 0
  for (let offset = 0; written < bytes; ) {
    const round = writeRound(source, muxer, bases, offset)
    written += round.bytes
    offset += round.seconds
  }
  muxer.end()
}

function openClip(path: string): FormatContext {
  const input = new FormatContext()
  if (input.openInputSync(`file:${path}`) < 0 || input.findStreamInfoSync() < 0)
    throw new Error(`cannot read ${path}`)
  return input
}

/** Appends the whole recording once, `offset` seconds later. */
function writeRound(
  source: string,
  muxer: Muxer,
  bases: readonly Rational[],
  offset: number,
): { bytes: number; seconds: number } {
  const input = openClip(source)
  const packet = new Packet()
  packet.alloc()
  let bytes = 0
  while (input.readFrameSync(packet) >= 0) {
    const base = bases[packet.streamIndex]
    if (base) {
      const shift = BigInt(Math.round((offset * base.den) / base.num))
      if (packet.pts !== AV_NOPTS_VALUE) packet.pts += shift
      if (packet.dts !== AV_NOPTS_VALUE) packet.dts += shift
      bytes += packet.size
      muxer.write(packet, packet.streamIndex, base)
    }
    packet.unref()
  }
  packet.free()
  // The sound's encoder delay makes the container's duration a little long; a gap of silence does no harm.
  const seconds = Number(input.duration) / 1e6
  input.closeInputSync()
  input.freeContext()
  return { bytes, seconds: Math.ceil(seconds * 10) / 10 }
}
