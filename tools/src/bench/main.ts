import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RECIPES } from '../media/catalogue.ts'
import { type BenchOptions, type CaseResult, runRecording } from './cases.ts'
import type { Damages } from './damage.ts'
import { DAMAGES } from './damages.ts'
import { drawnCases } from './drawn.ts'
import { LARGE_FILES } from './large-files.ts'
import { inChildren, inThisProcess } from './media.ts'
import { makeRecording, openRecording, type Recording, type Shape } from './recordings.ts'
import { CASE_HEADER, caseLines, faultLines, promiseLine, summarise, summaryLines } from './table.ts'
import { type Throughput, throughput, throughputLines } from './throughput.ts'
import { inProcess, mendframeWith, peers, prepare, type Tool } from './tools.ts'

const USAGE = `usage: npm run bench -- [options]
  --clips A,B      recordings by name (a trailing * matches any ending); all ISO media by default
  --damages A,B    damages by name; all that apply by default
  --only CLIP:DAMAGE   a single case
  --drawn FIRST-LAST   instead: random damages of recordings with random settings, by their numbers, and with --damages those alone
  --files A,B      files at hand instead of made recordings
  --with FILE      their sample: another file, none, or head (default): their own first 40%
  --sample ROLE    calm-sample (default), like-sample, larger-sample (of other settings) or none
  --sample-sounds N  tracks of sound of the sample, where it has not as many as the recording
  --quick          small and short recordings
  --seconds N --size WxH --seed N    the first two for drawn recordings, too
  --in-process     engine and comparison in this process instead of starting the command for each case: much faster where cases are small,
                   without limits, figures of memory, the check by decoding, and other repairers
  --check          with the decoding check, as people repair
  --damaged-frames MODE  keep, drop or auto (default)
  --no-peers       leave out ffmpeg and untrunc even when they are on the path
  --no-cases       leave out the table
  --throughput     measure large files against plain copies
  --large A,B      of which kinds: mp4, avi, avi-mjpeg, avi-dv, mkv, flv, ts, mpg, asf; all by default
  --gigabytes N    its size, 1.5 by default
  --cold           from the disk and until all lies on the disk (needs an administrator's rights), instead of from and to memory
  --json FILE      write all figures
  --keep DIR       work in DIR and keep damaged and repaired files
  --list           names of clips and damages`

/** Written by containers the table leaves out unless asked for. */
const OTHER_CONTAINERS = new Set([
  ...['avi', 'matroska', 'webm', 'mpegts', 'mpeg', 'vob', 'vcd', 'flv', 'asf'],
  ...['mpeg1video', 'mpeg2video'],
])

