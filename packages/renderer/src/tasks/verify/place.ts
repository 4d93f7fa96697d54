import { AV_NOPTS_VALUE } from 'node-av/constants'
import { Decoder, frameTime, isFlawed, ORDERLY } from '../../media/decoder.ts'
import { openInput } from '../../media/input.ts'
import type { Faults } from './faults.ts'

/** Decodes one track once more, picture by picture, to learn which of them the errors are in. */
export async function placeFaults(path: string, index: number, faults: Faults): Promise<void> {
  const input = openInput(path)
  const stream = input.streams[index]
  const decoder = stream && Decoder.open(stream, ORDERLY)
  try {
    if (!(stream && decoder instanceof Decoder)) return
    const { tick } = stream
    let usual = 0
    let flawed = 0
    const onFrame = (frame: Parameters<Parameters<Decoder['decode']>[1]>[0]): void => {
      if (!isFlawed(frame)) return
      flawed++
      const time = frameTime(frame, tick)
      if (time !== undefined) faults.add(time, Number(frame.duration) * tick || usual)
    }
    for await (const packet of input.packets()) {
      if (packet.streamIndex !== index) continue
      if (packet.duration > 0n) usual = Number(packet.duration) * tick
      const { errors } = decoder
      flawed = 0
      decoder.decode(packet, onFrame)
      const stamp = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
      if (decoder.errors - errors > flawed && stamp !== AV_NOPTS_VALUE)
        faults.add(Number(stamp) * tick, usual)
    }
    decoder.decode(null, onFrame)
  } finally {
    if (decoder instanceof Decoder) decoder.close()
    input.close()
  }
}
