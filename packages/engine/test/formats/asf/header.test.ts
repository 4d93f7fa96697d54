import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { GUID, guidBytes } from '../../../src/formats/asf/read/guids.ts'
import { readHeader } from '../../../src/formats/asf/read/header.ts'

/** Bytes of what describes pictures in front of the codec's own data, ASF Specification 01.20.05 §9.2. */
const DESCRIBED = 78 + 51

/** A header of one stream of pictures, with so many bytes of data of its codec, of which it tells another number. */
function headerWith(data: number, told: number): Uint8Array {
  const size = DESCRIBED + data
  const bytes = new Uint8Array(30 + size + 50)
  const view = new DataView(bytes.buffer)
  const object = (at: number, guid: string, length: number): void => {
    bytes.set(guidBytes(guid), at)
    view.setBigUint64(at + 16, BigInt(length), true)
  }
  object(0, GUID.header, 30 + size)
  view.setUint32(24, 1, true)
  object(30, GUID.streamProperties, size)
  bytes.set(guidBytes(GUID.video), 30 + 24)
  view.setUint16(30 + 72, 7, true)
  view.setUint32(30 + 78, 640, true)
  view.setUint32(30 + 82, 360, true)
  view.setUint16(30 + 87, 40 + told, true)
  bytes.set(Buffer.from('WMV3'), 30 + 105)
  bytes.fill(9, 30 + DESCRIBED, 30 + size)
  object(30 + size, GUID.data, 50)
  return bytes
}

it.each([
  ['as many as it tells', 12, 5, 5],
  ['all that there are where it tells more', 12, 13, 12],
  ['none where it tells less than none', 12, -1, 0],
])('a header`s data of a codec are %s', (_, data, told, taken) => {
  const header = readHeader(new ByteReader(new MemorySource(headerWith(data, told))))
  expect(header).toMatchObject({ whole: true, encrypted: false, data: 30 + DESCRIBED + data })
  const [{ picture, ...stream }] = header.streams
  expect(stream).toEqual({ number: 7, kind: 'video', codec: 'wmv3', encrypted: false })
  expect(picture).toEqual({ width: 640, height: 360, config: new Uint8Array(taken).fill(9) })
})
