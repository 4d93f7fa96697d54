import { expect, it, vi } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { findHeadless } from '../../../src/formats/mpegps/read/sequence-heads.ts'
import { ProgramStream } from '../../../src/formats/mpegps/read/stream.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { mpeg1PacketHeader } from '../../../src/syntax/pes/packet-header.ts'

/** A packet that holds a whole predicted picture of a few bytes, or one of its start codes cut in two. */
const PICTURE = [0, 0, 1, 0, 0, 0x17, 0xff, 0xf8]

function streamOf(packets: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    packets.flatMap((payload) => [...mpeg1PacketHeader(0xe0, payload.length, 0, 0), ...payload]),
  )
}

async function headless(bytes: Uint8Array) {
  const stream = new ProgramStream(0xe0, -1, 100)
  stream.places.push(0)
  const [found] = await findHeadless(new ByteReader(new MemorySource(bytes)), [stream], SILENT)
  return found
}

it('start codes of many small packets are looked at once each', async () => {
  const bytes = streamOf(Array.from({ length: 500 }, () => PICTURE))
  const searches = vi.spyOn(Uint8Array.prototype, 'indexOf')
  const found = await headless(bytes)
  const calls = searches.mock.calls.length
  searches.mockRestore()
  expect(found).toMatchObject({ begun: false, offset: 0 })
  expect(calls).toBeLessThan(500 * 8)
})

it('a picture that a lone packet holds is counted once', async () => {
  expect(await headless(streamOf([PICTURE, [0xff, 0xff], [0xff, 0xff]]))).toBeUndefined()
})

it('start codes that packets part are seen', async () => {
  const parts = [PICTURE.slice(0, 3), PICTURE.slice(3), PICTURE.slice(0, 5), [...PICTURE.slice(5), 0xff]]
  expect(await headless(streamOf(parts))).toMatchObject({ begun: false })
})
