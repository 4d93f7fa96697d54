import type { ProgressReply } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import { readEvents, type StreamEvent } from '../../src/features/repair/progress/event-stream.ts'
import { followProgress, type ProgressPorts } from '../../src/features/repair/progress/progress-feed.ts'
import { ApiFailure, NoAnswer, UnreadableAnswer } from '../../src/shared/api/failure.ts'
import { progress } from './fakes.ts'

function stream(...pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
}

async function read(...pieces: string[]): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of readEvents(stream(...pieces))) events.push(event)
  return events
}

describe('the reader of pushed events', () => {
  it('reads named events and passes over comment lines', async () => {
    expect(
      await read(': hello\n\nevent: progress\ndata: {"a":1}\n\n: still here\n\nevent: progress\ndata: 2\n\n'),
    ).toEqual([
      { name: 'progress', data: '{"a":1}' },
      { name: 'progress', data: '2' },
    ])
  })

  it('puts together what arrives in pieces, in the middle of a character too', async () => {
    const bytes = new TextEncoder().encode('event: progress\ndata: é\n\n')
    const cut = bytes.length - 3
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut))
        controller.enqueue(bytes.slice(cut))
        controller.close()
      },
    })
    const events: StreamEvent[] = []
    for await (const event of readEvents(body)) events.push(event)
    expect(events).toEqual([{ name: 'progress', data: 'é' }])
  })

  it('takes all three line ends and joins several data lines', async () => {
    expect(await read('data: a\r\ndata: b\r\n\r\ndata: c\n\n')).toEqual([
      { name: 'message', data: 'a\nb' },
      { name: 'message', data: 'c' },
    ])
  })

  it('leaves an event unfinished that the end of the stream cuts off', async () => {
    expect(await read('data: a\n')).toEqual([])
  })

  it('gives up on an event that never ends', async () => {
    await expect(read('data: ', 'x'.repeat(1_000_001))).rejects.toThrow(RangeError)
  })
})

function feed(change: { streams?: (ProgressReply | Error)[][]; polls?: (ProgressReply | Error)[] }): {
  ports: ProgressPorts
  pauses: number[]
} {
  const pauses: number[] = []
  const ports: ProgressPorts = {
    async *events() {
      for (const item of change.streams?.shift() ?? []) {
        if (item instanceof Error) throw item
        yield item
      }
    },
    poll: async () => {
      const item = change.polls?.shift()
      if (!item) throw new Error('the test has no more answers')
      if (item instanceof Error) throw item
      return item
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds)
    },
  }
  return { ports, pauses }
}

const finished = progress({ status: 'Completed', stage: 'done' })

async function follow(change: Parameters<typeof feed>[0]) {
  const { ports, pauses } = feed(change)
  const told: string[] = []
  const last = await followProgress(
    '1',
    ports,
    (reply) => told.push(reply.stage),
    () => told.push('silence'),
    new AbortController().signal,
  )
  return { last, told, pauses }
}

describe('the following of a repair', () => {
  it('needs no poll and no pause while progress is pushed', async () => {
    const { last, told, pauses } = await follow({ streams: [[progress({}), finished]] })
    expect(last).toEqual(finished)
    expect(told).toEqual(['survey', 'done'])
    expect(pauses).toEqual([])
  })

  it('polls every 10 seconds when the push breaks, and goes back to the push', async () => {
    const { told, pauses } = await follow({
      streams: [[progress({}), new Error('broken pipe')], [finished]],
      polls: [progress({ stage: 'write' })],
    })
    expect(told).toEqual(['survey', 'write', 'done'])
    expect(pauses).toEqual([10_000])
  })

  it('passes over an unreadable answer and one that does not come, of which it tells', async () => {
    const { told, pauses } = await follow({
      polls: [new UnreadableAnswer('html'), new NoAnswer('offline'), finished],
    })
    expect(told).toEqual(['silence', 'done'])
    expect(pauses).toEqual([10_000, 10_000])
  })

  it('ends with a failure when the service refuses to answer', async () => {
    await expect(follow({ polls: [new ApiFailure(404, 'file.unknown', 'x')] })).rejects.toThrow(ApiFailure)
  })

  it('stops at once when the page is left', async () => {
    const stop = new AbortController()
    const { ports } = feed({ streams: [[progress({})]] })
    const leave = () => stop.abort(new Error('left'))
    const following = followProgress('1', ports, leave, () => undefined, stop.signal)
    await expect(following).rejects.toThrow('left')
  })
})
