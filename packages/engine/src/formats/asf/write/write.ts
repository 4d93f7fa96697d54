import { PlannedPlaces } from '../../../bytes/foresight.ts'
import { RangeWriter, type ResultWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { type ByteSink, endAhead } from '../../../bytes/sink.ts'
import { LimitError } from '../../../model/errors.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { Header } from '../read/header.ts'
import type { PacketSizes } from '../read/packet.ts'
import { DROPPED, KEY, OBJECT_START, type PacketTable, type PayloadTable } from '../read/packet-table.ts'
import { fileId, headerSize, writeHeader } from './header.ts'
import { type OutputPacket, outputPackets, writePacket } from './packets.ts'
import { indexSize, KeyPictures, simpleIndex } from './simple-index.ts'

/**
 * Packets that are written anew are filled up: where that makes so many times as much of a file, and more than so many bytes,
 * they are none. An index longer than the packets themselves is one of times that were hit.
 */
const MOST_GROWTH = 4
const LEAST_BOUND = 1 << 20
/** Packets between two breaks for others. */
const PACKETS_A_TURN = 16_384

export interface WritePlan {
  readonly packets: PacketTable
  readonly payloads: PayloadTable
  readonly sizes: PacketSizes
  /** The header, and whose bytes it stands in. */
  readonly header: Header
  readonly headerReader: ByteReader
  /** It is the damaged file's own. */
  readonly own: boolean
  /** Numbers of the streams of pictures. */
  readonly pictures: readonly number[]
  /** Milliseconds. */
  readonly preroll: number
  readonly first: number
  readonly end: number
}

/** Bytes of packets that a file of `size` bytes makes at most. */
export function mostBytes(size: number): number {
  return MOST_GROWTH * size + LEAST_BOUND
}

/** Writes a whole file: header, packets, a simple index for each stream of pictures. */
export async function writeFile(
  plan: WritePlan,
  reader: ByteReader,
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  const { sizes, header, headerReader, own } = plan
  const layout = await layOut(plan, monitor)
  if (layout.dataSize > mostBytes(reader.size))
    throw new LimitError(`packets of ${sizes.most} bytes make the file ${MOST_GROWTH} times as long`)
  const isFar = indexSize(plan.end) > layout.dataSize + LEAST_BOUND
  const indexed = isFar ? [] : [...layout.keys].filter(([, keys]) => keys.times.length > 0)
  const fileSize =
    headerSize(headerReader, header, own) + layout.dataSize + indexed.length * indexSize(plan.end)
  const id = own ? fileId(headerReader, header) : new Uint8Array(16)
  await endAhead(sink)
  const writer = new RangeWriter(reader, sink, monitor, fileSize)
  writer.write(
    writeHeader(headerReader, header, own, {
      fileSize,
      packets: layout.count,
      dataSize: layout.dataSize,
      sizes,
      preroll: plan.preroll,
      playDuration: (plan.end - plan.first + plan.preroll) * 10_000,
      sendDuration: (layout.lastSent + layout.lastDuration) * 10_000,
      seekable: indexed.length > 0 || plan.pictures.length === 0,
    }),
  )
  await writePackets(plan, writer)
  for (const [, keys] of indexed) writer.write(simpleIndex(keys, plan.end, id))
  await writer.end()
}

/** Tells the sink where the packets would come to lie if the file were written as far as is known, behind its own header. */
export async function foretellPackets(
  plan: Pick<WritePlan, 'packets' | 'payloads' | 'sizes'> & { readonly header: Header },
  reader: ByteReader,
  sink: ByteSink,
): Promise<void> {
  const places = PlannedPlaces.of(sink, reader.source)
  if (!places) return
  places.position += headerSize(reader, plan.header, true)
  await writePackets(plan, places)
}

async function writePackets(
  { packets, payloads, sizes }: Pick<WritePlan, 'packets' | 'payloads' | 'sizes'>,
  writer: ResultWriter,
): Promise<void> {
  let from = -1
  let end = -1
  let sent = 0
  const flush = async (): Promise<void> => {
    if (from >= 0) await writer.copy(from, end - from)
    from = -1
  }
  for (const packet of outputPackets(packets, payloads, sizes)) {
    const { row } = packet
    if (packet.same) {
      sent = packets.sendTime[row]
      if (packets.offset[row] !== end || from < 0) {
        await flush()
        from = packets.offset[row]
      }
      end = packets.offset[row] + packets.size[row]
      continue
    }
    await flush()
    await writePacket(writer, packets, payloads, sizes, packet, packets.sendTime[row] || sent)
  }
  await flush()
}

interface Layout {
  count: number
  dataSize: number
  lastSent: number
  lastDuration: number
  readonly keys: ReadonlyMap<number, KeyPictures>
}

/** Counts the packets to be written and notes in which of them key pictures begin. */
async function layOut({ packets, payloads, sizes, pictures }: WritePlan, monitor: Monitor): Promise<Layout> {
  const keys = new Map(pictures.map((stream) => [stream, new KeyPictures()]))
  const layout: Layout = { count: 0, dataSize: 0, lastSent: 0, lastDuration: 0, keys }
  /** Streams of which a key picture is in hand. */
  const inKey = new Set<number>()
  const note = (packet: OutputPacket): void => {
    for (let i = packet.from; i < packet.to; i++) {
      if (payloads.flags[i] & DROPPED) continue
      const stream = payloads.stream[i]
      const own = keys.get(stream)
      if (!own) continue
      if (payloads.flags[i] & OBJECT_START) {
        if (payloads.flags[i] & KEY) {
          own.add(payloads.time[i], layout.count)
          inKey.add(stream)
        } else inKey.delete(stream)
      } else if (inKey.has(stream)) own.reach(layout.count)
    }
  }
  for (const packet of outputPackets(packets, payloads, sizes)) {
    if (layout.count % PACKETS_A_TURN === 0) await monitor.pause()
    note(packet)
    layout.count++
    layout.dataSize += packet.same ? packets.size[packet.row] : sizes.most
    if (packet.same) {
      layout.lastSent = packets.sendTime[packet.row]
      layout.lastDuration = packets.duration[packet.row]
    }
  }
  return layout
}
