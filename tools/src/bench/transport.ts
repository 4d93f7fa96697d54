/** One transport packet of an undamaged recording. */
export interface TransportPacket {
  /** Where it begins, with its arrival time where it has one. */
  readonly offset: number
  /** Its sync byte. */
  readonly sync: number
  readonly pid: number
  readonly size: number
}

const SYNC_BYTE = 0x47
const PACKET_BYTES = 188
const ARRIVAL_BYTES = 4

/** All packets of an undamaged transport stream. */
export function transportPackets(bytes: Buffer): TransportPacket[] {
  const lead = bytes[0] === SYNC_BYTE && bytes[PACKET_BYTES] === SYNC_BYTE ? 0 : ARRIVAL_BYTES
  const size = PACKET_BYTES + lead
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => {
    const offset = index * size
    return { offset, sync: offset + lead, pid: bytes.readUInt16BE(offset + lead + 1) & 0x1fff, size }
  })
}

/** Where the payload of a packet begins, behind its adaptation field. */
function payloadStart(bytes: Buffer, { sync }: TransportPacket): number {
  const field = (bytes[sync + 3] ?? 0) & 0x20
  return sync + 4 + (field ? 1 + (bytes[sync + 4] ?? 0) : 0)
}

/** Places of program clock references, six bytes each. */
export function clockPlaces(bytes: Buffer): number[] {
  return transportPackets(bytes).flatMap(({ sync }) => {
    const control = bytes[sync + 3] ?? 0
    const hasClock = control & 0x20 && (bytes[sync + 4] ?? 0) > 0 && (bytes[sync + 5] ?? 0) & 0x10
    return hasClock ? [sync + 6] : []
  })
}

/** Where PES packets begin in transport packets. */
export function pesStarts(bytes: Buffer): number[] {
  return transportPackets(bytes).flatMap((packet) => {
    const start = payloadStart(bytes, packet)
    const starts = (bytes[packet.sync + 1] ?? 0) & 0x40 && bytes.readUIntBE(start, 3) === 1
    return starts ? [start] : []
  })
}

/** Places of the time stamps of a PES packet's header, five bytes each. */
export function stampPlaces(bytes: Buffer, start: number): number[] {
  let next = start + 6
  if ((bytes[next] ?? 0) >> 6 !== 2) {
    while (bytes[next] === 0xff) next++
    if ((bytes[next] ?? 0) >> 6 === 1) next += 2
    const kind = (bytes[next] ?? 0) >> 4
    return kind === 3 ? [next, next + 5] : kind === 2 ? [next] : []
  }
  const kinds = (bytes[start + 7] ?? 0) >> 6
  return kinds === 3 ? [start + 9, start + 14] : kinds === 2 ? [start + 9] : []
}

const WRAP = 2 ** 33

/** A time stamp of five bytes moved by `ticks` of 90 kHz. */
export function movedStamp(bytes: Buffer, at: number, ticks: number): Buffer {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(at, at + 5)
  const before = ((a >> 1) & 7) * 2 ** 30 + ((b << 7) | (c >> 1)) * 2 ** 15 + ((d << 7) | (e >> 1))
  const value = (before + ticks + WRAP) % WRAP
  const high = Math.floor(value / 2 ** 30)
  const rest = value % 2 ** 30
  return Buffer.from([
    (a & 0xf0) | (high << 1) | 1,
    rest >> 22,
    ((rest >> 14) & 0xfe) | 1,
    (rest >> 7) & 0xff,
    ((rest << 1) & 0xfe) | 1,
  ])
}

/** A program clock reference of six bytes moved by `ticks` of 90 kHz. */
export function movedClock(bytes: Buffer, at: number, ticks: number): Buffer {
  const before = bytes.readUInt32BE(at) * 2 + ((bytes[at + 4] ?? 0) >> 7)
  const value = (before + ticks + WRAP) % WRAP
  const moved = Buffer.from(bytes.subarray(at, at + 6))
  moved.writeUInt32BE(Math.floor(value / 2), 0)
  moved[4] = ((moved[4] ?? 0) & 0x7f) | ((value % 2) << 7)
  return moved
}
