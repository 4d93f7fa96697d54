import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { flv } from '../../../src/formats/flv/index.ts'
import { readNumber, readNumbers, readObject } from '../../../src/formats/flv/metadata/amf0.ts'
import { readMetadata } from '../../../src/formats/flv/metadata/read.ts'
import { scan } from '../../../src/formats/flv/read/scan.ts'
import * as tags from '../../../src/formats/flv/read/tag-table.ts'
import { hasKind, writeFile } from '../../../src/formats/flv/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

const readerOf = (bytes: Uint8Array): ByteReader => new ByteReader(new MemorySource(bytes))
const tablesOf = async (bytes: Uint8Array) => (await scan(readerOf(bytes), DEFAULT_LIMITS, SILENT)).table

/** Tags of a file as they lie there: each as long as it says, with its size behind it, Annex E.4.1. */
function walked(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const found: { at: number; kind: number; time: number; data: Uint8Array }[] = []
  for (let at = 13; at < bytes.length; ) {
    const size = view.getUint32(at) & 0xffffff
    // the highest byte of a time stands behind the others; the number of the stream is always 0
    const time = (view.getUint32(at + 4) >>> 8) + bytes[at + 7] * 2 ** 24
    expect([view.getUint32(at + 8) >>> 8, view.getUint32(at + 11 + size)]).toEqual([0, size + 11])
    found.push({ at, kind: bytes[at], time, data: bytes.subarray(at + 11, at + 11 + size) })
    at += size + 15
  }
  return found
}

describe.each(fixturesOf(flv))('the film $name written', ({ bytes: film }) => {
  const bytes = Uint8Array.from(film)

  it.each([1, 2, 3])(
    'of tags by lot (%i): each once, in its order, and the index leads to key pictures',
    async (seed) => {
      const reader = readerOf(bytes)
      const table = await tablesOf(bytes)
      const own = readMetadata(reader, table)
      const random = randomNumbers(seed)
      const wanted: { kind: number; time: number; data: Uint8Array }[] = []
      const keys: number[] = []
      for (let row = 0; row < table.length; row++) {
        const lot = random()
        const { offset, size, kind, flags, time } = table
        if (row === own?.row || lot < 0.1) {
          flags[row] |= tags.DROPPED
          continue
        }
        // times go beyond 24 bits: they have another byte
        if (lot < 0.3) {
          flags[row] |= lot < 0.2 ? tags.NEW_HEADER : tags.NEW_TRAILER
          time[row] += seed * 20_000_000
        }
        const data = Uint8Array.from(bytes.subarray(offset[row] + 11, offset[row] + 11 + size[row]))
        if (lot > 0.9 && row + 1 < table.length) {
          // what is missing of a torn tag is zeros
          flags[row] |= tags.TORN | tags.NEW_HEADER
          size[row] += 9
          wanted.push({
            kind: kind[row],
            time: time[row],
            data: Uint8Array.of(...data, ...new Uint8Array(9)),
          })
          continue
        }
        const isKey = (flags[row] & (tags.KEY | tags.CONFIG | tags.EMPTY | tags.TORN)) === tags.KEY
        if (kind[row] === tags.VIDEO && isKey) keys.push(wanted.length)
        wanted.push({ kind: kind[row], time: time[row], data })
      }
      const front = [{ kind: tags.AUDIO, time: 7, data: Uint8Array.of(0xaf, 0, 0x12, 0x10) }]
      const facts = { hasVideo: hasKind(table, tags.VIDEO), hasAudio: false, width: 640, videoCodec: 7 }
      const kept = seed > 1 ? (own?.properties ?? []) : []
      const sink = new MemorySink()
      await writeFile({ table, kept, front, duration: 12.5, facts }, reader, sink, SILENT)
      const out = sink.bytes().slice()
      expect([...out.subarray(0, 13)]).toEqual([
        0x46,
        0x4c,
        0x56,
        1,
        facts.hasVideo ? 1 : 0,
        0,
        0,
        0,
        9,
        0,
        0,
        0,
        0,
      ])
      const [script, first, ...rest] = walked(out)
      expect([script.kind, script.time, first]).toMatchObject([tags.SCRIPT, 0, front[0]])
      expect(rest.map(({ at: _, ...tag }) => tag)).toEqual(wanted)

      const again = readMetadata(readerOf(out), await tablesOf(out))
      const names = again?.properties.map(({ name }) => name) ?? []
      const value = (name: string): Uint8Array =>
        again?.properties.find((each) => each.name === name)?.value ?? new Uint8Array()
      expect([again?.duration, again?.fileSize]).toEqual([12.5, out.length])
      expect(again?.positions).toEqual(keys.map((index) => rest[index].at))
      // what the file said of itself stays, as far as it still holds; else what is known is said
      const others = kept.filter(
        ({ name }) => !/^(duration|filesize|last|has|can|.*size$|keyframes|totalframes)/.test(name),
      )
      for (const { name, value: before } of others) expect(value(name), name).toEqual(before)
      expect(['width', 'videocodecid'].map((name) => readNumber(value(name), 0))).toEqual(
        kept.length > 0 ? expect.anything() : [640, 7],
      )
      expect(names).toEqual([...new Set(names)])
      const flags = ['hasVideo', 'hasAudio', 'hasMetadata', 'hasKeyframes'].map((name) => value(name)[1])
      expect(flags).toEqual([facts.hasVideo ? 1 : 0, 0, 1, keys.length > 0 ? 1 : 0])
      const index = readObject(value('keyframes'), 0)?.find(({ name }) => name === 'times')
      const times = (index && readNumbers(value('keyframes'), index.from)) ?? []
      expect(times.length).toBe(keys.length)
      // shown no earlier than decoded, and soon after
      for (const [i, time] of times.entries()) {
        const delay = time * 1000 - rest[keys[i]].time
        expect(delay).toBeGreaterThan(-1e-3)
        expect(delay).toBeLessThan(500)
      }
      const last = ['lastkeyframetimestamp', 'lastkeyframelocation'].map((name) => readNumber(value(name), 0))
      expect(last).toEqual([times.at(-1), rest[keys.at(-1) ?? 0].at])
    },
  )
})

it('an index of more key pictures than a player needs names every other one', async () => {
  const table = new tags.TagTable(1 << 20)
  const pictures = 70_000
  for (let row = 0; row < pictures; row++)
    table.push(13 + row * 16, 1, row * 40, tags.VIDEO, 'h263', tags.KEY)
  const sink = new MemorySink()
  const facts = { hasVideo: true, hasAudio: false }
  await writeFile(
    { table, kept: [], front: [], duration: 1, facts },
    readerOf(new Uint8Array(13 + pictures * 16)),
    sink,
    SILENT,
  )
  const out = sink.bytes()
  const size = new DataView(out.buffer, out.byteOffset).getUint32(13) & 0xffffff
  const script = new tags.TagTable(1)
  script.push(13, size, 0, tags.SCRIPT, '', 0)
  const positions = readMetadata(readerOf(out.slice()), script)?.positions ?? []
  expect(positions.length).toBe(pictures / 2)
  expect(new Set(positions.slice(1).map((place, i) => place - positions[i]))).toEqual(new Set([32]))
})
