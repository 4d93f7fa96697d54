import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { type Ready, type Upload, Visitor } from './visitor.ts'

/*
 * What others feel of an account that has paid for ten repairs and starts all of them, each of a file made to keep the engine
 * busy: how long a small repair of somebody else takes from its start to its end, at a service with API and worker on this
 * machine.
 */

const USAGE = `usage: npm run bench:poison -- [options]
  --files N        poison files, 10 by default
  --megabytes N    of each, 80 by default
  --visitors N     others who repair a file of 1.5 MB, one after the other, 3 by default`

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10' },
    megabytes: { type: 'string', default: '80' },
    visitors: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
/** Seconds within which the repair of somebody else ends. */
const PATIENCE = 10
const PACK = 'video-10-monthly'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const fixture = (name: string): string => path(`../../../packages/engine/testing/fixtures/isobmff/${name}`)

/** Beginnings of units everywhere, and the sample that makes the engine look for them. */
const POISONS: readonly (readonly [readonly number[], string])[] = [
  [[0, 0, 0, 1, 0x65], 'h264-camera-aac.sample.mov'],
  [[0, 0, 0, 1, 0x65], '3gp-mpeg4-amr.sample.3gp'],
  [[0, 0, 1], '3gp-mpeg4-amr.sample.3gp'],
  [[0, 0, 0, 2, 0x65, 0x88], 'h264-camera-aac.sample.mov'],
  [[0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c], 'h264-camera-aac.sample.mov'],
]

async function poison(number: number): Promise<[Upload, Upload]> {
  const [pattern, sample] = POISONS[number % POISONS.length]
  const extension = sample.slice(sample.lastIndexOf('.') + 1)
  const bytes = new Uint8Array(Number(values.megabytes) * 1e6).map((_, i) => pattern[i % pattern.length])
  return [
    { bytes, extension },
    { bytes: new Uint8Array(await readFile(fixture(sample))), extension },
  ]
}

/** A recording of 1.5 MB without its end, where its index was, and another of the same camera. */
async function film(folder: string): Promise<[Upload, Upload]> {
  const make = async (role: string, seconds: number): Promise<Upload> => {
    const clip = join(folder, `${role}.mp4`)
    const settings = ['--role', role, '--seconds', String(seconds), '--size', '640x360']
    await promisify(execFile)(process.execPath, [
      '--no-warnings',
      path('../../../tools/src/media/main.ts'),
      'h264-ip-aac',
      clip,
      ...settings,
    ])
    return { bytes: new Uint8Array(await readFile(clip)), extension: 'mp4' }
  }
  const whole = await make('victim', FILM_SECONDS)
  return [{ ...whole, bytes: whole.bytes.slice(0, FILM_BYTES) }, await make('like-sample', 2)]
}
const FILM_SECONDS = 12
const FILM_BYTES = 1_500_000

async function bench(base: string, folder: string): Promise<boolean> {
  const [damaged, sample] = await film(folder)
  console.log(`load of the machine before: ${loadavg()[0].toFixed(1)}`)
  const alone = await repairOf(base, damaged, sample)
  console.log(`${(damaged.bytes.length / 1e6).toFixed(2)} MB alone: ${alone}`)
  const hostile = await Visitor.signUp(base)
  await hostile.buy(PACK)
  const poisons: Ready[] = []
  for (let number = 0; number < Number(values.files); number++) {
    const [bytes, beside] = await poison(number)
    poisons.push(await hostile.upload(bytes, beside))
  }
  for (const ready of poisons) await hostile.start(ready)
  let within = true
  for (let visitor = 0; visitor < Number(values.visitors); visitor++) {
    const took = await repairOf(base, damaged, sample)
    const statuses = await Promise.all(poisons.map((ready) => hostile.status(ready)))
    const open = statuses.filter((status) => status === 'Running').length
    console.log(`beside ${open} of ${poisons.length} poison files that wait or are in work: ${took}`)
    if (open === 0) throw new Error('the poison files have ended too early to be measured beside')
    within &&= took.isDone && took.seconds <= PATIENCE
  }
  console.log(`load of the machine after: ${loadavg()[0].toFixed(1)}; allowed: ${PATIENCE} s`)
  return within
}

/** How long the repair of a new account takes, waiting in line included. */
async function repairOf(base: string, damaged: Upload, sample: Upload) {
  const visitor = await Visitor.signUp(base)
  const ready = await visitor.upload(damaged, sample)
  const begun = performance.now()
  await visitor.start(ready)
  const status = await visitor.ended(ready)
  const seconds = (performance.now() - begun) / 1000
  return { isDone: status === 'Completed', seconds, toString: () => `${seconds.toFixed(1)} s, ${status}` }
}

if (values.help) console.log(USAGE)
else {
  const folder = await mkdtemp(join(tmpdir(), 'mendframe-poison-'))
  const service = spawn(process.execPath, ['--no-warnings', path('./service.ts')], {
    env: { PATH: process.env.PATH, MENDFRAME_DATA: folder, LOG_LEVEL: 'error', RATE_CALLS: '100000' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  try {
    const lines = createInterface({ input: service.stderr })
    const base = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        const address = /^listening (.*)/.exec(line)?.[1]
        if (address !== undefined) resolve(address)
        else console.log(line)
      })
      lines.once('close', () => reject(new Error('the service ended')))
    })
    if (!(await bench(base, folder))) process.exitCode = 1
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}
