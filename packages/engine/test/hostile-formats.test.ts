import { describe, expect, it } from 'vitest'
import { MemorySource, repair } from '../src/index.ts'
import { ADVERSARIES } from '../testing/adversaries/index.ts'

const BYTES = 1_000_000
/** Processor time of a megabyte, with a test runner's wrapping and a cold start: what fell took several times as long. */
const SECONDS = 4

/** Inputs that once took seconds a megabyte: each stands for a mechanism that is bounded now. */
const FELL = [
  'matroska: its first bytes over and over (mkv-h264-aac, no sample)',
  'avi: a head, then indexes that claim everything (no sample)',
  'jpeg: starts of photos (no sample)',
  'jpeg: a head, then starts of photos (no sample)',
  'tiff: samples without number',
  'frames of AC-3 (hevc-camm-mebx)',
  'gif: dark pictures of a pixel',
  'png: profiles that unpack to much',
]
/** The same of such whose work grew with the square of their bytes. */
const FELL_LARGE = [
  'flv: a head, then tags with holes (no sample)',
  'gif: controls without number, then a torn picture',
  'crw: heaps within heaps',
]
const LARGE_BYTES = 4_000_000

describe('bytes that once took seconds a megabyte', () => {
  it.each([
    ...FELL.map((name) => [name, BYTES] as const),
    ...FELL_LARGE.map((name) => [name, LARGE_BYTES] as const),
  ])(
    '%s: are answered in time',
    async (wanted, bytes) => {
      const adversary = ADVERSARIES.find(({ name }) => name === wanted)
      if (!adversary) throw new Error(`no adversary ${wanted}`)
      const { damaged, sample, extension = 'mp4' } = adversary.make(bytes)
      const sink = {
        position: 0,
        write(bytes: Uint8Array): void {
          this.position += bytes.length
        },
      }
      const before = process.threadCpuUsage()
      await repair({
        damaged: { source: new MemorySource(damaged), name: `file.${extension}` },
        ...(sample ? { sample: { source: new MemorySource(sample), name: `sample.${extension}` } } : {}),
        sink,
      })
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1e6).toBeLessThan(SECONDS)
    },
    60_000,
  )
})
