import { joined } from '../../../bytes/joined.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { SliceReader } from '../../../codecs/mpeg12/slice-reading.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import { PACK, readItem } from './item.ts'
import { MOST_PADDING } from './item-search.ts'
import type { ProgramStream } from './stream.ts'

/** Bytes of a file that are read at most, and stretches of a longer one: around hits, and anywhere. Less than a second's work. */
const MOST_BYTES = 16 << 20
const STRETCH_BYTES = 256 << 10
const MOST_STRETCHES = MOST_BYTES / STRETCH_BYTES
/** Bytes of the headers of a pack, and of a packet, about. */
const PACK_BYTES = 12
const PACKET_BYTES = 9
/**
 * Hits that the payload had, were they as dense there as in headers, from which none is no chance: three in five tear a slice.
 */
const LEAST_EXPECTED = 12
/** Coded pictures that are read. */
const READ = new Set(['mpeg1video', 'mpeg2video'])

/** What is known of a file whose headers were hit. */
export interface HitFile {
  readonly reader: ByteReader
  readonly streams: readonly ProgramStream[]
  readonly packs: number
  readonly packets: number
  /** Where headers were hit. */
  readonly hits: readonly number[]
  /** Where anything was found wrong. */
  readonly wrong: ReadonlySet<number>
}

/**
 * Whether hits in headers came alone: pictures are read to their slices' ends, of which none is torn though many would be, were
 * bits turned everywhere as often as in headers.
 */
export function isPayloadSpared(file: HitFile): boolean {
  const { hits, packs, packets } = file
  const headers = packs * PACK_BYTES + packets * PACKET_BYTES
  let read = 0
  const readers = new Map<number, SliceReader>()
  for (const { id, codec } of file.streams) if (READ.has(codec)) readers.set(id, new SliceReader())
  if (readers.size === 0) return false
  for (const [from, to] of stretches(file.reader.size, hits)) {
    const { whole, torn } = readStretch(file, readers, from, to)
    if (torn > 0) return false
    read += whole
  }
  return hits.length * read >= LEAST_EXPECTED * headers
}

/** What to read: all of a short file. */
function* stretches(size: number, hits: readonly number[]): Generator<readonly [from: number, to: number]> {
  if (size <= MOST_BYTES) {
    yield [0, size]
    return
  }
  const half = MOST_STRETCHES / 2
  const count = Math.min(half, hits.length)
  const around = Array.from({ length: count }, (_, i) =>
    Math.max(0, hits[Math.floor((i * hits.length) / count)] - STRETCH_BYTES / 2),
  )
  const anywhere = Array.from({ length: half }, (_, i) => Math.floor((i * size) / half))
  let end = 0
  for (const start of [...around, ...anywhere].sort((a, b) => a - b)) {
    const to = Math.min(size, start + STRETCH_BYTES)
    if (to > end) yield [Math.max(start, end), to]
    end = Math.max(end, to)
  }
}

/** Reads the pictures in [from, to) as far as nothing is wrong between their packets. */
function readStretch(
  { reader, wrong }: HitFile,
  readers: ReadonlyMap<number, SliceReader>,
  from: number,
  to: number,
): { readonly whole: number; readonly torn: number } {
  const parts = new Map<number, Uint8Array[]>()
  let whole = 0
  let torn = 0
  const flush = (): void => {
    for (const [id, payloads] of parts) {
      const found = readers.get(id)?.read(joined(payloads))
      whole += found?.whole ?? 0
      torn += found?.torn ?? 0
    }
    parts.clear()
  }
  let at = from
  while (at < to) {
    const item = readItem(reader, at)
    if (!item || (at === from && from > 0 && item.code !== PACK)) {
      const next = nextStartCode(reader, at + 1, to)
      if (next - at > MOST_PADDING || !isZero(reader, at, next)) flush()
      at = next
      continue
    }
    const { code, header, length } = item
    const isPicture = header && readers.has(code)
    if (wrong.has(at)) flush()
    else if (isPicture) {
      const payload = reader.bytes(at + header.headerLength, length - header.headerLength).slice()
      const own = parts.get(code)
      if (own) own.push(payload)
      else parts.set(code, [payload])
    }
    at += length
  }
  flush()
  return { whole, torn }
}
