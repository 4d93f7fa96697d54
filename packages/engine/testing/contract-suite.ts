import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS, type Limits } from '../src/bytes/limits.ts'
import { ByteReader } from '../src/bytes/reader.ts'
import { MemorySink } from '../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../src/bytes/source.ts'
import { diagnose, identify, type RepairRequest, repair } from '../src/engine.ts'
import type { Format, InputFile } from '../src/formats/format.ts'
import { AbortedError, EngineError, EnvironmentError, LimitError } from '../src/model/errors.ts'
import type { Report } from '../src/model/report.ts'
import { type Fixture, fixturesOf, missingFixtures } from './contract/fixtures.ts'
import { NotingSink } from './contract/sinks.ts'
import { expectFindings, expectReport, ListeningMonitor } from './contract/well-formed.ts'
import {
  allLengthsMax,
  CountingSource,
  FailingSource,
  LyingSource,
  lies,
  noise,
  randomFrom,
  ZeroTailSource,
} from './hostile-sources.ts'

/** Score from which the engine believes a probe (`engine.ts`). */
const BELIEVED = 10
/** "A few hundred kilobytes" of the contract, in whole blocks of the reader's cache at head, middle and tail. */
const PROBE_BYTES = 4 * 1024 * 1024
const CUTS = 18
const LIES = 24
const ZEROS = 48 * 1024 * 1024
/** Where a sink that copies ahead puts the damaged file's first byte. */
const LEAD = 10_000
/** Share of a file that is left of one cut off. */
const LEFT = 0.7

interface Outcome {
  readonly report: Report
  readonly output: Uint8Array
}

/**
 * The contract every registered format keeps, tested unseen: nothing here knows a format. Fixtures are found by the
 * format's name.
 */
export function contractSuite(formats: readonly Format[]): void {
  const all = formats.map((format) => ({ format, fixtures: fixturesOf(format) }))

  describe('formats together', () => {
    it('have names of their own', () => {
      const names = formats.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const { name, extensions } of formats) {
        expect(name).toMatch(/^[a-z0-9-]+$/)
        expect(extensions.length).toBeGreaterThan(0)
        for (const extension of extensions) expect(extension).toMatch(/^[a-z0-9]+$/)
      }
    })

    it('agree on who owns which file, whatever it is called', () => {
      for (const { format, fixtures } of all) {
        for (const fixture of fixtures) {
          const file = { reader: new ByteReader(new MemorySource(fixture.bytes)), extension: 'bin' }
          expect(identify(file, formats)?.name, fixture.name).toBe(format.name)
        }
      }
    })

    it('disown what is no media file', () => {
      const text = new TextEncoder().encode('Dear diary, nothing happened today. '.repeat(4_000))
      for (const bytes of [
        new Uint8Array(0),
        new Uint8Array(1),
        new Uint8Array(100_000),
        noise(100_000, 1),
        text,
      ]) {
        for (const format of formats) {
          const { score } = format.probe({ reader: new ByteReader(new MemorySource(bytes)), extension: '' })
          expect(score, `${format.name} of ${bytes.length} bytes`).toBeLessThan(BELIEVED)
        }
      }
    })
  })

  for (const { format, fixtures } of all) {
    describe(`format ${format.name}`, () => {
      it('has fixtures', () => {
        expect(fixtures.length, missingFixtures(format)).toBeGreaterThan(0)
      })
      for (const fixture of fixtures) describe(fixture.name, () => fixtureSuite(format, fixture))
    })
  }
}

