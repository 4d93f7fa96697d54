import { parentPort, workerData } from 'node:worker_threads'
import { loadTargets, type WorkerMessage, type WorkerOrder } from './run.ts'
import { Schedule } from './schedule.ts'

/** Runs inputs one after another; the board tells the parent which one and since when, even while a parser hangs. */
const order: WorkerOrder = workerData
const board = new Int32Array(order.board)
const schedule = new Schedule(await loadTargets(order.module, order.only), order.seed)
/** Inputs between two breaths, in which the parent's order to stop is heard. */
const BREATH = 16

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}

let stopped = false
parentPort?.on('message', () => {
  stopped = true
})

for (let number = order.first; !stopped && number < order.last; number += order.step) {
  const { target, seed } = schedule.at(number)
  Atomics.store(board, 0, number)
  Atomics.add(board, 1, 1)
  // the processor's time: a busy machine is no fault
  const started = process.threadCpuUsage()
  try {
    const bytes = await target.run(seed)
    const { user, system } = process.threadCpuUsage(started)
    const seconds = (user + system) / 1e6
    const allowed = order.secondsPerMegabyte * Math.max(1, bytes / 1e6)
    if (seconds > allowed)
      tell({ target: target.name, seed, what: `slow: ${seconds.toFixed(1)} s for ${bytes} bytes` })
  } catch (error) {
    tell({
      target: target.name,
      seed,
      what: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
  if (Atomics.load(board, 1) % BREATH === 0) await new Promise((resolve) => setImmediate(resolve))
}
parentPort?.close()
