import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { verify } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'renderer-unnamed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PACKET = 188
const MAP_PID = 0x1000
const SOUND_PID = 0x100
const FRAME = 400
const FRAMES = 60
/** stream_type of MPEG-H 3D Audio, ISO/IEC 13818-1:2022 Table 2-34, which the library does not know. */
const MPEG_H = 0x2d
const ADTS = 0x0f

/** CRC_32 of a section, ISO/IEC 13818-1:2022 Annex A. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc
}

function packet(pid: number, starts: boolean, counter: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.alloc(PACKET, 0xff)
  bytes.set([0x47, (starts ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10 | (counter & 15)])
  const room = PACKET - 4 - payload.length
  if (room > 0) {
    bytes[3] = 0x30 | (counter & 15)
    bytes[4] = room - 1
    if (room > 1) bytes[5] = 0
  }
  bytes.set(payload, PACKET - payload.length)
  return bytes
}

function section(pid: number, table: number, body: readonly number[]): Buffer {
  const bytes = Buffer.from([table, 0xb0, body.length + 9, 0, 1, 0xc1, 0, 0, ...body, 0, 0, 0, 0])
  bytes.writeInt32BE(checksum(bytes.subarray(0, -4)), bytes.length - 4)
  const payload = Buffer.alloc(PACKET - 4, 0xff)
  payload.set([0, ...bytes])
  return packet(pid, true, 0, payload)
}

/** Frames with headers of ADTS and nothing of AAC in them, in a stream of this type. */
function soundOf(type: number): Buffer {
  const packets = [
    section(0, 0, [0, 1, 0xe0 | (MAP_PID >> 8), MAP_PID & 0xff]),
    section(MAP_PID, 2, [0xe0 | (SOUND_PID >> 8), 0, 0xf0, 0, type, 0xe0 | (SOUND_PID >> 8), 0, 0xf0, 0]),
  ]
  let counter = 0
  for (let number = 0; number < FRAMES; number++) {
    const frame = Buffer.alloc(FRAME, 0xff)
    frame.set([0xff, 0xf1, 0x4c, 0x80 | (FRAME >> 11), (FRAME >> 3) & 0xff, ((FRAME & 7) << 5) | 0x1f, 0xfc])
    const time = number * 1920
    const stamp = [
      0x21,
      (time >> 22) & 0xff,
      ((time >> 14) & 0xfe) | 1,
      (time >> 7) & 0xff,
      ((time << 1) & 0xfe) | 1,
    ]
    const head = [0, 0, 1, 0xc0, (FRAME + 8) >> 8, (FRAME + 8) & 0xff, 0x80, 0x80, 5, ...stamp]
    const unit = Buffer.concat([Buffer.from(head), frame])
    for (let at = 0; at < unit.length; at += PACKET - 4)
      packets.push(packet(SOUND_PID, at === 0, counter++, unit.subarray(at, at + PACKET - 4)))
  }
  return Buffer.concat(packets)
}

it('a stream whose coding the file names otherwise than it looks is not checked where it is none of what it looks like', async () => {
  const path = join(folder, 'unnamed.ts')
  writeFileSync(path, soundOf(MPEG_H))
  const unnamed = await verify(path)
  expect(unnamed.tracks.map(({ codec, unchecked, errors }) => ({ codec, unchecked, errors }))).toEqual([
    { codec: 'aac', unchecked: true, errors: 0 },
  ])
  expect(unnamed.unchecked).toBeDefined()
})

it('a stream that the file says to be what it looks like is checked', async () => {
  const path = join(folder, 'named.ts')
  writeFileSync(path, soundOf(ADTS))
  const named = await verify(path)
  expect(named.decodable).toBe(false)
  expect(named.unchecked).toBeUndefined()
  expect(named.tracks[0]?.errors).toBeGreaterThan(FRAMES / 2)
})
