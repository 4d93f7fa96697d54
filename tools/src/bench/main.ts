import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RECIPES } from '../media/catalogue.ts'
import { type BenchOptions, type CaseResult, runClip } from './cases.ts'
import { DAMAGES } from './damages.ts'
import { CASE_HEADER, caseLines, faultLines, summarise, summaryLines } from './table.ts'
import { throughput, throughputLines } from './throughput.ts'
import { mendframe, peers } from './tools.ts'

const USAGE = `usage: npm run bench -- [options]
  --clips A,B      recordings by name (a trailing * matches any ending); all ISO media by default
  --damages A,B    damages by name; all that apply by default
  --only CLIP:DAMAGE   a single case
  --sample ROLE    calm-sample (default), like-sample or none
  --quick          small and short recordings
  --seconds N --size WxH --seed N
  --no-peers       leave out ffmpeg and untrunc even when they are on the path
  --no-cases       leave out the table
  --throughput     measure a large file against a plain copy
  --gigabytes N    its size, 1.5 by default
  --json FILE      write all figures
  --keep DIR       work in DIR and keep damaged and repaired files
  --list           names of clips and damages`

/** Written by containers the table leaves out unless asked for. */
const OTHER_CONTAINERS = new Set(['avi', 'matroska', 'webm', 'mpegts', 'mpeg', 'flv', 'asf'])

const { values } = parseArgs({
  options: {
    clips: { type: 'string' },
    damages: { type: 'string' },
    only: { type: 'string' },
    sample: { type: 'string', default: 'calm-sample' },
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    size: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'no-peers': { type: 'boolean', default: false },
    'no-cases': { type: 'boolean', default: false },
    throughput: { type: 'boolean', default: false },
    gigabytes: { type: 'string', default: '1.5' },
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

/** Recordings are large: nothing of them stays behind, however the run ends. */
function removeAtEnd(folder: string): void {
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

async function main(): Promise<void> {
  const [onlyClip, onlyDamage] = values.only?.split(':') ?? []
  const clips = onlyClip ? [onlyClip] : values.clips ? select(Object.keys(RECIPES), values.clips) : isoClips()
  const damages = onlyDamage ? [onlyDamage] : select(Object.keys(DAMAGES), values.damages)
  const [width = 0, height = 0] = (values.size ?? (values.quick ? '320x180' : '640x360'))
    .split('x')
    .map(Number)
  const options: BenchOptions = {
    folder: values.keep ?? join(tmpdir(), `mendframe-bench-${process.pid}`),
    seconds: Number(values.seconds ?? (values.quick ? 4 : 10)),
    width,
    height,
    seed: Number(values.seed),
    sample: values.sample === 'none' || values.sample === 'like-sample' ? values.sample : 'calm-sample',
    keep: values.keep !== undefined,
    tools: [mendframe, ...(values['no-peers'] ? [] : peers())],
  }
  if (!options.keep) removeAtEnd(options.folder)
  const results: CaseResult[] = []
  const unmeasured: string[] = []
  if (!values['no-cases']) {
    console.log(CASE_HEADER)
    for (const clip of clips) {
      const keep = (result: CaseResult): void => {
        results.push(result)
        console.log(caseLines(result))
      }
      await runClip(clip, damages, options, keep, (line) => unmeasured.push(line))
    }
    console.log(`\n${summaryLines(summarise(results))}`)
    const faults = faultLines(results)
    if (faults) console.log(`\nFaults:\n${faults}`)
    if (unmeasured.length > 0) {
      console.log(`\nNot measured:\n${unmeasured.join('\n')}`)
      process.exitCode = 1
    }
  }
  const speed = values.throughput
    ? await throughput(options.folder, Number(values.gigabytes) * 1e9)
    : undefined
  if (speed) console.log(`\n${throughputLines(speed)}`)
  if (values.json) {
    await writeFile(
      values.json,
      `${JSON.stringify({ options: { ...options, tools: undefined }, results, summary: summarise(results), speed }, null, 2)}\n`,
    )
  }
}

if (values.help) console.log(USAGE)
else if (values.list) {
  for (const [name, { about }] of Object.entries(RECIPES)) console.log(`clip    ${name.padEnd(26)}${about}`)
  for (const [name, { about }] of Object.entries(DAMAGES)) console.log(`damage  ${name.padEnd(26)}${about}`)
} else await main()
