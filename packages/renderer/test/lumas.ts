import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants'
import { Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib'

export interface Luma {
  readonly width: number
  readonly height: number
  /** 8-bit samples, row by row. */
  readonly samples: Uint8Array
}

/** The brightness of every picture of a generated 8-bit film, in display order. */
export function lumasOf(path: string): Luma[] {
  const format = new FormatContext()
  if (format.openInputSync(path) < 0 || format.findStreamInfoSync() < 0)
    throw new Error(`cannot open ${path}`)
  const stream = format.streams.find(({ codecpar }) => codecpar.width > 0)
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId)
  if (!stream || !codec) throw new Error(`no pictures in ${path}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.parametersToContext(stream.codecpar)
  context.open2Sync(codec)
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  const lumas: Luma[] = []
  const send = (next: Packet | null): void => {
    context.sendPacketSync(next)
    for (;;) {
      const code = context.receiveFrameSync(frame)
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
      if (code < 0) throw new Error('a picture does not decode')
      const { width, height } = frame
      lumas.push({ width, height, samples: new Uint8Array(frame.toBuffer().subarray(0, width * height)) })
    }
  }
  while (format.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === stream.index) send(packet)
    packet.unref()
  }
  send(null)
  packet.free()
  frame.free()
  context.freeContext()
  format.closeInputSync()
  return lumas
}

export function meanOf({ samples }: Luma): number {
  return samples.reduce((sum, value) => sum + value, 0) / samples.length
}

/** Mean of the absolute differences between neighbours in a row: how sharp the edges are. */
export function gradientOf({ width, samples }: Luma): number {
  let sum = 0
  for (let at = 1; at < samples.length; at++)
    if (at % width !== 0) sum += Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0))
  return sum / samples.length
}
