import type { ByteReader } from '../../../bytes/reader.ts'
import type { ElementaryStream, ProgramMap } from '../../../syntax/psi/program-map.ts'
import { natureOf } from '../../../syntax/psi/stream-types.ts'
import type { Layout } from '../read/packet.ts'
import { sniffStream } from '../read/sniff.ts'
import type { PidStream } from '../read/stream.ts'
import type { Tables } from '../read/tables.ts'

/** Where nothing tells: the program that most writers use. */
const USUAL_PROGRAM = 1
/** The registration of Blu-ray discs and AVCHD, which their private stream types need. */
const HDMV = Uint8Array.of(5, 4, 0x48, 0x44, 0x4d, 0x56)
/** stream_type by codec. */
const TYPES: Readonly<Record<string, number>> = {
  mpeg1video: 0x01,
  mpeg2video: 0x02,
  mp2: 0x03,
  'aac-adts': 0x0f,
  mpeg4: 0x10,
  'aac-latm': 0x11,
  h264: 0x1b,
  hevc: 0x24,
  ac3: 0x81,
  eac3: 0x87,
  dts: 0x8a,
  vc1: 0xea,
  teletext: 0x06,
  'dvb-subtitle': 0x06,
}
/** What Blu-ray discs and AVCHD alone have, and what they have numbers of their own for. */
const DISC_ONLY: Readonly<Record<string, number>> = { 'pcm-bluray': 0x80, truehd: 0x83, pgs: 0x90 }
const DISC_TYPES: Readonly<Record<string, number>> = { ...TYPES, ...DISC_ONLY, dts: 0x82, eac3: 0x84 }

/**
 * Streams that no map lists where some map is lost: there is none, or the association is lost, or names a program that has none.
 */
export function unlisted(tables: Tables, streams: readonly PidStream[]): readonly PidStream[] {
  const { all } = tables
  const isComplete = tables.firstAssociation >= 0 && tables.mapless.length === 0
  if (all.length > 0 && isComplete) return []
  const listed = new Set(all.flatMap(({ pcrPid, streams }) => [pcrPid, ...streams.map(({ pid }) => pid)]))
  return streams.filter(({ pid }) => !listed.has(pid))
}

/**
 * A program map made from what the streams themselves say, one of which may carry nothing but the clock; undefined where none
 * does.
 */
export function deducedMap(
  reader: ByteReader,
  layout: Layout,
  streams: readonly PidStream[],
): ProgramMap | undefined {
  const sniffed = streams.flatMap((stream) => {
    const own = sniffStream(reader, layout, stream)
    return own ? [{ ...own, pid: stream.pid }] : []
  })
  const isDisc = layout.lead > 0 || sniffed.some(({ codec }) => DISC_ONLY[codec] !== undefined)
  const found: ElementaryStream[] = sniffed.flatMap(({ codec, pid, descriptors }) => {
    const streamType = (isDisc ? DISC_TYPES : TYPES)[codec]
    return streamType === undefined ? [] : [{ streamType, pid, descriptors }]
  })
  if (found.length === 0) return undefined
  const clocked = streams.find(({ clocks }) => clocks)
  return {
    program: USUAL_PROGRAM,
    pcrPid: clocked?.pid ?? found[0].pid,
    descriptors: isDisc ? HDMV : new Uint8Array(0),
    streams: found,
  }
}

/**
 * The maps of a sample whose streams are those of the file: PID by PID and coding by coding as far as they tell what they are, by
 * their PIDs alone where none does, with their clocks; none where they do not explain every one. Maps that add no stream are left
 * out.
 */
export function sampleMaps(
  maps: readonly ProgramMap[],
  deduced: ProgramMap | undefined,
  streams: readonly PidStream[],
): readonly ProgramMap[] {
  const codecs = new Map(deduced?.streams.map((stream) => [stream.pid, natureOf(stream, deduced).codec]))
  const carrying = streams.filter(({ table }) => (table?.length ?? 0) > 0).map(({ pid }) => pid)
  const left = new Set(codecs.size > 0 ? codecs.keys() : carrying)
  const clocks = new Set(streams.filter((stream) => stream.clocks).map(({ pid }) => pid))
  if (deduced) clocks.add(deduced.pcrPid)
  const explained = ({ streams }: ProgramMap): readonly number[] =>
    streams.map(({ pid }) => pid).filter((pid) => left.has(pid))
  const fitting = maps
    .filter(({ pcrPid }) => clocks.size === 0 || clocks.has(pcrPid))
    .filter((map) =>
      map.streams.every((stream) => {
        const codec = codecs.get(stream.pid)
        return codec === undefined || natureOf(stream, map).codec === codec
      }),
    )
    .sort((a, b) => explained(b).length - explained(a).length)
  const chosen: ProgramMap[] = []
  for (const map of fitting) {
    const pids = explained(map)
    if (pids.length === 0) continue
    chosen.push(map)
    for (const pid of pids) left.delete(pid)
  }
  return left.size === 0 ? chosen : []
}
