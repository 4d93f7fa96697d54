import { DamageRecorder, type Damages } from './damage.ts'

const isAsf = (container: string): boolean => container === 'asf'

/** First bytes of the names of objects, ASF Specification 01.20.05 §10. */
const DATA = Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex')
const FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex')
/** Bytes of the data object in front of its packets. */
const DATA_START = 50
/** Bytes of a packet's own header and the first payload's. */
const HEADERS = 26

interface Parts {
  readonly properties: number
  readonly data: number
  /** Where packets begin and end. */
  readonly start: number
  readonly end: number
  readonly packet: number
}

function parts(bytes: Buffer): Parts {
  const properties = bytes.indexOf(FILE_PROPERTIES)
  const data = bytes.indexOf(DATA)
  const packet = bytes.readUInt32LE(properties + 92)
  const start = data + DATA_START
  const end = data + Number(bytes.readBigUInt64LE(data + 16))
  return { properties, data, start, end, packet }
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function packets({ start, end, packet }: Parts): number {
  return Math.floor((end - start) / packet)
}

/** Damages of ASF files. */
export const ASF_DAMAGES: Damages = {
  'asf-unfinished': {
    about: 'never closed: the broadcast flag, no lengths, no index, cut inside a packet',
    applies: isAsf,
    apply: (bytes, seed) => {
      const found = parts(bytes)
      const { properties, data, start, packet } = found
      const recorder = new DamageRecorder(bytes, seed)
      for (const at of [40, 56, 64, 72]) recorder.alter(properties + at, long(0))
      recorder
        .alter(properties + 88, Buffer.from([1]))
        .alter(data + 16, long(DATA_START))
        .alter(data + 40, long(0))
      const kept = Math.floor(packets(found) * 0.9) * packet
      return recorder.remove(start + kept + Math.floor(packet / 3), bytes.length).finish()
    },
  },
  'asf-packets-lost': {
    about: 'five whole packets missing here and there',
    applies: isAsf,
    apply: (bytes, seed) => {
      const found = parts(bytes)
      const recorder = new DamageRecorder(bytes, seed)
      for (let done = 0; done < 5; done++) {
        const from = found.start + recorder.pick(packets(found)) * found.packet
        recorder.remove(from, from + found.packet)
      }
      return recorder.finish()
    },
  },
  'asf-header-flips': {
    about: '12 flipped bits in headers of packets and their first payloads',
    applies: isAsf,
    apply: (bytes, seed) => {
      const found = parts(bytes)
      const recorder = new DamageRecorder(bytes, seed)
      for (let done = 0; done < 12; done++) {
        const at = found.start + recorder.pick(packets(found)) * found.packet + recorder.pick(HEADERS)
        recorder.alter(at, Buffer.from([(bytes[at] ?? 0) ^ (1 << recorder.pick(8))]))
      }
      return recorder.finish()
    },
  },
  'asf-head-zero': {
    about: 'everything in front of the packets zeroed',
    applies: isAsf,
    apply: (bytes, seed) => new DamageRecorder(bytes, seed).zero(0, parts(bytes).start).finish(),
  },
  'asf-pieces': {
    about: 'begins behind the header, anywhere; three stretches of odd length missing, two put in',
    applies: isAsf,
    apply: (bytes, seed) => {
      const found = parts(bytes)
      const recorder = new DamageRecorder(bytes, seed)
      const at = (share: number): number => Math.floor(found.start + (found.end - found.start) * share)
      for (const share of [0.2, 0.5, 0.8])
        recorder.remove(at(share), at(share) + 101 + 2 * recorder.pick(2000))
      for (const share of [0.35, 0.65]) recorder.insert(at(share), 1 + 2 * recorder.pick(2000))
      return recorder.remove(0, found.start + 1 + recorder.pick(found.packet)).finish()
    },
  },
}
