import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Process ids of the engine processes that this test process has started and that still run. */
export function engineChildren(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return Number(parent) === process.pid && /runner.build.engine-/.test(command)
      } catch {
        // The process ended while we looked.
        return false
      }
    })
    .map(Number)
}

/** Waits for the first engine process to appear: it needs longer to start than we to look. */
export async function engineChild(): Promise<number> {
  for (;;) {
    const [first] = engineChildren()
    if (first !== undefined) return first
    await setTimeout(1)
  }
}
