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
  // Each stream goes on without a gap: its own length is what the next round is later by.
  const shifts = bases.map(() => 0n)
  for (let written = 0; written < bytes; ) written += writeRound(source, muxer, bases, shifts)
  muxer.end()
}

function openClip(path: string): FormatContext {
  const input = new FormatContext()
  if (input.openInputSync(`file:${path}`) < 0 || input.findStreamInfoSync() < 0)
    throw new Error(`cannot read ${path}`)
  return input
}

/** Appends the whole recording once, later by `shifts`, and moves them on. Returns the payload's bytes. */
function writeRound(source: string, muxer: Muxer, bases: readonly Rational[], shifts: bigint[]): number {
  const input = openClip(source)
  const packet = new Packet()
  packet.alloc()
  const first = new Map<number, bigint>()
  const ends = new Map<number, bigint>()
  let bytes = 0
  while (input.readFrameSync(packet) >= 0) {
    const stream = packet.streamIndex
    const base = bases[stream]
    if (packet.dts === AV_NOPTS_VALUE) throw new Error('a packet has no time')
    if (!first.has(stream)) first.set(stream, packet.dts)
    ends.set(stream, packet.dts + packet.duration)
    packet.dts += shifts[stream]
    if (packet.pts !== AV_NOPTS_VALUE) packet.pts += shifts[stream]
    bytes += packet.size
    muxer.write(packet, stream, base)
    packet.unref()
  }
  packet.free()
  input.closeInputSync()
  input.freeContext()
  for (const [stream, end] of ends) shifts[stream] += end - (first.get(stream) ?? end)
  return bytes
}
