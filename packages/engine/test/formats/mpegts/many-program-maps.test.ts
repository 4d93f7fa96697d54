import { expect, it } from 'vitest'
import { Tables } from '../../../src/formats/mpegts/read/tables.ts'
import { programMapBody } from '../../../src/syntax/psi/program-map.ts'
import { PROGRAM_MAP, writeSection } from '../../../src/syntax/psi/section.ts'

const PID = 0x1000
const STREAMS = 8000
const EACH = 32
/** Processor time; what holds each stream against all that are known takes many times as long. */
const SECONDS = 4

it('maps of a program that name ever other streams are joined in time with their bytes', () => {
  const payloads = Array.from({ length: STREAMS / EACH }, (_, i) => {
    const streams = Array.from({ length: EACH }, (_, k) => ({
      streamType: 0x1b,
      pid: 32 + i * EACH + k,
      descriptors: new Uint8Array(0),
    }))
    const body = programMapBody({ program: 1, pcrPid: 33, descriptors: new Uint8Array(0), streams })
    const section = writeSection({ tableId: PROGRAM_MAP, extension: 1, version: 0, body })
    return Uint8Array.from([0, ...section])
  })
  const tables = new Tables()
  const before = process.threadCpuUsage()
  for (let i = 0; i < 20_000; i++) tables.tryMap(PID, payloads[i % payloads.length], i * 188)
  const { user, system } = process.threadCpuUsage(before)
  expect(tables.all.map(({ streams }) => streams.length)).toEqual([STREAMS])
  expect((user + system) / 1e6).toBeLessThan(SECONDS)
}, 60_000)
