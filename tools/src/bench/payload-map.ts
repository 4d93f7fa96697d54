import type { ByteRange, StreamHashes } from '@mendframe/renderer'
import { isCover } from './covers.ts'
import { transportPackets } from './transport.ts'

/** Bytes of a file that belong to one elementary stream, in order. */
interface Piece {
  /** Where its headers begin, and its payload. */
  readonly head: number
  readonly start: number
  readonly length: number
}

/** Pieces of every elementary stream of an undamaged file. */
type Pieces = ReadonlyMap<number, readonly Piece[]>

/**
 * The packets whose bytes a damage touched, by stream and place in it, for containers that tear packets into pieces. Bits flipped
 * in what stands around the pieces touch none, longer damages do. Undefined for other containers, and where a demuxer does not
 * hand over all bytes of a stream.
 */
export function hitPackets(
  container: string,
  bytes: Buffer,
  streams: readonly StreamHashes[],
  lost: readonly ByteRange[],
): ReadonlySet<number>[] | undefined {
  const pieces = piecesOf(container, bytes)
  if (!pieces) return undefined
  const left = new Map(pieces)
  const hits: ReadonlySet<number>[] = []
  for (const stream of streams) {
    const { packets } = stream
    if (isCover(stream)) {
      // it stands in the file's header
      const whole = packets.map(({ position, size }) => ({ head: position, start: position, length: size }))
      hits.push(hitsIn(whole, packets, lost))
      continue
    }
    const total = packets.reduce((sum, { size }) => sum + size, 0)
    const found = [...left].find(([, list]) => list.reduce((sum, { length }) => sum + length, 0) === total)
    if (!found) return undefined
    left.delete(found[0])
    hits.push(hitsIn(found[1], packets, lost))
  }
  return hits
}

function hitsIn(
  pieces: readonly Piece[],
  packets: StreamHashes['packets'],
  lost: readonly ByteRange[],
): ReadonlySet<number> {
  const hit = new Set<number>()
  let packet = 0
  /** Bytes of the stream in front of the packet's end, and of the piece. */
  let end = packets[0]?.size ?? 0
  let at = 0
  for (const { head, start, length } of pieces) {
    for (let done = 0; done < length; ) {
      while (at + done >= end && packet + 1 < packets.length) end += packets[++packet]?.size ?? 0
      const part = Math.min(length - done, end - at - done)
      const from = start + done
      const isHit = lost.some((range) => {
        const first = done === 0 && range.end - range.start !== 1 ? head : from
        return range.start < from + part && range.end > first
      })
      if (isHit) hit.add(packet)
      done += part
    }
    at += length
  }
  return hit
}

function piecesOf(container: string, bytes: Buffer): Pieces | undefined {
  if (container === 'mpegts') return transportPieces(bytes)
  if (container === 'mpeg' || container === 'vob' || container === 'vcd') return programPieces(bytes)
  return container === 'asf' ? asfPieces(bytes) : undefined
}

function add(pieces: Map<number, Piece[]>, key: number, piece: Piece): void {
  if (piece.length <= 0) return
  const list = pieces.get(key)
  if (list) list.push(piece)
  else pieces.set(key, [piece])
}

function transportPieces(bytes: Buffer): Pieces {
  const pieces = new Map<number, Piece[]>()
  for (const { offset, sync, pid } of transportPackets(bytes)) {
    const control = bytes[sync + 3] ?? 0
    if ((control & 0x10) === 0) continue
    const end = sync + 188
    let start = sync + 4 + (control & 0x20 ? 1 + (bytes[sync + 4] ?? 0) : 0)
    const begins = ((bytes[sync + 1] ?? 0) & 0x40) !== 0
    if (begins && (end - start < 9 || bytes.readUIntBE(start, 3) !== 1)) continue
    if (begins) start += headerBytes(bytes, start)
    else if (!pieces.has(pid)) continue
    add(pieces, pid, { head: offset, start, length: end - start })
  }
  return pieces
}

