import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { ISO_DRAFTS } from '../../../src/formats/isobmff/write/iso-drafts.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { sweep } from '../../../src/recording/deduce/sweep.ts'
import { repeated } from '../../../testing/adversaries/bytes.ts'
import { noise } from '../../../testing/hostile-sources.ts'

/** What Enhanced AC-3 at 48 kHz finds in bytes. */
function found(bytes: Uint8Array): ReturnType<typeof sweep> {
  const ground = {
    reader: new ByteReader(new MemorySource(bytes)),
    limits: DEFAULT_LIMITS,
    monitor: SILENT,
    family: ISO_DRAFTS,
  }
  const coding = {
    codec: 'eac3',
    config: Uint8Array.of(0, 0, 0x20, 0, 0),
    channels: 2,
    sampleRate: 48_000,
  } as const
  const track = { kind: 'audio', timescale: 48_000, unit: 1536, coding } as const
  return sweep(ground, [{ offset: 0, length: bytes.length }], track)
}

describe('units of one track alone', () => {
  it('are none in noise', async () => {
    expect((await found(noise(1 << 19, 1)))?.table.length).toBe(0)
  })

  it('are given up where bytes begin units everywhere, each of which would be summed', async () => {
    // a sync word, a checksum and a rate every four bytes
    expect(await found(repeated(Uint8Array.of(0x0b, 0x77, 0x1c, 0x4c), 1 << 19))).toBeUndefined()
  })
})
