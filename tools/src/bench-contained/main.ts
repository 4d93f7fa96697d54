import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Host, lookAtHost } from '@mendframe/confined'
import { verify } from '@mendframe/renderer'
import { childrenSeconds } from '../bench-hostile/children-time.ts'

const USAGE = `usage: npm run bench -- contained [options]
  What it costs to check a file in a room of its own, against a process without any bounds; in turns, on a small recording.
  --rounds N   of each, 20 by default`

/** Milliseconds that containment may take of each file's check. */
const MOST_MS = 50
const RECORDING = fileURLToPath(
  new URL('../../../packages/engine/testing/fixtures/isobmff/h264-camera-aac.sample.mov', import.meta.url),
)
const WITHOUT: Host = { means: 'none', filter: false }

/** Runs the measurement with the given arguments. */
export async function benchContained(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '20' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return console.log(USAGE)
  const host = await lookAtHost()
  const rooms: readonly (readonly [string, Host])[] = [
    ['no room, no limits', WITHOUT],
    [`${host.means}${host.filter ? ', calls filtered' : ''}, limits`, host],
  ]
  const wall = rooms.map((): number[] => [])
  const processor = rooms.map((): number[] => [])
  for (const [, room] of rooms) await checked(room)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, [, room]] of rooms.entries()) {
      const before = childrenSeconds() ?? 0
      wall[i].push(await checked(room))
      processor[i].push(((childrenSeconds() ?? 0) - before) * 1000)
    }
  }
  console.log(
    `${values.rounds} rounds, load ${loadavg()[0].toFixed(1)}; milliseconds a file\n${''.padEnd(40)}  median   least processor`,
  )
  for (const [i, [name]] of rooms.entries()) {
    const numbers = [median(wall[i]), Math.min(...wall[i]), mean(processor[i])]
    console.log(`${name.padEnd(40)}${numbers.map((number) => number.toFixed(1).padStart(8)).join('')}`)
  }
  const onClock = median(wall[1].map((own, round) => own - wall[0][round]))
  const ofProcessor = mean(processor[1]) - mean(processor[0])
  console.log(
    `containment: ${ofProcessor.toFixed(1)} ms of a processor, ${onClock.toFixed(1)} ms on the clock, of ${MOST_MS} allowed`,
  )
  // where others keep the processors busy the clock measures them
  if (loadavg()[0] > availableParallelism() ? ofProcessor > MOST_MS : onClock > MOST_MS) process.exitCode = 1
}

/** Milliseconds of one check. @throws Error when it says of a sound file that it is none. */
async function checked(host: Host): Promise<number> {
  const begun = performance.now()
  const { decodable } = await verify(RECORDING, { host })
  if (!decodable) throw new Error('the recording was not decoded')
  return performance.now() - begun
}

const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
