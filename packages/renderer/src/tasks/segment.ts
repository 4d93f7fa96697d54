import { RendererError } from '../errors.ts'
import { firstPart, mainStreams, packetTime } from '../media/extent.ts'
import { openInput } from '../media/input.ts'
import { Output } from '../media/output.ts'
import { copyRotation } from '../media/rotation.ts'
import type { Task } from '../protocol.ts'
import type { SegmentResult } from '../results.ts'

type SegmentTask = Extract<Task, { task: 'segment' }>

/** Copies the packets of a recording's first part, as they are, into a file of the container `task.muxer`. */
export async function segment(
  task: SegmentTask,
  progress: (fraction: number) => void,
): Promise<SegmentResult> {
  const input = openInput(task.input)
  const seconds = firstPart(input, task.fraction, task.maxSeconds)
  const output = new Output(task.muxer, task.output)
  const kept = Object.values(mainStreams(input)).filter((stream) => stream !== undefined)
  const targets = new Map<number, number>()
  for (const source of kept) {
    const index = output.addStream((stream) => {
      const { codecpar, timeBase, avgFrameRate } = source.stream
      if (codecpar.copy(stream.codecpar) < 0) throw new RendererError('input', 'the stream cannot be copied')
      // Four-character codes of one container mean nothing in another; the muxer knows its own.
      stream.codecpar.codecTag = 0
      stream.timeBase = timeBase
      stream.avgFrameRate = avgFrameRate
      copyRotation(source.stream, stream)
    })
    targets.set(source.index, index)
  }
  output.begin()
  let packets = 0
  const done = new Set<number>()
  for await (const packet of input.packets()) {
    const source = kept.find(({ index }) => index === packet.streamIndex)
    const target = targets.get(packet.streamIndex)
    if (!source || target === undefined || done.has(source.index)) continue
    const time = packetTime(packet, input, source)
    if (time !== undefined && time > seconds) done.add(source.index)
    else {
      output.write(packet, target, source.stream.timeBase)
      packets++
    }
    if (done.size === kept.length) break
    progress((time ?? 0) / seconds)
  }
  output.end()
  input.close()
  if (packets === 0) throw new RendererError('input', 'the first part holds no packet')
  return { seconds, packets }
}
