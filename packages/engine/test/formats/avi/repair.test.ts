import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import type { AviFile } from '../../../src/formats/avi/read/file.ts'
import { indexLost, parts, RECIPES, unfinished } from '../../../src/formats/avi/recipes.ts'
import { writeAvi } from '../../../src/formats/avi/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { payloads, read, repaired } from './support/repaired.ts'

describe.each(fixturesOf(avi))('AVI $name', ({ bytes, sample }) => {
  it('gets back its index, byte for byte, and its counts', async () => {
    for (const damaged of [indexLost(bytes), unfinished(bytes)]) {
      const result = await repaired(damaged)
      expect(result.report.verdict).toBe('repaired')
      const index = (from: Uint8Array): string =>
        Buffer.from(from.subarray(parts(from).index)).toString('hex')
      expect(index(result.bytes)).toBe(index(bytes))
      const [before, after] = [await read(bytes), await read(result.bytes)]
      expect(after.header?.totalFrames).toBe(before.header?.totalFrames)
      expect(after.header?.streams.map(({ header }) => header.length)).toEqual(
        before.header?.streams.map(({ header }) => header.length),
      )
      const places = ({ walk: { chunks } }: AviFile): readonly number[] =>
        Array.from({ length: chunks.length }, (_, row) => chunks.offset[row])
      expect(places(after)).toEqual(places(before))
    }
  })

  it('leaves chunks where they were where that costs no more than 64 KiB', async () => {
    const list = Buffer.from(bytes).indexOf('movi') - 8
    for (const [junk, stays] of [
      [40_000, true],
      [70_000, false],
    ] as const) {
      const chunk = Uint8Array.from([...Buffer.from('JUNK'), junk & 255, (junk >> 8) & 255, junk >> 16, 0])
      const film = Uint8Array.from([
        ...bytes.subarray(0, list),
        ...chunk,
        ...new Uint8Array(junk),
        ...bytes.subarray(list),
      ])
      const { bytes: after } = await repaired(indexLost(film))
      const [first, before] = [await read(after), await read(film)].map(({ walk }) => walk.chunks.offset[0])
      expect(first === before, `${junk} bytes`).toBe(stays)
      expect(await payloads(after, 0)).toEqual(await payloads(bytes, 0))
    }
  })

  it('is no end of the repair where no stream says that it is pictures or sound', async () => {
    const { start, end } = parts(bytes).data
    const damaged = indexLost(bytes).fill(
      0,
      Math.floor((start + end) / 2),
      Math.floor((start + end) / 2) + 3000,
    )
    for (let at = 0; at < start; at++)
      if (
        ['strhvids', 'strhauds'].includes(
          String.fromCharCode(...damaged.subarray(at, at + 4), ...damaged.subarray(at + 8, at + 12)),
        )
      )
        damaged[at + 9] = 0x2a
    const { report } = await repaired(damaged)
    expect(report.verdict).toBe('partial')
    expect(report.tracks.length).toBeGreaterThan(0)
  })

  it('keeps every picture at its place around a hole, by the index and without it', async () => {
    const before = await payloads(bytes, 0)
    const { start, end } = parts(bytes).data
    const from = Math.floor((start + end) / 2)
    const holed = Uint8Array.from(bytes).fill(0, from, from + 3000)
    const { report, bytes: after } = await repaired(holed)
    const found = await payloads(after, 0)
    expect(found.length).toBe(before.length)
    const same = found.filter((payload, number) => payload === before[number]).length
    expect(same).toBeGreaterThan(before.length * 0.6)
    const [video] = report.tracks
    expect(video.recovered).toBe(same)
    expect(video.recovered + video.damaged + video.lost).toBe(before.length)
  })

  it('keeps pictures at their places around bytes that are gone though the chunks still follow each other, or doubts them', async () => {
    const { chunks } = (await read(bytes)).walk
    const pictures = Array.from({ length: chunks.length }, (_, row) => row).filter(
      (row) => chunks.stream[row] === 0,
    )
    const half = pictures.length >> 1
    const first = pictures.slice(half).find((row) => chunks.size[row] > 40) ?? 0
    const kept = chunks.size[first] >> 1
    const rest = chunks.size[first] - kept
    const last = pictures.slice(half + 6).find((row) => chunks.size[row] > rest && row > first) ?? 0
    const from = chunks.offset[first] + kept
    const until = chunks.offset[last] + chunks.size[last] - rest
    const lost = Uint8Array.from(bytes).fill(0, parts(bytes).index)
    const holed = Uint8Array.from([...lost.subarray(0, from), ...lost.subarray(until)])
    const { walk } = await read(holed)
    expect(walk.gaps.filter(({ row }) => row > 0 && row < walk.chunks.length)).toEqual([])
    const before = await payloads(bytes, 0)
    const { report, bytes: after } = await repaired(holed)
    const found = await payloads(after, 0)
    expect(report.tracks[0].recovered).toBeLessThan(before.length - 5)
    // pictures of H.264 are not read to their ends
    if (report.tracks[0].codec === 'h264') expect(report.doubts?.map(({ code }) => code)).toContain('times')
    else
      expect(found.map((payload, row) => payload === before[row]).lastIndexOf(false)).toBeLessThan(half + 12)
  })

  it('keeps what is whole when its head is gone, with a sample', async () => {
    const headless = Uint8Array.from(bytes).fill(0, 0, parts(bytes).data.start)
    const { report, bytes: after } = await repaired(headless, sample)
    expect(report.verdict).not.toBe('unrepairable')
    expect(report.sample?.used).toEqual(['headers'])
    expect(await payloads(after, 0)).toEqual(await payloads(bytes, 0))
    expect(await payloads(after, 1)).toEqual(await payloads(bytes, 1))
  })

  it('keeps what is whole without head, index and sample, by what its streams say of themselves', async () => {
    const { data, index } = parts(bytes)
    const headless = Uint8Array.from(bytes.subarray(0, index)).fill(0, 0, data.start)
    const { report, bytes: after } = await repaired(headless)
    expect(report.verdict).toBe('partial')
    const [before, found] = [await read(bytes), await read(after)]
    for (const [number, stream] of (before.header?.streams ?? []).entries()) {
      const { header, description } = stream
      const deduced = found.header?.streams[number]
      expect(deduced?.description.codec).toBe(description.codec)
      expect((deduced?.header.rate ?? 0) / (deduced?.header.scale ?? 1)).toBeCloseTo(
        header.rate / header.scale,
        3,
      )
      expect(await payloads(after, number)).toEqual(await payloads(bytes, number))
    }
  })

  it('comes out healthy of every damage, or the same again where pictures stay damaged', async () => {
    for (const { name, apply } of RECIPES) {
      const { report, bytes: after } = await repaired(apply(bytes, 3), sample)
      expect(['repaired', 'partial'], `${name}: ${report.reason}`).toContain(report.verdict)
      const again = await repaired(after)
      const damaged = report.tracks.some((track) => track.damaged > 0)
      if (damaged && again.report.verdict === 'repaired')
        expect(Buffer.compare(again.bytes, after), name).toBe(0)
      else expect(again.report.verdict, name).toBe('healthy')
    }
  })

  it('is written in segments with an index each, which lose nothing', async () => {
    const { reader, header, walk } = await read(bytes)
    if (!header) throw new Error('the fixture has no header')
    const sink = new MemorySink()
    await writeAvi(reader, header, walk.chunks, sink, SILENT, 20_000)
    expect((await repaired(sink.bytes())).report.verdict).toBe('healthy')
    const whole = await read(sink.bytes())
    expect(whole.walk.indexes.length).toBeGreaterThan(3)
    expect(whole.index.length).toBe(walk.chunks.length)
    expect(await payloads(sink.bytes(), 0)).toEqual(await payloads(bytes, 0))
  })
})
