import { describe, expect, it } from 'vitest'
import type { AsfStream } from '../../../src/formats/asf/read/header.ts'
import { newPayload } from '../../../src/formats/asf/read/packet.ts'
import { OBJECT_START, PayloadTable } from '../../../src/formats/asf/read/packet-table.ts'
import { objectsOf, spanOf } from '../../../src/formats/asf/recording.ts'

const STREAMS = [
  { number: 1, kind: 'audio' },
  { number: 2, kind: 'video' },
  { number: 3, kind: 'data' },
] as AsfStream[]

/** Objects of [stream, milliseconds]. */
function span(times: readonly (readonly [number, number])[], told: number | undefined) {
  const payloads = new PayloadTable(100)
  for (const [stream, time] of times)
    payloads.flags[payloads.push({ ...newPayload(), stream, time, size: 9, length: 9 }, 2)] |= OBJECT_START
  return spanOf(payloads, objectsOf(payloads, STREAMS), told)
}

describe('the length of a recording', () => {
  const times = [0, 435, 870].map((time) => [1, 3100 + time] as const)
  const pictures = [0, 200, 400].map((time) => [2, 3100 + time] as const)

  it('ends with the last object, which is as long as usual', () => {
    expect(span([...times, ...pictures], undefined)).toEqual({ first: 3100, end: 3100 + 3 * 435 })
    expect(span([...times, [3, 9000]], undefined)).toEqual({ first: 3100, end: 3100 + 3 * 435 })
  })

  it('is as the header says where that ends it within the last object', () => {
    expect(span([...times, ...pictures], 4200).end).toBe(4200)
  })

  it('is not where the last object begins behind that, or ends in front of it', () => {
    expect(span([...times, ...pictures], 3970).end).toBe(3100 + 3 * 435)
    expect(span([...times, ...pictures], 5000).end).toBe(3100 + 3 * 435)
  })
})