/** Bytes of a PES packet's header in front of its payload. */
function headerBytes(bytes: Buffer, start: number): number {
  let next = start + 6
  if ((bytes[next] ?? 0) >> 6 === 2) return 9 + (bytes[start + 8] ?? 0)
  while (bytes[next] === 0xff) next++
  if ((bytes[next] ?? 0) >> 6 === 1) next += 2
  const kind = (bytes[next] ?? 0) >> 4
  return next + (kind === 3 ? 10 : kind === 2 ? 5 : 1) - start
}

const PRIVATE_1 = 0xbd
/** Bytes in front of the sound of a DVD's substream. */
const SUBSTREAM_HEADER = 4

function programPieces(bytes: Buffer): Pieces {
  const pieces = new Map<number, Piece[]>()
  for (let at = 0; at + 9 < bytes.length; ) {
    if (bytes.readUIntBE(at, 3) !== 1) {
      at++
      continue
    }
    const id = bytes[at + 3] ?? 0
    if (id === 0xba) {
      at += (bytes[at + 4] ?? 0) >> 6 === 1 ? 14 + ((bytes[at + 13] ?? 0) & 7) : 12
      continue
    }
    const end = at + 6 + bytes.readUInt16BE(at + 4)
    if (id === PRIVATE_1 || id >> 5 === 6 || id >> 4 === 0xe) {
      const payload = at + headerBytes(bytes, at)
      const start = id === PRIVATE_1 ? payload + SUBSTREAM_HEADER : payload
      const key = id === PRIVATE_1 ? id * 256 + (bytes[payload] ?? 0) : id
      add(pieces, key, { head: at, start, length: end - start })
    }
    at = id === 0xb9 ? at + 4 : end
  }
  return pieces
}

const DATA = Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex')
const FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex')
const DATA_START = 50

/** Of packets as most muxers write them: one size, object numbers and lengths of replicated data in one byte each. */
function asfPieces(bytes: Buffer): Pieces | undefined {
  const pieces = new Map<number, Piece[]>()
  const data = bytes.indexOf(DATA)
  const size = bytes.readUInt32LE(bytes.indexOf(FILE_PROPERTIES) + 92)
  const count = Number(bytes.readBigUInt64LE(data + 40))
  for (let packet = 0; packet < count; packet++) {
    const begin = data + DATA_START + packet * size
    const flags = bytes[begin + 3] ?? 0
    if (bytes[begin] !== 0x82 || bytes[begin + 4] !== 0x5d) return undefined
    const paddingBytes = [0, 1, 2, 4][(flags >> 3) & 3] ?? 0
    const padding = paddingBytes === 0 ? 0 : bytes.readUIntLE(begin + 5, paddingBytes)
    const end = begin + size - padding
    let at = begin + 5 + paddingBytes + 6
    let payloads = 1
    let lengthBytes = 0
    if (flags & 1) {
      payloads = (bytes[at] ?? 0) & 63
      lengthBytes = [0, 1, 2, 4][(bytes[at] ?? 0) >> 6] ?? 0
      at++
    }
    for (let payload = 0; payload < payloads; payload++) {
      const head = at
      const stream = (bytes[at] ?? 0) & 127
      at += 7 + (bytes[at + 6] ?? 0)
      const length = lengthBytes === 0 ? end - at : bytes.readUIntLE(at, lengthBytes)
      at += lengthBytes
      const from = payload === 0 ? begin : head
      if (bytes[head + 6] === COMPRESSED) addObjects(pieces, bytes, stream, from, at, at + length)
      else add(pieces, stream, { head: from, start: at, length })
      at += length
    }
  }
  return pieces
}

/** Bytes of replicated data that a payload of several small objects has. */
const COMPRESSED = 1

/** Objects that stand in one payload, each behind a byte that tells its length. */
function addObjects(
  pieces: Map<number, Piece[]>,
  bytes: Buffer,
  stream: number,
  first: number,
  from: number,
  to: number,
): void {
  for (let at = from, head = first; at < to; head = at) {
    const length = bytes[at] ?? 0
    add(pieces, stream, { head, start: at + 1, length })
    at += 1 + length
  }
}
