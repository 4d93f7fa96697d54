import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type Box, bodyOf, childOf, readChildren } from '../../../syntax/iso-boxes/box.ts'
import type { RepairJob } from '../../format.ts'
import { channelsOf, sequenceOf } from '../read/av1-record.ts'
import { hevcChannelsOf } from '../read/hevc-record.ts'
import { checkHevcItem } from '../read/nal-items.ts'
import { findPictureTracks } from '../read/picture-tracks.ts'
import type { FromSample } from './found-photo.ts'
import { type Coding, onePicture } from './made-photo.ts'

/**
 * The first picture of a photo that is stored as a sequence, too, ISO/IEC 23008-12:2022 §7: the tracks say how it is coded where
 * the items that said so are gone. The largest that is whole.
 */
export async function fromTrack(job: RepairJob): Promise<FromSample | undefined> {
  const { reader } = job.damaged
  const [largest] = findPictureTracks(reader)
    .flatMap((track) => firstPicture(reader, track) ?? [])
    .sort((a, b) => b.coding.width * b.coding.height - a.coding.width * a.coding.height)
  const found = largest && (await onePicture(largest.place, largest.coding))
  return found && { ...found, sequence: true }
}

/** Bytes of a visual sample entry in front of its boxes, and where its width stands: ISO/IEC 14496-12:2022 §12.1.3. */
const ENTRY = 86
const WIDTH_AT = 32

function firstPicture(
  reader: ByteReader,
  track: Box,
): { readonly place: Region; readonly coding: Coding } | undefined {
  const inside = (box: Box | undefined, type: string): Box | undefined =>
    box && childOf(readChildren(reader, bodyOf(box), box.end).boxes, type)
  const table = inside(inside(inside(track, 'mdia'), 'minf'), 'stbl')
  const [descriptions, sizes] = [inside(table, 'stsd'), inside(table, 'stsz')]
  const [near, far] = [inside(table, 'stco'), inside(table, 'co64')]
  if (!descriptions || !sizes || !(near ?? far)) return undefined
  const coding = codingOf(reader, bodyOf(descriptions) + 8)
  const offset = near ? reader.u32(bodyOf(near) + 8) : far ? reader.u64(bodyOf(far) + 8) : 0
  const length = reader.u32(bodyOf(sizes) + 4) || reader.u32(bodyOf(sizes) + 12)
  if (!coding || length === 0 || offset + length > reader.size) return undefined
  const place = { offset, length }
  const whole =
    coding.codec === 'hvc1'
      ? checkHevcItem(reader, offset, length) === 'whole'
      : sequenceOf(reader, place) !== undefined
  return whole ? { place, coding } : undefined
}

/** How a sample entry says that pictures are coded. Its records tell depth and colour. */
function codingOf(reader: ByteReader, entry: number): Coding | undefined {
  const type = reader.fourcc(entry + 4)
  const boxes = readChildren(reader, entry + ENTRY, entry + reader.u32(entry)).boxes
  const size = { width: reader.u16(entry + WIDTH_AT), height: reader.u16(entry + WIDTH_AT + 2) }
  if (size.width === 0 || size.height === 0) return undefined
  const record = childOf(boxes, type === 'hvc1' ? 'hvcC' : 'av1C')
  if (!record || record.end - record.offset > MOST_RECORD) return undefined
  const config = Uint8Array.from(reader.bytes(bodyOf(record), record.end - bodyOf(record)))
  if (type === 'hvc1' && config.length > 22)
    return { codec: type, ...size, config, ...hevcChannelsOf(config) }
  if (type !== 'av01' || config.length < 4) return undefined
  return { codec: type, ...size, config, ...channelsOf(config) }
}

/** Bytes of a record: parameter sets take a few hundred. */
const MOST_RECORD = 64 * 1024
