import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose, repair } from '../../../src/engine.ts'
import { itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { NO_STAMP } from '../../../src/syntax/pes/packet-header.ts'
import { isAudioId, isVideoId, PRIVATE_1 } from '../../../src/syntax/pes/stream-ids.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const FIRST = 6
const FLAGS = 7
/** Flags and length of a header of MPEG-2. */
const MPEG2_BYTES = 3
const STUFFING = 0xff

/** A film whose packets have no time stamps, as some encoders of pictures alone write them. */
function withoutTimes(name: string): Uint8Array {
  const bytes = new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
  for (const { offset, code, header } of itemsOf(bytes)) {
    if (!header || !(isVideoId(code) || isAudioId(code) || code === PRIVATE_1)) continue
    const end = offset + header.headerLength
    bytes.fill(STUFFING, offset + (header.mpeg1 ? FIRST : FIRST + MPEG2_BYTES), end)
    if (header.mpeg1) bytes[end - 1] = NO_STAMP
    else bytes[offset + FLAGS] = 0
  }
  return bytes
}

describe.each(['mpg-mpeg2-mp2.mpg', 'vob-mpeg2-ac3.mpg'])('a film without a time stamp, %s', (name) => {
  const film = withoutTimes(name)
  const source = new MemorySource(film)

  it('is healthy, with its streams', async () => {
    const { healthy, tracks } = await diagnose({ file: { source, name } })
    expect(healthy).toBe(true)
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video'])
  })

  it('is repaired where it is cut', async () => {
    const sink = new MemorySink()
    const cut = new MemorySource(film.subarray(0, Math.floor(film.length * 0.7)))
    const report = await repair({ damaged: { source: cut, name }, sink })
    expect(report.verdict).toBe('repaired')
    expect(sink.position).toBeGreaterThan(film.length * 0.68)
  })

  it('is of doubtful times where something is missing inside', async () => {
    const holed = new Uint8Array(film).fill(
      1,
      Math.floor(film.length / 2),
      Math.floor(film.length / 2) + 5_000,
    )
    const report = await repair({
      damaged: { source: new MemorySource(holed), name },
      sink: new MemorySink(),
    })
    expect(report.doubts).toContainEqual(DOUBT.times)
  })
})
