import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ADVERSARIES, type Adversary, smallRecording } from '@mendframe/engine/testing'
import { EngineLimitError, type Report, runRepair } from '@mendframe/runner'
import { childrenSeconds } from './children-time.ts'

const USAGE = `usage: npm run bench -- hostile [options]
  Bytes made to cost time or memory, of every format, with a sample and without one, through the engine's process.
  --megabytes N      of each input, 8 by default
  --only A,B         names that begin so
  --slowest N        lines of the table, 30 by default
  --verbose          a line for each input as it ends
  --json FILE        write all figures
  --list             names`

/** Processor seconds and memory that nothing may exceed. */
const SECONDS_PER_MEGABYTE = 0.1
const RECORDING_BYTES = 400e6
const SECONDS_PER_MEGAPIXEL = 0.4
const BYTES_PER_MEGAPIXEL = 20e6
/** What the process holds for a photo of no pixels. */
const PHOTO_BASE_BYTES = 300e6
/**
 * Bytes up to which an input is small. Of those, what the process takes for an ordinary recording of a moment, most of it for its
 * own code to become fast, is left out, and not only what it takes to say that there is nothing in a file: per byte either is
 * without meaning.
 */
const SMALL_MEGABYTES = 2
/** Pictures of that recording, and of its sample. */
const MOMENT = { pictures: 60, sample: 90 }
/**
 * Wall-clock seconds after which an input is given up, for each megabyte and at least: on a busy machine, too, only what never
 * ends is.
 */
const PATIENCE = 10
const LEAST_PATIENCE = 600
/** Most memory of the engine's process: what a service gives it by default. */
const MEMORY_MB = 1024

interface Figures {
  readonly name: string
  readonly megabytes: number
  readonly seconds: number
  readonly peakBytes: number
  readonly verdict: string
  /** Seconds and memory over what is allowed: above 1 is too much. */
  readonly work: number
  readonly memory: number
}

/** Runs the benchmark of hostile inputs with the given arguments. */
export async function benchHostile(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      megabytes: { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
      slowest: { type: 'string', default: '30' },
      verbose: { type: 'boolean', default: false },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const wanted = values.only.split(',')
  const adversaries = ADVERSARIES.filter(({ name }) => wanted.some((start) => name.startsWith(start)))
  if (values.list) return console.log(adversaries.map(({ name }) => name).join('\n'))
  const folder = mkdtempSync(join(tmpdir(), 'mendframe-hostile-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const results: Figures[] = []
  const base = await baseSeconds(folder)
  const small = await momentSeconds(folder)
  console.log(
    `left out: start of the process, ${base.toFixed(2)} s; of inputs below ${SMALL_MEGABYTES} MB what a recording of a moment takes, ${small.toFixed(2)} s`,
  )
  for (const adversary of adversaries) {
    const result = await measure(adversary, Number(values.megabytes) * 1e6, folder, base, small)
    results.push(result)
    if (values.verbose) console.log(line(result))
  }
  const over = results.filter(({ work, memory }) => work > 1 || memory > 1)
  results.sort((a, b) => Math.max(b.work, b.memory) - Math.max(a.work, a.memory))
  console.log(
    `\n${'share of what is allowed: time, memory'.padEnd(40)}${'s'.padStart(8)}${'s/MB'.padStart(8)}${'MB peak'.padStart(9)}`,
  )
  console.log(
    results
      .slice(0, Math.max(over.length, Number(values.slowest)))
      .map(line)
      .join('\n'),
  )
  console.log(`\n${results.length} inputs, ${over.length} over`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`)
  if (over.length > 0) process.exitCode = 1
}

/** What it takes to say that there is nothing in a file. */
async function baseSeconds(folder: string): Promise<number> {
  const nothing = { name: '', make: () => ({ damaged: Uint8Array.of(1) }) }
  await measure(nothing, 1, folder, 0)
  return (await measure(nothing, 1, folder, 0)).seconds
}

/** What a recording of two seconds whose index is lost takes. */
async function momentSeconds(folder: string): Promise<number> {
  const film = smallRecording('h264-pcm', MOMENT.pictures, 1)
  const moment = {
    name: '',
    make: () => ({
      damaged: film.subarray(0, film.length - (film.length >> 3)),
      sample: smallRecording('h264-pcm', MOMENT.sample, 2),
    }),
  }
  return (await measure(moment, 1, folder, 0)).seconds
}

async function measure(
  { name, make }: Adversary,
  bytes: number,
  folder: string,
  base: number,
  small = base,
): Promise<Figures> {
  const { damaged, sample, extension = 'mp4', megapixels } = make(bytes)
  const path = (of: string): string => join(folder, `${of}.${extension}`)
  writeFileSync(path('damaged'), damaged)
  if (sample) writeFileSync(path('sample'), sample)
  const megabytes = (damaged.length + (sample?.length ?? 0)) / 1e6
  let peakBytes = 0
  const began = performance.now()
  const before = childrenSeconds()
  const verdict = await runRepair({
    damaged: path('damaged'),
    ...(sample ? { sample: path('sample') } : {}),
    output: path('repaired'),
    overwrite: true,
    durable: false,
    memoryMb: MEMORY_MB,
    timeoutSeconds: Math.max(LEAST_PATIENCE, PATIENCE * megabytes),
    onUsage: (usage) => {
      peakBytes = usage.peakBytes
    },
  }).then(
    ({ verdict }: Report) => verdict as string,
    (error: Error) => {
      if (error instanceof EngineLimitError && error.message.includes('memory'))
        peakBytes = MEMORY_MB * 2 ** 20
      return `${error.name}: ${error.message}`
    },
  )
  const after = childrenSeconds()
  const wall = (performance.now() - began) / 1000
  const seconds = Math.max(
    0,
    (before === undefined || after === undefined ? wall : after - before) -
      (megabytes < SMALL_MEGABYTES ? small : base),
  )
  const photo = megapixels !== undefined
  // a photo's bytes are looked through, whatever size it claims
  const allowed = photo
    ? SECONDS_PER_MEGAPIXEL * Math.max(megapixels, megabytes)
    : SECONDS_PER_MEGABYTE * megabytes
  const room = photo ? PHOTO_BASE_BYTES + BYTES_PER_MEGAPIXEL * megapixels : RECORDING_BYTES
  return { name, megabytes, seconds, peakBytes, verdict, work: seconds / allowed, memory: peakBytes / room }
}

function line({ name, megabytes, seconds, peakBytes, verdict, work, memory }: Figures): string {
  const numbers = [
    seconds.toFixed(2).padStart(8),
    (seconds / megabytes).toFixed(3).padStart(8),
    (peakBytes / 1e6).toFixed(0).padStart(9),
  ]
  const shares = `${work.toFixed(2).padStart(7)}${memory.toFixed(2).padStart(7)}`
  return `${shares}${numbers.join('')}  ${name}: ${verdict}`
}
