import { BitReader } from '../../bytes/bit-reader.ts'
import { BitWriter } from '../../bytes/bit-writer.ts'

/** Pictures that a second of time code counts, by frame_rate_code, ITU-T H.262 (02/2012) Table 6-4. */
const COUNTED = [0, 24, 24, 25, 30, 30, 50, 60, 60]
/** Codes of rates whose time codes may drop numbers: 29.97 and 59.94. */
const DROPPING = [4, 7]
const SECONDS = 60
const MINUTES = 60
const HOURS = 24
/** Of a minute's first numbers two are dropped at 29.97, but for every tenth minute. */
const DROPPED_AT_30 = 2
const TENTH = 10

/**
 * The number of a group's first picture by its time code, §6.3.8: `body` is the header behind its start code. -1 where it is
 * none.
 */
export function groupPicture(body: Uint8Array, frameRateCode: number): number {
  const rate = COUNTED[frameRateCode] ?? 0
  const bits = new BitReader(body)
  const drops = bits.bit() === 1
  const hours = bits.bits(5)
  const minutes = bits.bits(6)
  const marker = bits.bit()
  const seconds = bits.bits(6)
  const pictures = bits.bits(6)
  if (bits.overrun || marker === 0 || rate === 0 || pictures >= rate) return -1
  if (hours > 23 || minutes >= MINUTES || seconds >= SECONDS) return -1
  const all = hours * MINUTES + minutes
  const dropped = (DROPPED_AT_30 * rate) / 30
  const skipped = drops && DROPPING.includes(frameRateCode) ? dropped * (all - Math.floor(all / TENTH)) : 0
  return (all * SECONDS + seconds) * rate + pictures - skipped
}

/** A group's header, §6.2.2.6, whose time code counts `picture` pictures, with numbers dropped or not: one that is not closed. */
export function writeGroupHead(picture: number, frameRateCode: number, drops: boolean): Uint8Array {
  const rate = COUNTED[frameRateCode] ?? COUNTED[1]
  const isDropping = drops && DROPPING.includes(frameRateCode)
  const number = isDropping ? withDropped(picture, rate) : picture
  const seconds = Math.floor(number / rate)
  const minutes = Math.floor(seconds / SECONDS)
  const bits = new BitWriter()
  bits.bits(0x1b8, 32)
  bits.bit(isDropping ? 1 : 0)
  bits.bits(Math.floor(minutes / MINUTES) % HOURS, 5)
  bits.bits(minutes % MINUTES, 6)
  bits.bit(1)
  bits.bits(seconds % SECONDS, 6)
  bits.bits(number % rate, 6)
  bits.bits(0, 2)
  return bits.bytes()
}

/** The number that stands in a time code for one of pictures counted without gaps. */
function withDropped(picture: number, rate: number): number {
  const dropped = (DROPPED_AT_30 * rate) / 30
  const minute = SECONDS * rate - dropped
  const ten = TENTH * minute + dropped
  const [tens, rest] = [Math.floor(picture / ten), picture % ten]
  const further = rest < SECONDS * rate ? 0 : Math.floor((rest - dropped) / minute)
  return picture + dropped * ((TENTH - 1) * tens + further)
}

/** Groups whose time codes may disagree with the pictures counted, as a share of those that agree: damage in between. */
const DISAGREEING = 0.1

/** Whether a recording's time codes count its pictures: some encoders leave them at zero, or count what is shown twice. */
export class GroupTimes {
  #agree = 0
  #differ = 0
  #last = -1
  #since = 0

  /** Sees the next picture of a healthy stretch, which begins a group at picture `number` unless that is -1. */
  learn(number: number): void {
    if (number >= 0) {
      if (this.#last >= 0) {
        if (number - this.#last === this.#since) this.#agree++
        else this.#differ++
      }
      this.#last = number
      this.#since = 0
    }
    this.#since++
  }

  get count(): boolean {
    return this.#agree > 0 && this.#differ <= this.#agree * DISAGREEING
  }
}
