import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { asf } from '../../../src/formats/asf/index.ts'
import { GUID } from '../../../src/formats/asf/read/guids.ts'
import { readHeader } from '../../../src/formats/asf/read/header.ts'
import { packetsOf } from '../../../src/formats/asf/recipes.ts'
import { putLong } from '../../../src/formats/asf/write/header.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { objectsOf } from './support/objects.ts'

/** Bytes of error correction in front of each packet, flags and two zeros, ASF Specification 01.20.05 §5.2.1. */
const CORRECTION = 3

/** A file whose packets have no error correction data, and no index. */
function uncorrected(file: Uint8Array): Uint8Array {
  const { start, size, end } = packetsOf(file)
  const packets: Uint8Array[] = []
  for (let at = start; at < end; at += size) packets.push(file.subarray(at + CORRECTION, at + size))
  const head = file.slice(0, start)
  const { parts } = readHeader(new ByteReader(new MemorySource(file)))
  const properties = parts.find(({ guid }) => guid === GUID.fileProperties)?.offset ?? 0
  const view = new DataView(head.buffer)
  putLong(view, properties + 40, start + packets.length * (size - CORRECTION))
  for (const at of [92, 96]) view.setUint32(properties + at, size - CORRECTION, true)
  putLong(view, start - 34, 50 + packets.length * (size - CORRECTION))
  return Uint8Array.from(Buffer.concat([head, ...packets]))
}

const whole = uncorrected(fixtureOf(asf, 'asf-msmpeg4-mp3'))
const { start, size } = packetsOf(whole)
const objects = await objectsOf(whole)

it('a file whose packets have no error correction data is healthy', async () => {
  expect((await repairRecording(whole, 'asf')).report.verdict).toBe('healthy')
  expect(objects.length).toBeGreaterThan(50)
})

it.each([
  ['behind a header that is gone', whole.slice().fill(0, 0, start + size * 2)],
  ['behind a beginning that is cut away', whole.slice(start + size + 700)],
])('its packets are found %s', async (_, damaged) => {
  const { report, bytes } = await repairRecording(damaged, 'asf', whole)
  expect(report.verdict).toBe('repaired')
  const known = new Set(objects)
  const kept = await objectsOf(bytes)
  expect(kept.filter((object) => !known.has(object))).toEqual([])
  expect(kept.length).toBeGreaterThan(objects.length - 8)
})

it('its packets go on as they were behind a hole', async () => {
  const from = start + size * 10
  const damaged = whole.slice().fill(0, from, from + size)
  const { report, bytes } = await repairRecording(damaged, 'asf')
  expect(report.verdict).toBe('repaired')
  // the packets behind the picture that was hit are copied, not put together anew
  const rest = Buffer.from(whole.subarray(from + size * 4, from + size * 16))
  expect(Buffer.from(bytes).includes(rest)).toBe(true)
})