function fixtureSuite(format: Format, fixture: Fixture): void {
  const whole = new MemorySource(fixture.bytes)
  const cut = new MemorySource(fixture.bytes.subarray(0, Math.floor(fixture.bytes.length * LEFT)))
  const file = (source: ByteSource): { source: ByteSource; name: string } => ({
    source,
    name: `file.${fixture.extension}`,
  })
  const sample = fixture.sample ? { sample: file(new MemorySource(fixture.sample)) } : {}

  const run = async (source: ByteSource, more: Partial<RepairRequest> = {}): Promise<Outcome> => {
    const sink = new MemorySink()
    const report = await repair({ damaged: file(source), ...sample, sink, formats: [format], ...more })
    return { report, output: sink.bytes() }
  }

  /** Repairs whatever it is given and holds the result to everything a result promises. */
  const check = async (source: ByteSource, more: Partial<RepairRequest> = {}): Promise<Outcome> => {
    const diagnosis = await diagnose({ file: file(source), formats: [format] })
    expectFindings(diagnosis.findings, source.size)
    const outcome = await run(source, more)
    expectReport(outcome.report, source.size)
    const wrote = outcome.report.verdict === 'repaired' || outcome.report.verdict === 'partial'
    expect(outcome.output.length > 0, outcome.report.verdict).toBe(wrote)
    if (wrote) expect(outcome.report.output?.size).toBe(outcome.output.length)
    return outcome
  }

  it('is recognised from few bytes, however long the file', () => {
    const source = new CountingSource(new ZeroTailSource(whole, ZEROS))
    const opened: InputFile = { reader: new ByteReader(source), extension: '' }
    expect(format.probe(opened).score).toBeGreaterThanOrEqual(BELIEVED)
    expect(source.bytesRead).toBeLessThanOrEqual(PROBE_BYTES)
  })

  it('is healthy, with and without a sample, and stays as it is', async () => {
    const before = Uint8Array.from(fixture.bytes)
    const diagnosis = await diagnose({ file: file(whole), formats: [format] })
    expect(diagnosis.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(diagnosis.healthy).toBe(true)
    expect(diagnosis.tracks.length + (diagnosis.pictures?.length ?? 0)).toBeGreaterThan(0)
    const sink = new MemorySink()
    const alone = await repair({ damaged: file(whole), sink, formats: [format] })
    expect(alone.verdict).toBe('healthy')
    expect(sink.position).toBe(0)
    expect((await check(whole)).report.verdict).toBe('healthy')
    expect(fixture.bytes).toEqual(before)
  })

  it('cut anywhere is answered, and what comes out is healthy', async () => {
    for (const length of cutPoints(fixture.bytes.length)) {
      const { report, output } = await check(new MemorySource(fixture.bytes.subarray(0, length)))
      if (output.length === 0) continue
      const again = await repair({
        damaged: file(new MemorySource(output)),
        sink: new MemorySink(),
        formats: [format],
      })
      const complaint = `cut at ${length} of ${fixture.bytes.length}, ${report.verdict}: ${JSON.stringify(again.findings.slice(0, 3))}`
      expect(again.verdict, complaint).toBe('healthy')
    }
  })

  it('cut at 70% is repaired, or in part, and most of it is there', async () => {
    const { report, output } = await check(cut)
    expect(['repaired', 'partial'], report.reason).toContain(report.verdict)
    expect(output.length).toBeGreaterThan(cut.size / 2)
    if (report.kind === 'photo') expect(report.pictures.length).toBeGreaterThan(0)
    else expect(report.tracks.reduce((sum, { recovered }) => sum + recovered, 0)).toBeGreaterThan(0)
  })

  it('cut at 70% comes out the same in a sink that notes what it copies, and in one that copies ahead', async () => {
    const { output } = await run(cut)
    for (const lead of [undefined, LEAD]) {
      const sink = new NotingSink(cut, lead)
      await run(cut, { sink })
      expect(Buffer.compare(sink.bytes(), output), lead === undefined ? 'noting' : 'copying ahead').toBe(0)
    }
  })

  it('without its beginning is answered', async () => {
    for (const start of [1, 4, 100, 5_001]) {
      if (start < fixture.bytes.length) await check(new MemorySource(fixture.bytes.subarray(start)))
    }
  })

  it('with zeros behind it is answered, however many', async () => {
    await check(
      new ZeroTailSource(
        new MemorySource(fixture.bytes.subarray(0, Math.floor(fixture.bytes.length * 0.6))),
        ZEROS,
      ),
    )
  })

  it('with lies about lengths is answered', async () => {
    for (const bytes of [...lies(fixture.bytes, LIES, 7), allLengthsMax(fixture.bytes)])
      await check(new MemorySource(bytes))
  })

  it('replaced by zeros, ones or noise is answered', async () => {
    const { length } = fixture.bytes
    const nothing = {
      zeros: new Uint8Array(length),
      ones: new Uint8Array(length).fill(0xff),
      noise: noise(length, 3),
    }
    for (const [name, bytes] of Object.entries(nothing)) {
      const { report } = await check(new MemorySource(bytes))
      expect(report.verdict, name).toBe('unrepairable')
    }
  })

  it('survives a sample that is damaged, foreign or the file itself', async () => {
    const other = fixture.sample ?? fixture.bytes
    const samples = [
      other.subarray(0, Math.floor(other.length / 2)),
      noise(50_000, 5),
      allLengthsMax(other),
      ...lies(other, 6, 11),
    ]
    for (const bytes of samples) await check(cut, { sample: file(new MemorySource(bytes)) })
    await check(cut, { sample: file(cut) })
  })

  it('on a failing medium blames the environment and nothing else', async () => {
    for (const goodReads of [0, 1, 2]) {
      const error = await failure(run(new FailingSource(cut, goodReads)))
      // A small file may have been read as a whole before the medium failed.
      if (error !== undefined) expect(error).toBeInstanceOf(EnvironmentError)
      if (goodReads === 0) expect(error).toBeInstanceOf(EnvironmentError)
    }
  })

  it('on a medium that gives less than it claims is answered', async () => {
    await check(new LyingSource(whole, fixture.bytes.length + 3_000_000))
    await check(new LyingSource(new MemorySource(fixture.bytes.subarray(0, 10_000)), fixture.bytes.length))
  })

  it('hands a full disk on to the caller', async () => {
    const full = new EnvironmentError('no space left')
    const sink = {
      position: 0,
      write: () => {
        throw full
      },
    }
    expect(await failure(run(cut, { sink }))).toBe(full)
  })

  it('stops when asked to, and says how far it is', async () => {
    const monitor = new ListeningMonitor()
    await run(cut, { monitor })
    expect(monitor.faults).toEqual([])
    expect(monitor.pauses).toBeGreaterThan(0)
    const stop = new AbortedError('stopped')
    const stopping = { progress: () => {}, pause: () => Promise.reject(stop) }
    expect(await failure(run(cut, { monitor: stopping }))).toBe(stop)
  })

  it('keeps to limits, or says which one it met', async () => {
    const tight: Limits[] = [
      { ...DEFAULT_LIMITS, samplesPerTrack: 5 },
      { ...DEFAULT_LIMITS, tracks: 1 },
      { ...DEFAULT_LIMITS, depth: 2 },
      { ...DEFAULT_LIMITS, findings: 1 },
      { ...DEFAULT_LIMITS, structureBytes: 64 },
    ]
    for (const source of [whole, cut]) {
      for (const limits of tight) {
        const error = await failure(run(source, { limits }))
        if (error !== undefined) expect(error).toBeInstanceOf(LimitError)
        if (error === undefined && limits.findings === 1) {
          expect((await run(source, { limits })).report.findings.length).toBeLessThanOrEqual(1)
        }
      }
    }
  })
}

/** Ends of structure at both ends of the file, and places in between. */
function cutPoints(length: number): number[] {
  const random = randomFrom(length)
  const fixed = [1, 7, 8, 9, 16, 31, 4_095, length - 1, length - 2, length - 8, length - 17]
  const spread = Array.from({ length: CUTS }, (_, index) => Math.floor(((index + random()) / CUTS) * length))
  return [...new Set([...fixed, ...spread])].filter((at) => at > 0 && at < length).sort((a, b) => a - b)
}

/** The error a promise fails with; undefined when it does not. Anything but the engine's own errors is a fault of the format. */
async function failure(promise: Promise<unknown>): Promise<EngineError | undefined> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined || error instanceof EngineError) return error
  throw error
}
