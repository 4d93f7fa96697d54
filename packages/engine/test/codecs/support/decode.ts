import { AV_CHANNEL_ORDER_UNSPEC, AV_LOG_QUIET, type AVCodecID } from 'node-av/constants'
import { Codec, CodecContext, Frame, Log, Packet } from 'node-av/lib'

export interface DecoderSetup {
  readonly codecId: AVCodecID
  readonly config: Uint8Array
  readonly rate: number
  readonly channels: number
}

Log.setLevel(AV_LOG_QUIET)

/** Decodes packets with FFmpeg and says which ones it took without an error. */
export function decodes(setup: DecoderSetup, packets: readonly Uint8Array[]): boolean[] {
  const codec = Codec.findDecoder(setup.codecId)
  if (!codec) throw new Error(`no decoder ${setup.codecId}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.sampleRate = setup.rate
  context.channelLayout = { nbChannels: setup.channels, order: AV_CHANNEL_ORDER_UNSPEC, mask: 0n }
  if (setup.config.length > 0) context.extraData = Buffer.from(setup.config)
  if (context.open2Sync(codec, null) < 0) throw new Error('the decoder refuses the configuration')
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  const results = packets.map((bytes) => {
    packet.data = Buffer.from(bytes)
    const taken = context.sendPacketSync(packet) >= 0
    packet.unref()
    while (context.receiveFrameSync(frame) >= 0) frame.unref()
    return taken
  })
  frame.free()
  packet.free()
  context.freeContext()
  return results
}
