import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import { type Info, strideOf } from './read.ts'

/** Whether bytes were put in among the pixels: at an offset, nowhere, or not to be told. */
export type PutIn = number | 'nowhere' | 'unclear'

const LEAST_ROWS = 8
/** Rows of data between two looks at whether to stop. */
const PAUSE = 256
/** Levels of a step from one row to the next beyond which it is an edge like any other. */
const EDGE = 24
/**
 * How much the likeliest place has to stand out of what moving a row changes elsewhere, and of the second likeliest, to be
 * believed.
 */
const STANDS_OUT = 0.6
const ALONE = 3
/** Up to here moving rows helps nowhere. */
const HELPS_NOWHERE = 0.1

/**
 * Where fewer bytes than a row has were put in. The row's length of bytes behind such a place does not go with the row above as
 * it stands, and does if it is moved by so many bytes; everywhere else it is the other way round, as far as the picture is not
 * flat.
 */
export async function findPutIn(
  reader: ByteReader,
  info: Info,
  offset: number,
  bytes: number,
  monitor: Monitor,
): Promise<PutIn> {
  const stride = strideOf(info)
  const rows = info.height
  if (rows < LEAST_ROWS || bytes >= stride) return 'nowhere'
  // how much better each row goes with the one above when moved, and the place of the greatest gain
  const gains = new Float64Array(rows)
  let best = { at: 0, gain: Number.NEGATIVE_INFINITY }
  let row = gainsOf(reader, offset + stride, stride, bytes)
  for (let y = 1; y + 1 < rows; y++) {
    const next = gainsOf(reader, offset + (y + 1) * stride, stride, bytes)
    let gain = row.reduce((sum, value) => sum + value, 0)
    gains[y] = gain
    for (let x = 0; x < stride; x++) {
      if (gain > best.gain) best = { at: y * stride + x, gain }
      gain += next[x] - row[x]
    }
    row = next
    if (y % PAUSE === 0) await monitor.pause()
  }
  const elsewhere = gains.subarray(1, rows - 1).filter((_, i) => Math.abs(i + 1 - best.at / stride) > 1)
  const usual = Math.sqrt(elsewhere.reduce((sum, gain) => sum + gain ** 2, 0) / elsewhere.length)
  const second = elsewhere.reduce((most, gain) => Math.max(most, gain), 0)
  if (best.gain <= HELPS_NOWHERE * usual) return 'nowhere'
  return best.gain >= STANDS_OUT * usual && best.gain >= ALONE * second ? offset + best.at : 'unclear'
}

/** For each byte of a row how much nearer to the byte above the one is that lies `bytes` behind it. */
function gainsOf(reader: ByteReader, at: number, stride: number, bytes: number): Int16Array {
  const above = Uint8Array.from(reader.bytes(at - stride, stride))
  const here = reader.bytes(at, stride + bytes)
  const step = (a: number, b: number): number => Math.min(EDGE, Math.abs(a - b))
  return Int16Array.from(above, (value, i) => step(here[i], value) - step(here[i + bytes], value))
}
