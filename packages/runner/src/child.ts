/**
 * The engine process. It runs under Node's permission model without any right to open files, start processes or
 * threads, or reach a network: the files it works on are handed over as open descriptors.
 */
import { ftruncateSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setImmediate as turn } from 'node:timers/promises'
import {
  type Decoded,
  type Decoder,
  diagnose,
  type Monitor,
  profile,
  readPictures,
  repair,
} from '@mendframe/engine'
import { toWire } from './errors.ts'
import { FileSink } from './file-sink.ts'
import { FileSource } from './file-source.ts'
import {
  ANSWERS,
  type DecodeTarget,
  type EngineJob,
  type EngineMessage,
  type HandedFile,
  type Notice,
} from './protocol.ts'

/** Milliseconds between two progress messages of one stage: smooth for the eye, nothing for the pipe. */
const PROGRESS_INTERVAL = 80
/** Milliseconds of work between two looks at the parent and at what goes on in the background. */
const PAUSE_INTERVAL = 2

function answer(message: EngineMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  let done = 0
  while (done < bytes.length) done += writeSync(ANSWERS, bytes, done, bytes.length - done)
}

function createMonitor(): Monitor {
  let shownStage = ''
  let shownAt = Number.NEGATIVE_INFINITY
  let pausedAt = performance.now()
  return {
    progress(stage, fraction) {
      const now = performance.now()
      if (stage === shownStage && fraction < 1 && now - shownAt < PROGRESS_INTERVAL) return
      shownStage = stage
      shownAt = now
      answer({ type: 'progress', stage, fraction, memory: process.memoryUsage.rss() })
    },
    async pause() {
      const now = performance.now()
      if (now - pausedAt < PAUSE_INTERVAL) return
      await turn()
      pausedAt = performance.now()
    },
  }
}

function engineFile(handle: HandedFile, label: string) {
  return { source: new FileSource(handle.descriptor, handle.size, label), name: handle.name }
}

/** Takes what the parent says after the job. */
let onNotice = (_notice: Notice): void => {}

/** A decoder behind the parent, which reads what is written into the scratch file. */
class ParentDecoder implements Decoder {
  /** Milliseconds spent on waiting for it. */
  waited = 0
  #resolve = (_decoded: Decoded): void => {}
  readonly #scratch: number

  constructor(scratch: number) {
    this.#scratch = scratch
  }

  decodeDamaged(): Promise<Decoded> {
    return this.#ask('damaged')
  }

  decode(file: Uint8Array): Promise<Decoded> {
    ftruncateSync(this.#scratch, 0)
    for (let done = 0; done < file.length; )
      done += writeSync(this.#scratch, file, done, file.length - done, done)
    return this.#ask('scratch')
  }

  tell(decoded: Decoded): void {
    this.#resolve(decoded)
  }

  async #ask(target: DecodeTarget): Promise<Decoded> {
    const asked = performance.now()
    const decoded = await new Promise<Decoded>((resolve) => {
      this.#resolve = resolve
      answer({ type: 'decode', target })
    })
    this.waited += performance.now() - asked
    return decoded
  }
}

async function work(job: EngineJob): Promise<EngineMessage> {
  const monitor = createMonitor()
  if (job.kind === 'diagnose') {
    const diagnosis = await diagnose({ file: engineFile(job.file, 'the file'), monitor })
    return { type: 'diagnosed', diagnosis }
  }
  if (job.kind === 'read-pictures') {
    const tracks = await readPictures({ file: engineFile(job.file, 'the file'), monitor })
    return { type: 'read-pictures', tracks }
  }
  if (job.kind === 'profile') {
    const made = await profile({ file: engineFile(job.file, 'the file'), name: job.camera, monitor })
    return { type: 'profiled', profile: made }
  }
  const damaged = engineFile(job.damaged, 'the damaged file')
  const sink = new FileSink(job.output, 'the output', {
    source: damaged.source,
    ...(job.lead === undefined ? {} : { lead: job.lead }),
    order: (order) => answer({ type: 'copy', order }),
    foretell: (order) => answer({ type: 'foretell', order }),
    hold: () => answer({ type: 'hold' }),
  })
  const decoder = job.scratch === undefined ? undefined : new ParentDecoder(job.scratch)
  onNotice = (notice) => {
    if ('held' in notice) sink.held()
    else if ('decoded' in notice) decoder?.tell(notice.decoded)
    else sink.copied(notice.copied, notice.zeros)
  }
  const report = await repair({
    damaged,
    ...(job.sample ? { sample: engineFile(job.sample, 'the sample') } : {}),
    sink,
    options: job.options,
    monitor,
    ...(decoder ? { decoder } : {}),
    now: () => performance.now() - (decoder?.waited ?? 0),
  })
  // who holds may have written: what was copied ahead for nothing is a healthy file's copy
  if (report.output) await sink.end()
  return { type: 'repaired', report }
}

// Ctrl-C reaches the whole process group; stopping us is the parent's business.
process.on('SIGINT', () => {})

const input = createInterface({ input: process.stdin })
// The parent holds our input open as long as it lives: its end means that nobody waits for the result any more.
input.once('close', () => process.exit(1))
input.once('line', (line) => {
  input.on('line', (further) => onNotice(JSON.parse(further)))
  const job: EngineJob = JSON.parse(line)
  work(job).then(answer, (error: unknown) => {
    const wire = toWire(error)
    if (!wire) throw error
    answer({ type: 'failed', error: wire })
  })
})
