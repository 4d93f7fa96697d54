import { MemorySink } from '../../bytes/sink.ts'
import { DECODER_BYTES } from '../../model/decoder.ts'
import { disturbingPictures, MOST_WEIGHED, type WeighedTrack } from '../../recording/judge/weigh-pictures.ts'
import type { RepairJob } from '../format.ts'
import type { Assessment } from './assess.ts'
import { packetOf } from './mend/object-fields.ts'
import { partsOf } from './read/media-objects.ts'
import { DROPPED, KEY } from './read/packet-table.ts'
import type { Scan } from './read/scan.ts'
import type { StreamObjects } from './recording.ts'
import { mostBytes, type WritePlan, writeFile } from './write/write.ts'

/** What a file of some of its pictures is written by. */
export type Material = Pick<WritePlan, 'header' | 'headerReader' | 'own' | 'sizes' | 'preroll'>

/**
 * Leaves out damaged pictures: all of them where that was asked for, else those that disturb others more by being there than by
 * being gone. Where no decoder can be asked those stay. Returns their first payloads.
 */
export async function leaveOutDamaged(
  job: RepairJob,
  { objects, damaged }: Assessment,
  scan: Scan,
  material: Material,
): Promise<ReadonlySet<number>> {
  const { damagedFrames } = job.options
  const out = new Set<number>()
  let left = MOST_WEIGHED
  for (const track of objects) {
    const hit = [...track.rows.keys()].filter((picture) => damaged.has(track.rows[picture]))
    if (damagedFrames === 'keep' || track.stream.kind !== 'video' || hit.length === track.rows.length)
      continue
    if (damagedFrames === 'drop') for (const picture of hit) out.add(track.rows[picture])
    else if (job.decoder) {
      const some = hit.slice(0, left)
      left -= some.length
      const weighed = weighedTrack(job, scan, track, damaged, some, material)
      for (const picture of await disturbingPictures(weighed, job.decoder, job.monitor))
        out.add(track.rows[picture])
    }
  }
  for (const row of out) for (const part of partsOf(scan.payloads, row)) scan.payloads.flags[part] |= DROPPED
  return out
}

function weighedTrack(
  job: RepairJob,
  scan: Scan,
  { rows }: StreamObjects,
  damaged: ReadonlySet<number>,
  some: readonly number[],
  material: Material,
): WeighedTrack {
  const { flags, objectSize } = scan.payloads
  return {
    pictures: rows.length,
    damaged: some,
    isKey: (picture) => (flags[rows[picture]] & KEY) !== 0 && !damaged.has(rows[picture]),
    size: (picture) => objectSize[rows[picture]],
    write: async (pictures) => {
      const bytes = await fileOf(
        job,
        scan,
        pictures.map((picture) => rows[picture]),
        material,
      )
      return bytes && { bytes, extension: 'wmv' }
    },
  }
}

/** A file of the pictures of a stream that begin with these payloads; undefined where it would be too long. */
async function fileOf(
  { damaged: { reader }, monitor }: RepairJob,
  { packets, payloads }: Scan,
  rows: readonly number[],
  material: Material,
): Promise<Uint8Array | undefined> {
  const kept = rows.flatMap((row) => [...partsOf(payloads, row)])
  const last = kept[kept.length - 1]
  const most = Math.min(DECODER_BYTES, mostBytes(reader.size))
  // each may come to stand in a packet of its own
  if (kept.length * material.sizes.most > most) return undefined
  const near = packets.part(packetOf(packets, kept[0]), packetOf(packets, last) + 1)
  const own = payloads.part(near.shift, last + 1)
  for (let row = 0; row < own.length; row++) own.flags[row] |= DROPPED
  for (const row of kept) {
    own.flags[row - near.shift] &= ~DROPPED
    const header = payloads.headers.get(row)
    if (header) own.headers.set(row - near.shift, header)
  }
  const sink = new MemorySink()
  await writeFile(
    {
      ...material,
      packets: near.packets,
      payloads: own,
      pictures: [],
      first: payloads.time[rows[0]],
      end: payloads.time[rows[rows.length - 1]],
    },
    reader,
    sink,
    { ...monitor, progress: () => {} },
  )
  return sink.bytes()
}
