import { createHash } from 'node:crypto'
import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { Packet } from 'node-av/lib'
import { Decoder, frameTime, isFlawed, ORDERLY } from '../media/decoder.ts'
import { openInput } from '../media/input.ts'
import { LineFile } from '../media/line-file.ts'
import type { ByteRange, Task } from '../protocol.ts'

/**
 * Writes one line a stream, packet and decoded picture to `output`, fields parted by tabs (see `hashes.ts` of this
 * package for their reader):
 * `S index kind codec tick`, `P stream pts dts duration position size key md5`, `F stream pts md5 error`.
 * Packets that overlap a range of `lost`, and those of `without`, are neither listed nor decoded: what is left is what a perfect
 * repair keeps.
 */
export async function hashes(
  task: Extract<Task, { task: 'hashes' }>,
  progress: (fraction: number) => void,
): Promise<null> {
  const input = openInput(task.input)
  const out = new LineFile(task.output)
  const decoders = new Map<number, Decoder>()
  for (const stream of input.streams) {
    out.line('S', stream.index, stream.kind, stream.codec, stream.tick)
    const decoder = task.frames && stream.kind === 'video' ? Decoder.open(stream, ORDERLY) : 'none'
    if (decoder instanceof Decoder) decoders.set(stream.index, decoder)
  }
  const places = new Places()
  const left = (task.without ?? []).map((list) => new Set(list))
  const decode = (decoder: Decoder, packet: Packet | null): void => {
    decoder.decode(packet, (frame) => {
      const failed = isFlawed(frame) ? 1 : 0
      out.line(
        'F',
        decoder.input.index,
        frameTime(frame, decoder.input.tick) ?? 'unknown',
        md5(frame.toBuffer()),
        failed,
      )
    })
  }
  for await (const packet of input.packets()) {
    const stream = input.streams[packet.streamIndex]
    const position = places.of(packet)
    const isLeftOut = left[packet.streamIndex]?.has(places.last(packet)) ?? false
    if (!stream || isLeftOut || isHit(task.lost, position, packet.size)) continue
    const time = (value: bigint): number | string =>
      value === AV_NOPTS_VALUE ? 'unknown' : Number(value) * stream.tick
    out.line(
      'P',
      stream.index,
      time(packet.pts),
      time(packet.dts),
      time(packet.duration),
      position,
      packet.size,
      packet.isKeyframe ? 1 : 0,
      md5(packet.data ?? Buffer.alloc(0)),
    )
    const decoder = decoders.get(stream.index)
    if (decoder) decode(decoder, packet)
    progress(input.duration > 0 ? (Number(packet.pts) * stream.tick) / input.duration : 0)
  }
  for (const decoder of decoders.values()) {
    decode(decoder, null)
    decoder.close()
  }
  out.close()
  input.close()
  return null
}

/**
 * Where packets lie: those that begin inside a packet of the container have no place of their own, but lie behind the one before.
 */
class Places {
  readonly #next = new Map<number, number>()
  readonly #count = new Map<number, number>()

  /** The place of a stream's packet asked for last among its packets. */
  last(packet: Packet): number {
    return (this.#count.get(packet.streamIndex) ?? 0) - 1
  }

  of(packet: Packet): number {
    this.#count.set(packet.streamIndex, this.last(packet) + 2)
    const own = Number(packet.pos)
    const position = own >= 0 ? own : (this.#next.get(packet.streamIndex) ?? own)
    if (position >= 0) this.#next.set(packet.streamIndex, position + packet.size)
    return position
  }
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}

function isHit(ranges: readonly ByteRange[], start: number, size: number): boolean {
  return ranges.some((range) => range.start < start + size && range.end > start)
}
