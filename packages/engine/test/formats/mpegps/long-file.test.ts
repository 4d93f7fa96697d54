import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ByteSink } from '../../../src/bytes/sink.ts'
import type { ByteSource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { PACK } from '../../../src/formats/mpegps/read/item.ts'
import { LONGEST_PACKET, padding } from '../../../src/formats/mpegps/read/padding.ts'
import { itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const FILLING = padding(LONGEST_PACKET + 6, true)
const HEAD = 7
/** Packets of padding that reach beyond 4 GiB. */
const COUNT = Math.ceil(2 ** 32 / FILLING.length)
const GARBAGE = 5_000

/** A film with more than 4 GiB of padding in its middle, which is nowhere in memory. */
class LongFilm implements ByteSource {
  readonly size: number
  readonly #front: Uint8Array
  readonly #back: Uint8Array

  constructor(front: Uint8Array, back: Uint8Array) {
    this.#front = front
    this.#back = back
    this.size = front.length + COUNT * FILLING.length + back.length
  }

  read(offset: number, target: Uint8Array): number {
    const end = Math.min(this.size, offset + target.length)
    const start = this.#front.length
    const behind = start + COUNT * FILLING.length
    target.fill(0xff)
    for (
      let at = start + Math.max(0, Math.floor((offset - start) / FILLING.length)) * FILLING.length;
      ;
      at += FILLING.length
    ) {
      if (at >= Math.min(end, behind)) break
      for (let i = 0; i < HEAD; i++) {
        const place = at + i - offset
        if (place >= 0 && place < target.length) target[place] = FILLING[i]
      }
    }
    put(target, offset, this.#front, 0)
    put(target, offset, this.#back, behind)
    return Math.max(0, end - offset)
  }
}

/** What of bytes that stand at `place` falls into what is read from `offset` on. */
function put(target: Uint8Array, offset: number, bytes: Uint8Array, place: number): void {
  const from = Math.max(0, offset - place)
  const to = Math.min(bytes.length, offset + target.length - place)
  if (from < to) target.set(bytes.subarray(from, to), place + from - offset)
}

/** Keeps what is written behind a place. */
class TailSink implements ByteSink {
  position = 0
  readonly kept: Uint8Array[] = []
  readonly #from: number

  constructor(from: number) {
    this.#from = from
  }

  write(bytes: Uint8Array): void {
    const skipped = Math.max(0, this.#from - this.position)
    if (skipped < bytes.length) this.kept.push(bytes.slice(skipped))
    this.position += bytes.length
  }
}

it('a hole beyond 4 GiB is told where it is, and what is behind it stays', async () => {
  const whole = new Uint8Array(readFileSync(`${FIXTURES}/mpegps/mpg-mpeg2-mp2.mpg`))
  const packs = itemsOf(whole).filter(({ code }) => code === PACK)
  const middle = packs[10].offset
  const hole = packs[20].offset - middle
  const back = new Uint8Array(
    Buffer.concat([
      whole.subarray(middle, middle + hole),
      new Uint8Array(GARBAGE).fill(1),
      whole.subarray(middle + hole),
    ]),
  )
  const source = new LongFilm(whole.subarray(0, middle), back)
  const place = middle + COUNT * FILLING.length
  const sink = new TailSink(place)
  const report = await repair({ damaged: { source, name: 'long.mpg' }, sink })
  expect(report.findings).toMatchObject([
    { code: 'mpegps.foreign-bytes', offset: place + hole, length: GARBAGE },
  ])
  expect(sink.position).toBe(source.size - GARBAGE)
  expect(Buffer.compare(Buffer.concat(sink.kept), whole.subarray(middle))).toBe(0)
}, 60_000)
