import { closeSync, openSync, writeSync } from 'node:fs'
import { openInput } from '../media/input.ts'
import type { Task } from '../protocol.ts'

/** Writes the packets of one stream, end to end, to `output`: the plain samples of a PCM track. Returns the bytes written. */
export async function payload(
  task: Extract<Task, { task: 'payload' }>,
  progress: (fraction: number) => void,
): Promise<number> {
  const input = openInput(task.input)
  const file = openSync(task.output, 'w')
  let bytes = 0
  try {
    for await (const packet of input.packets()) {
      if (packet.streamIndex !== task.stream || !packet.data) continue
      bytes += writeSync(file, packet.data)
      const stream = input.streams[packet.streamIndex]
      if (stream && input.duration > 0) progress((Number(packet.pts) * stream.tick) / input.duration)
    }
  } finally {
    closeSync(file)
    input.close()
  }
  return bytes
}
