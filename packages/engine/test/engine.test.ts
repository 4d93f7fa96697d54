import { describe, expect, it } from 'vitest'
import { ByteReader } from '../src/bytes/reader.ts'
import { MemorySink, type SeekableSink } from '../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../src/bytes/source.ts'
import { diagnose, identify, repair } from '../src/engine.ts'
import type { Format, InputFile, PhotoFormat, RecordingFormat } from '../src/formats/format.ts'
import { DOUBT } from '../src/model/doubt.ts'
import { LimitError } from '../src/model/errors.ts'

const MARK = 0xa5

/** Owns files that begin with a byte of its own, and writes one byte. */
const plain: RecordingFormat = {
  name: 'plain',
  kind: 'recording',
  extensions: ['pln', 'plx'],
  probe: ({ reader }) => ({ score: reader.u8(0) === MARK ? 50 : 0, reasons: [] }),
  diagnose: async () => ({
    findings: [],
    omittedFindings: 0,
    healthy: false,
    sample: 'unneeded',
    tracks: [],
  }),
  repair: async (_job, sink) => {
    sink.write(Uint8Array.of(1))
    return {
      verdict: 'repaired',
      findings: [],
      omittedFindings: 0,
      strategies: [],
      sampleUsed: [],
      tracks: [],
    }
  },
}

const photo: PhotoFormat = {
  ...plain,
  name: 'still',
  kind: 'photo',
  extensions: ['stl'],
  probe: ({ reader }) => ({ score: reader.u8(0) === MARK + 1 ? 50 : 0, reasons: [] }),
  repair: async (_job, sink) => {
    sink.write(Uint8Array.of(2))
    return {
      verdict: 'partial',
      findings: [],
      omittedFindings: 0,
      strategies: [],
      sampleUsed: [],
      doubts: [DOUBT.areasLost],
      pictures: [],
    }
  },
}

const FORMATS: readonly Format[] = [plain, photo]

function file(first: number, name: string): { source: ByteSource; name: string } {
  return { source: new MemorySource(Uint8Array.of(first, 0, 0, 0)), name }
}

/** A sink that copies ahead and refuses to be written to before that has ended, as the runner's. */
class AheadSink extends MemorySink implements SeekableSink {
  readonly pending = 0
  lead: number | undefined = 4096

  override write(bytes: Uint8Array): void {
    if (this.lead !== undefined) throw new Error('written before copying ahead was ended')
    super.write(bytes)
  }

  async hold(): Promise<void> {
    this.lead = undefined
  }

  copy(): boolean {
    return false
  }

  async settled(): Promise<void> {}

  async seek(): Promise<void> {}
}

