import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { asf } from '../../../../src/formats/asf/index.ts'
import { GUID } from '../../../../src/formats/asf/read/guids.ts'
import { readHeader } from '../../../../src/formats/asf/read/header.ts'
import type { PacketSizes } from '../../../../src/formats/asf/read/packet.ts'
import { packetsOf } from '../../../../src/formats/asf/recipes.ts'
import { putLong } from '../../../../src/formats/asf/write/header.ts'
import { fixtureOf } from '../../../../testing/contract/fixtures.ts'

/** Milliseconds in front of the first object, and bytes of a data object in front of its packets. */
const PREROLL = 1000
const DATA_START = 50

/** A file of these packets behind a fixture's header, of pictures as stream 1 and sound as stream 2; it lasts `length` ms. */
export function filmOf(
  packets: readonly (readonly number[])[],
  { least, most }: PacketSizes,
  length: number,
): Uint8Array {
  const like = fixtureOf(asf, 'asf-msmpeg4-mp3')
  const { start } = packetsOf(like)
  const data = packets.flat()
  const head = like.slice(0, start)
  const { parts } = readHeader(new ByteReader(new MemorySource(like)))
  const properties = parts.find(({ guid }) => guid === GUID.fileProperties)?.offset ?? 0
  const view = new DataView(head.buffer)
  putLong(view, properties + 40, start + data.length)
  putLong(view, properties + 56, packets.length)
  putLong(view, properties + 64, (PREROLL + length) * 10_000)
  putLong(view, properties + 80, PREROLL)
  view.setUint32(properties + 92, least, true)
  view.setUint32(properties + 96, most, true)
  putLong(view, start - 34, DATA_START + data.length)
  putLong(view, start - 10, packets.length)
  return Uint8Array.from([...head, ...data])
}
