import { DamageRecorder, type Damages } from './damage.ts'
import { clockPlaces, movedClock, movedStamp, pesStarts, stampPlaces, transportPackets } from './transport.ts'

const isTransport = (container: string): boolean => container === 'mpegts'
const PROGRAM: ReadonlySet<string> = new Set(['mpeg', 'vob', 'vcd'])
const isProgram = (container: string): boolean => PROGRAM.has(container)
const isEither = (container: string): boolean => isTransport(container) || isProgram(container)
const WRAP = 2 ** 33
const CLOCK = 90_000
const PACK = 0xba
const SECTOR = 2048
/** Bytes that the shortest header of a packet has. */
const HEADER = 7

/** Places of the time stamps of all PES packets, with which a program stream begins at once. */
function stamps(bytes: Buffer): number[] {
  const starts =
    bytes.readUIntBE(0, 3) === 1 ? itemStarts(bytes).filter((at) => isPacket(bytes, at)) : pesStarts(bytes)
  return starts.flatMap((start) => stampPlaces(bytes, start))
}

function isPacket(bytes: Buffer, at: number): boolean {
  const id = bytes[at + 3] ?? 0
  return id === 0xbd || (id >= 0xc0 && id < 0xf0)
}

/** Where packs and packets of a program stream of MPEG-2 begin. */
function itemStarts(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = 0; at + 14 < bytes.length; ) {
    // zeros fill up sectors
    if (bytes.readUIntBE(at, 3) !== 1) {
      at++
      continue
    }
    starts.push(at)
    const isPack = bytes[at + 3] === PACK
    const packBytes = (bytes[at + 4] ?? 0) >> 6 === 1 ? 14 + ((bytes[at + 13] ?? 0) & 7) : 12
    at += isPack ? packBytes : 6 + bytes.readUInt16BE(at + 4)
  }
  return starts
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  return Buffer.from([(bytes[at] ?? 0) ^ (1 << bit)])
}

function nth(list: readonly number[], index: number): number {
  const item = list[index]
  if (item === undefined) throw new Error('the recording is too short for this damage')
  return item
}

/** All times moved so that they wrap in the middle of the recording. */
function wrapping(bytes: Buffer, seed: number): DamageRecorder {
  const recorder = new DamageRecorder(bytes, seed)
  const starts = pesStarts(bytes)
  const middle = nth(starts, starts.length >> 1) + 9
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(middle, middle + 5)
  const time = ((a >> 1) & 7) * 2 ** 30 + ((b << 7) | (c >> 1)) * 2 ** 15 + ((d << 7) | (e >> 1))
  const ticks = WRAP - time
  for (const at of starts.flatMap((start) => stampPlaces(bytes, start)))
    recorder.alter(at, movedStamp(bytes, at, ticks))
  for (const at of clockPlaces(bytes)) recorder.alter(at, movedClock(bytes, at, ticks))
  return recorder
}

/** Damages of transport and program streams. */
export const MPEG_DAMAGES: Damages = {
  'ts-tables-lost': {
    about: 'every packet of a table overwritten',
    applies: isTransport,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      for (const { sync, pid } of transportPackets(bytes)) {
        const isTable = pid < 0x20 || (bytes[sync + 4] === 0 && bytes[sync + 5] === 2)
        if (isTable) recorder.scramble(sync + 4, sync + 188)
      }
      return recorder.finish()
    },
  },
  'ts-header-flips': {
    about: '20 flipped bits in the headers of packets',
    applies: isTransport,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const packets = transportPackets(bytes)
      for (let done = 0; done < 20; done++) {
        const at = (packets[recorder.pick(packets.length)]?.sync ?? 0) + recorder.pick(4)
        recorder.alter(at, flipped(bytes, at, recorder.pick(8)))
      }
      return recorder.finish()
    },
  },
  'ts-packets-lost': {
    about: 'one packet in two hundred is missing, as in reception',
    applies: isTransport,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      for (const { offset, size } of transportPackets(bytes))
        if (recorder.pick(200) === 0) recorder.remove(offset, offset + size)
      return recorder.finish()
    },
  },
  'ts-wrap': {
    about: 'times wrap in the middle, a block zeroed',
    applies: isTransport,
    apply: (bytes, seed) => {
      const from = Math.floor(bytes.length * 0.7)
      return wrapping(bytes, seed)
        .zero(from, from + 4096)
        .finish()
    },
  },
  'ts-clock-flips': {
    about: '12 flipped bits in program clock references',
    applies: isTransport,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const places = clockPlaces(bytes)
      for (let done = 0; done < 12; done++) {
        const at = nth(places, recorder.pick(places.length)) + recorder.pick(4)
        recorder.alter(at, flipped(bytes, at, recorder.pick(8)))
      }
      return recorder.finish()
    },
  },
  'mpeg-time-flips': {
    about: '12 flipped bits in time stamps of packets',
    applies: isEither,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const places = stamps(bytes)
      for (let done = 0; done < 12 && places.length > 0; done++) {
        const at = nth(places, recorder.pick(places.length)) + recorder.pick(5)
        recorder.alter(at, flipped(bytes, at, recorder.pick(8)))
      }
      return recorder.finish()
    },
  },
  'mpeg-noise': {
    about: 'ten blocks of 512 bytes overwritten with noise',
    applies: isEither,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      for (let done = 0; done < 10; done++) {
        const from = recorder.pick(bytes.length - 512)
        recorder.scramble(from, from + 512)
      }
      return recorder.finish()
    },
  },
  'mpeg-pieces': {
    about: 'begins and ends anywhere, four stretches of odd length missing, three put in',
    applies: isEither,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const at = (share: number): number => Math.floor(bytes.length * share)
      for (const share of [0.15, 0.35, 0.55, 0.75])
        recorder.remove(at(share), at(share) + 101 + 2 * recorder.pick(2000))
      for (const share of [0.25, 0.45, 0.65]) recorder.insert(at(share), 1 + 2 * recorder.pick(2000))
      return recorder
        .remove(0, 1 + recorder.pick(at(0.1)))
        .remove(at(0.9) + recorder.pick(at(0.05)), bytes.length)
        .finish()
    },
  },
  'ps-header-flips': {
    about: '20 flipped bits in the headers of packs and packets',
    applies: isProgram,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const starts = itemStarts(bytes)
      for (let done = 0; done < 20; done++) {
        const at = nth(starts, recorder.pick(starts.length)) + recorder.pick(HEADER)
        recorder.alter(at, flipped(bytes, at, recorder.pick(8)))
      }
      return recorder.finish()
    },
  },
  'ps-sectors': {
    about: 'five sectors of 2,048 bytes zeroed, one missing',
    applies: isProgram,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const count = Math.floor(bytes.length / SECTOR)
      for (let done = 0; done < 5; done++) {
        const from = recorder.pick(count) * SECTOR
        recorder.zero(from, Math.min(bytes.length, from + SECTOR))
      }
      const gone = Math.floor(count * 0.6) * SECTOR
      return recorder.remove(gone, gone + SECTOR).finish()
    },
  },
  'ts-jump': {
    about: 'times jump ahead by an hour in the middle, without a word',
    applies: isTransport,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const middle = Math.floor(bytes.length / 2)
      for (const at of stamps(bytes))
        if (at >= middle) recorder.alter(at, movedStamp(bytes, at, 3600 * CLOCK))
      for (const at of clockPlaces(bytes))
        if (at >= middle) recorder.alter(at, movedClock(bytes, at, 3600 * CLOCK))
      return recorder.finish()
    },
  },
}