describe('a repair by whichever format', () => {
  it('ends copying ahead for a format that knows nothing of it, and not for one that does', async () => {
    const sink = new AheadSink()
    await repair({ damaged: file(MARK, 'a.pln'), sink, formats: FORMATS })
    expect(sink.bytes()).toEqual(Uint8Array.of(1))
    const knowing: Format = { ...plain, copiesAhead: true }
    const early = repair({ damaged: file(MARK, 'a.pln'), sink: new AheadSink(), formats: [knowing] })
    await expect(early).rejects.toThrow('copying ahead')
  })

  it.each([
    ['a.plx', 'plx'],
    ['a.mov', 'pln'],
    ['a', 'pln'],
  ])('calls the result of %s a file of %s', async (name, extension) => {
    const report = await repair({ damaged: file(MARK, name), sink: new MemorySink(), formats: FORMATS })
    expect(report.extension).toBe(extension)
  })

  it('says of a file that goes beyond a limit that it cannot be repaired; once something was written, it is an error', async () => {
    const beyond = () => Promise.reject(new LimitError('more than 3 chunks'))
    const greedy: RecordingFormat = { ...plain, diagnose: beyond, repair: beyond }
    const damaged = file(MARK, 'film.pln')
    const report = await repair({ damaged, sink: new MemorySink(), formats: [greedy] })
    expect([report.verdict, report.kind, report.findings[0].code]).toEqual([
      'unrepairable',
      'recording',
      'file.beyond-limits',
    ])
    expect(report.reason).toContain('more than 3 chunks')
    const diagnosis = await diagnose({ file: damaged, formats: [greedy] })
    expect([diagnosis.healthy, diagnosis.format, diagnosis.findings[0].code]).toEqual([
      false,
      'plain',
      'file.beyond-limits',
    ])
    const late: RecordingFormat = {
      ...plain,
      repair: async (_job, sink) => {
        sink.write(Uint8Array.of(1))
        return beyond()
      },
    }
    await expect(repair({ damaged, sink: new MemorySink(), formats: [late] })).rejects.toThrow(LimitError)
  })

  it('calls a file of a foreign extension what its format says', async () => {
    const other: Format = {
      ...plain,
      repair: async (job, sink) => ({ ...(await plain.repair(job, sink)), extension: 'plx' }),
    }
    const report = await repair({
      damaged: file(MARK, 'a.mov'),
      sink: new MemorySink(),
      formats: [other],
    })
    expect(report.extension).toBe('plx')
  })

  it('doubts a repair by any format that has a track of which nothing is whole', async () => {
    const torn: Format = {
      ...plain,
      repair: async (job, sink) => ({
        ...(await plain.repair(job, sink)),
        tracks: [
          {
            id: 1,
            kind: 'video',
            codec: 'mjpeg',
            recovered: 0,
            damaged: 96,
            lost: 0,
            duration: 4,
            times: 'exact',
            ranges: [],
          },
        ],
      }),
    }
    const report = await repair({ damaged: file(MARK, 'a.pln'), sink: new MemorySink(), formats: [torn] })
    expect(report).toMatchObject({ verdict: 'partial', doubts: [DOUBT.noneWhole] })
  })

  it('leaves a sample of another format unused, and says so', async () => {
    let given = true
    const watching: Format = {
      ...plain,
      repair: (job, sink) => {
        given = job.sample !== undefined
        return plain.repair(job, sink)
      },
    }
    const report = await repair({
      damaged: file(MARK, 'a.pln'),
      sample: file(MARK + 1, 'b.stl'),
      sink: new MemorySink(),
      formats: [watching, photo],
    })
    expect(given).toBe(false)
    expect(report.findings.map(({ code }) => code)).toEqual(['sample.other-format'])
    expect(report.sample?.format).toBe('still')
  })

  it('gives a photo asked for no film that its bytes look like a little, and takes their word where it is certain', async () => {
    const asked = async (score: number): Promise<string> => {
      const film: Format = { ...plain, probe: () => ({ score, reasons: [] }) }
      const report = await repair({
        damaged: file(0, 'a.stl'),
        sink: new MemorySink(),
        formats: [film, photo],
      })
      return report.format
    }
    expect([await asked(60), await asked(95)]).toEqual(['still', 'plain'])
  })

  it('makes no photo of a film for a picture in it, where the rest looks like what its name says', async () => {
    const asked = async (score: number): Promise<string> => {
      const film: Format = { ...plain, probe: () => ({ score, reasons: [] }) }
      const cover: Format = { ...photo, probe: () => ({ score: 92, reasons: [] }) }
      const request = { damaged: file(0, 'a.pln'), sink: new MemorySink(), formats: [film, cover] }
      return (await repair(request)).format
    }
    expect([await asked(85), await asked(20)]).toEqual(['plain', 'still'])
  })

  it('takes a part of a photo behind the start for a cover where a sample and the extension or the rest name a film', async () => {
    const asked = async (name: string, isInside: boolean, rest = 0): Promise<string> => {
      const film: Format = {
        ...plain,
        probe: ({ reader }) => ({ score: reader.u8(0) === MARK ? 98 : rest, reasons: [] }),
      }
      const cover: Format = {
        ...photo,
        probe: ({ reader }) => ({ score: reader.u8(0) === 0 ? 92 : 0, reasons: [], isInside }),
      }
      const sample = file(MARK, 'b.pln')
      const request = { damaged: file(0, name), sample, sink: new MemorySink(), formats: [film, cover] }
      return (await repair(request)).format
    }
    expect(await asked('a.pln', true)).toBe('plain')
    expect(await asked('a.pln', false)).toBe('still')
    expect(await asked('a.stl', true)).toBe('still')
    expect(await asked('a', true)).toBe('still')
    expect(await asked('a', true, 85)).toBe('plain')
  })

  it('tells of pictures where a photo was repaired, with doubts by their code', async () => {
    const report = await repair({
      damaged: file(MARK + 1, 'a.stl'),
      sink: new MemorySink(),
      formats: FORMATS,
    })
    expect(report).toMatchObject({ kind: 'photo', pictures: [], doubts: [{ code: 'areas-lost' }] })
  })

  it('keeps damaged pictures as decoding tells, where nobody says otherwise', async () => {
    const seen: string[] = []
    const watching: Format = {
      ...plain,
      repair: (job, sink) => {
        seen.push(job.options.damagedFrames)
        return plain.repair(job, sink)
      },
    }
    for (const options of [{}, { damagedFrames: 'drop' as const }])
      await repair({ damaged: file(MARK, 'a.pln'), sink: new MemorySink(), formats: [watching], options })
    expect(seen).toEqual(['auto', 'drop'])
  })
})

describe('a file whose extension names a format that is sure of it', () => {
  it('is that format, and none is asked that its extension does not name', () => {
    const asked: string[] = []
    const format = (name: string, score: number, extensions = [name]): Format => ({
      ...plain,
      name,
      extensions,
      probe: () => {
        asked.push(name)
        return { score, reasons: [] }
      },
    })
    const formats = [format('one', 60), format('two', 95), format('three', 60, ['three', 'two'])]
    const opened = (extension: string): InputFile => ({
      reader: new ByteReader(new MemorySource(Uint8Array.of(0))),
      extension,
    })
    expect(identify(opened('two'), formats)?.name).toBe('two')
    expect(asked).toEqual(['two', 'three'])
    expect(identify(opened('one'), formats)?.name).toBe('two')
  })
})
