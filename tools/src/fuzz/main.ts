import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { fuzz } from './run.ts'
import { targets } from './targets.ts'

const USAGE = `usage: npm run fuzz -- [--inputs N] [--seconds N] [--seed N] [--workers N] [--only PART]
       npm run fuzz -- --replay "TARGET" --seed N    runs one input again, in this process
       npm run fuzz -- --list                        names of targets; --only PART runs those that hold it`

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '86400' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string', default: '' },
    replay: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function replay(name: string, seed: number): Promise<void> {
  const target = targets().find((known) => known.name === name)
  if (!target) throw new Error(`there is no target ${name}`)
  const started = performance.now()
  const bytes = await target.run(seed)
  console.log(
    `${name} ${seed}: ${bytes} bytes in ${((performance.now() - started) / 1000).toFixed(2)} s, no fault`,
  )
}

async function run(): Promise<void> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  console.log(`seed ${seed}, ${targets().filter(({ name }) => name.includes(values.only)).length} targets`)
  let told = performance.now()
  const result = await fuzz({
    seed,
    inputs: Number(values.inputs),
    seconds: Number(values.seconds),
    workers: Number(values.workers),
    only: values.only,
    onFault: (fault) =>
      console.log(`FAULT  --replay "${fault.target}" --seed ${fault.seed}\n${fault.what}\n`),
    onProgress: (inputs) => {
      if (performance.now() - told < 30_000) return
      told = performance.now()
      console.log(`${inputs} inputs`)
    },
  })
  console.log(
    `${result.inputs} inputs, ${result.faults.length} faults, ${Math.round(result.peakBytes / 1024 ** 2)} MiB at most`,
  )
  if (result.faults.length > 0) process.exitCode = 1
}

if (values.help) console.log(USAGE)
else if (values.list) for (const { name } of targets()) console.log(name)
else if (values.replay) await replay(values.replay, Number(values.seed ?? 0))
else await run()
