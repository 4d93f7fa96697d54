import { describe, expect, it } from 'vitest'
import { ByteReader } from '../src/bytes/reader.ts'
import { MemorySink } from '../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../src/bytes/source.ts'
import { diagnose, identify, type RepairRequest, repair } from '../src/engine.ts'
import type { Format, InputFile } from '../src/formats/format.ts'
import { AbortedError, EngineError, EnvironmentError } from '../src/model/errors.ts'
import type { Report } from '../src/model/report.ts'
import {
  expectedOf,
  isHeld,
  letterOf,
  Results,
  recipesOf,
  requestOf,
  resultsOf,
} from './contract/expected.ts'
import { type Fixture, fixturesOf, missingFixtures } from './contract/fixtures.ts'
import { NotingSink } from './contract/sinks.ts'
import { type Case, cutOff, situationsOf, zeroTail } from './contract/situations.ts'
import { expectFindings, expectReport, ListeningMonitor } from './contract/well-formed.ts'
import { CountingSource, FailingSource, noise } from './hostile-sources.ts'
import { isRecorded } from './recorded/results.ts'

/** Score from which the engine believes a probe (`engine.ts`). */
const BELIEVED = 10
/** "A few hundred kilobytes" of the contract, in whole blocks of the reader's cache at head, middle and tail. */
const PROBE_BYTES = 4 * 1024 * 1024
/** Where a sink that copies ahead puts the damaged file's first byte. */
const LEAD = 10_000
/** What to do where another verdict is meant. */
const REMEDY = 'if meant otherwise: npm run record'

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
  const cut = cutOff(fixture)
  const expected = expectedOf(format, fixture)
  const held = resultsOf(format, fixture)
  const file = (source: ByteSource): { source: ByteSource; name: string } => ({
    source,
    name: `file.${fixture.extension}`,
  })
  const own = fixture.sample && new MemorySource(fixture.sample)
  const sample = own ? { sample: file(own) } : {}

  const run = async (source: ByteSource, more: Partial<RepairRequest> = {}): Promise<Outcome> => {
    const sink = new MemorySink()
    const report = await repair({ damaged: file(source), ...sample, sink, formats: [format], ...more })
    return { report, output: sink.bytes() }
  }

  /** Repairs whatever it is given and holds the result to everything a result promises. */
  const check = async (one: Case): Promise<Outcome> => {
    const { source } = one
    const diagnosis = await diagnose({ file: file(source), formats: [format] })
    expectFindings(diagnosis.findings, source.size)
    const sink = new MemorySink()
    const report = await repair({ ...requestOf(format, fixture, one), sink })
    const output = sink.bytes()
    expectReport(report, source.size)
    const wrote = report.verdict === 'repaired' || report.verdict === 'partial'
    expect(output.length > 0, report.verdict).toBe(wrote)
    if (wrote) expect(report.output?.size).toBe(output.length)
    return { report, output }
  }

  it('is recognised from few bytes, however long the file', () => {
    const source = new CountingSource(zeroTail(whole))
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
    expect((await check({ what: 'whole', source: whole, sample: own })).report.verdict).toBe('healthy')
    expect(fixture.bytes).toEqual(before)
  })

  const situation = (name: string): Case[] => situationsOf(fixture, []).get(name)?.() ?? []

  /** Every case of a situation is answered as it should be, and comes out as expected. */
  const expectCases = async (name: string, cases: readonly Case[]): Promise<void> => {
    let letters = ''
    const results = new Results()
    for (const one of cases) {
      const checked = check(one)
      letters += await letterOf(checked.then(({ report }) => report))
      if (!isHeld(name)) continue
      const { report, output } = await checked
      results.add(report, output)
    }
    expect(letters, `${name}: ${REMEDY}`).toBe(expected.get(name))
    if (isHeld(name)) expect(results.digest(), `${name}: ${REMEDY}`).toBe(held.get(name))
  }

  it.each([
    'without its beginning',
    'with zeros behind it',
    'with lies about lengths',
    'with a sample that is damaged, foreign or the file itself',
    'on a medium that gives less than it claims',
  ])('%s comes out as expected', (name) => expectCases(name, situation(name)))

  // what comes of the recipes of a recorded format is held by its records
  if (!isRecorded(format))
    it('damaged by any recipe of its format comes out as expected', async () => {
      for (const [name, cases] of situationsOf(fixture, await recipesOf(format)))
        if (name.startsWith('recipe:')) await expectCases(name, cases())
    })

  it('cut anywhere comes out as expected, and healthy', async () => {
    let letters = ''
    const results = new Results()
    for (const one of situation('cut anywhere')) {
      const { report, output } = await check(one)
      letters += await letterOf(Promise.resolve(report))
      results.add(report, output)
      if (output.length === 0) continue
      const again = await repair({
        damaged: file(new MemorySource(output)),
        sink: new MemorySink(),
        formats: [format],
      })
      const complaint = `${one.what}, ${report.verdict}: ${JSON.stringify(again.findings.slice(0, 3))}`
      expect(again.verdict, complaint).toBe('healthy')
    }
    expect(letters, REMEDY).toBe(expected.get('cut anywhere'))
    expect(results.digest(), REMEDY).toBe(held.get('cut anywhere'))
  })

  it('cut at 70% is repaired, or in part, and most of it is there', async () => {
    const { report, output } = await check({ what: 'cut', source: cut, sample: own })
    expect(['repaired', 'partial'], report.reason).toContain(report.verdict)
    expect(output.length).toBeGreaterThan(cut.size / 2)
    if (report.kind === 'photo') expect(report.pictures.length).toBeGreaterThan(0)
    else expect(report.tracks.reduce((sum, { recovered }) => sum + recovered, 0)).toBeGreaterThan(0)
  })

  it('cut at 70% comes out the same in a sink that notes what it copies, and in one that copies ahead', async () => {
    const { output } = await run(cut)
    for (const lead of [undefined, 0, LEAD]) {
      const sink = new NotingSink(cut, lead)
      await run(cut, { sink })
      expect(Buffer.compare(sink.bytes(), output), `copying ahead by ${lead}`).toBe(0)
    }
  })

  it('replaced by zeros, ones or noise is unrepairable', async () => {
    for (const one of situation('replaced by zeros, ones or noise'))
      expect((await check(one)).report.verdict, one.what).toBe('unrepairable')
  })

  it('on a failing medium blames the environment and nothing else', async () => {
    for (const goodReads of [0, 1, 2]) {
      const error = await failure(run(new FailingSource(cut, goodReads)))
      // A small file may have been read as a whole before the medium failed.
      if (error !== undefined) expect(error).toBeInstanceOf(EnvironmentError)
      if (goodReads === 0) expect(error).toBeInstanceOf(EnvironmentError)
    }
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

  it('keeps to limits, or says that it met one, as expected', async () => {
    let letters = ''
    for (const one of situation('within limits')) {
      const report = repair(requestOf(format, fixture, one))
      letters += await letterOf(report)
      const most = one.limits?.findings ?? 0
      if (!letters.endsWith('L')) expect((await report).findings.length, one.what).toBeLessThanOrEqual(most)
    }
    expect(letters, REMEDY).toBe(expected.get('within limits'))
  })
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
