import { USUAL_PROPERTIES } from '../../../../src/formats/asf/read/salvage.ts'

/** A packet's beginning: `count` payloads, padding of `padding` bytes. 13 bytes. */
export function head(count: number, padding: number): number[] {
  return [0x82, 0, 0, 0x09, USUAL_PROPERTIES, padding, ...[0, 0, 0, 0], ...[0, 0], 0x80 | count]
}

export function word(value: number): number[] {
  return [value & 255, value >> 8]
}

/** A whole object of `length` bytes in 17 more, at 1000 ms and as many as its number. */
export function payload(stream: number, number: number, length: number, key = 0x80): number[] {
  const header = [key | stream, number, 0, 0, 0, 0, 8, ...word(length), 0, 0, ...word(1000 + number), 0, 0]
  return [...header, ...word(length), ...Array.from({ length }, (_, i) => 1 + (i % 250))]
}

/** Two small objects in one payload of six bytes, the first shown at `time`, the second 20 ms later: §5.2.3.3. */
export function compressed(stream: number, number: number, time = 1000 + number): number[] {
  return [0x80 | stream, number, ...word(time), 0, 0, 1, 20, ...word(6), 2, 7, 8, 2, 9, 10]
}

/** A packet of `size` bytes, filled up by padding. */
export function packet(size: number, ...payloads: readonly number[][]): number[] {
  const length = head(0, 0).length + payloads.flat().length
  const padding = Array.from({ length: size - length }, () => 0)
  return [...head(payloads.length, padding.length), ...payloads.flat(), ...padding]
}

/** A packet with one payload, which has no length of its own, in front of `padding` bytes. */
export function lonePacket(size: number, stream: number, number: number, padding: number): number[] {
  const front = [0x82, 0, 0, 0x08, USUAL_PROPERTIES, padding, ...[0, 0, 0, 0], ...[0, 0]]
  const whole = payload(stream, number, size - front.length - 15 - padding)
  return [...front, ...whole.slice(0, 15), ...whole.slice(17), ...Array.from({ length: padding }, () => 0)]
}

/** A packet that tells its own length and has no padding: a word behind its flags, §5.2.2. */
export function sizedPacket(...payloads: readonly number[][]): number[] {
  const length = 3 + 2 + 2 + 6 + 1 + payloads.flat().length
  const front = [0x82, 0, 0, 0x41, USUAL_PROPERTIES, ...word(length), ...[0, 0, 0, 0], ...[0, 0]]
  return [...front, 0x80 | payloads.length, ...payloads.flat()]
}