const { values } = parseArgs({
  options: {
    clips: { type: 'string' },
    damages: { type: 'string' },
    only: { type: 'string' },
    drawn: { type: 'string' },
    files: { type: 'string' },
    with: { type: 'string', default: 'head' },
    sample: { type: 'string', default: 'calm-sample' },
    'sample-sounds': { type: 'string' },
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    size: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'damaged-frames': { type: 'string', default: 'auto' },
    'in-process': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    'no-cases': { type: 'boolean', default: false },
    throughput: { type: 'boolean', default: false },
    large: { type: 'string', default: Object.keys(LARGE_FILES).join(',') },
    gigabytes: { type: 'string', default: '1.5' },
    cold: { type: 'boolean', default: false },
    json: { type: 'string' },
    keep: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function select(names: readonly string[], wanted: string | undefined): string[] {
  if (!wanted) return [...names]
  const patterns = wanted.split(',').map((name) => name.trim())
  return names.filter((name) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    ),
  )
}

function isoClips(): string[] {
  return Object.entries(RECIPES).flatMap(([name, { container }]) =>
    OTHER_CONTAINERS.has(container) ? [] : [name],
  )
}

interface Opener {
  readonly name: string
  readonly damages: Damages
  readonly open: (needsOther: boolean) => Promise<Recording>
}

/** The recordings asked for, none of them made or read yet. */
function recordings(shape: Shape, engine: Tool): Opener[] {
  if (values.drawn) {
    const { folder, width, height, sampleSounds, media } = shape
    const given = {
      folder,
      sampleSounds,
      media,
      ...(values.size ? { width, height } : {}),
      ...(values.seconds ? { seconds: shape.seconds } : {}),
    }
    return drawnCases(values.drawn, given).filter(
      ({ damages }) => select(Object.keys(damages), values.damages).length > 0,
    )
  }
  const [, onlyDamage] = values.only?.split(':') ?? []
  const wanted = onlyDamage ? [onlyDamage] : select(Object.keys(DAMAGES), values.damages)
  const damages = Object.fromEntries(Object.entries(DAMAGES).filter(([name]) => wanted.includes(name)))
  if (values.files) {
    return values.files.split(',').map((path) => ({
      name: path,
      damages,
      open: () => openRecording(path, shape.folder, values.with, { media: shape.media, engine }),
    }))
  }
  const [onlyClip] = values.only?.split(':') ?? []
  const names = onlyClip ? [onlyClip] : values.clips ? select(Object.keys(RECIPES), values.clips) : isoClips()
  return names.map((name) => ({
    name,
    damages,
    open: (needsOther) => makeRecording(name, shape, needsOther),
  }))
}

/** Recordings are large: nothing of them stays behind, however the run ends. */
function removeAtEnd(folder: string): void {
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

const DAMAGED_FRAMES = ['keep', 'drop', 'auto'] as const
const SAMPLES = ['calm-sample', 'like-sample', 'larger-sample', 'none'] as const

const IN_PROCESS =
  'In one process: verdicts are those before the check by decoding, seconds those of the engine alone.\n'

async function main(): Promise<void> {
  const here = values['in-process']
  if (here && values.check) throw new Error('--in-process has no check by decoding')
  const [width = 0, height = 0] = (values.size ?? (values.quick ? '320x180' : '640x360'))
    .split('x')
    .map(Number)
  const folder = values.keep ?? join(tmpdir(), `mendframe-bench-${process.pid}`)
  const shape: Shape = {
    folder,
    seconds: Number(values.seconds ?? (values.quick ? 4 : 10)),
    width,
    height,
    seed: Number(values.seed),
    sample: SAMPLES.find((known) => known === values.sample) ?? 'calm-sample',
    sampleSounds: values['sample-sounds'] === undefined ? undefined : Number(values['sample-sounds']),
    media: here ? await inThisProcess() : inChildren,
  }
  const damagedFrames = DAMAGED_FRAMES.find((known) => known === values['damaged-frames'])
  const engine = here ? inProcess(damagedFrames) : mendframeWith(values.check, damagedFrames)
  const options: BenchOptions = {
    folder,
    seed: shape.seed,
    keep: values.keep !== undefined,
    tools: [engine, ...(here || values['no-peers'] ? [] : peers())],
  }
  if (!options.keep) removeAtEnd(options.folder)
  if (here) console.log(IN_PROCESS)
  else await prepare()
  const results: CaseResult[] = []
  const unmeasured: string[] = []
  if (!values['no-cases']) {
    console.log(CASE_HEADER)
    for (const { name, damages, open } of recordings(shape, engine)) {
      const keep = (result: CaseResult): void => {
        results.push(result)
        console.log(caseLines(result))
      }
      await runRecording(name, open, damages, options, keep, (line) => unmeasured.push(line))
    }
    console.log(`\n${summaryLines(summarise(results))}`)
    const faults = faultLines(results)
    if (faults) console.log(`\nFaults:\n${faults}`)
    if (unmeasured.length > 0) {
      console.log(`\nNot measured:\n${unmeasured.join('\n')}`)
      process.exitCode = 1
    }
    console.log(`\n${promiseLine(results)}`)
  }
  const speed: Throughput[] = []
  for (const kind of values.throughput ? values.large.split(',') : []) {
    const measured = await throughput(options.folder, Number(values.gigabytes) * 1e9, kind, values.cold)
    speed.push(measured)
    console.log(`\n${throughputLines(measured)}`)
  }
  if (values.json) {
    await writeFile(
      values.json,
      `${JSON.stringify({ options: { ...shape, files: values.files, with: values.with }, results, summary: summarise(results), speed }, null, 2)}\n`,
    )
  }
}

if (values.help) console.log(USAGE)
else if (values.list) {
  for (const [name, { about }] of Object.entries(RECIPES)) console.log(`clip    ${name.padEnd(26)}${about}`)
  for (const [name, { about }] of Object.entries(DAMAGES)) console.log(`damage  ${name.padEnd(26)}${about}`)
} else await main()
