import { readFile } from 'node:fs/promises'

const PAGE_BYTES = 4096
/** Processes of one tree that are counted: a room holds a helper and the program. */
const MOST_PROCESSES = 64

/** Resident memory of a process and those it started, where the system tells it in files (Linux); else 0. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0
  let sum = 0
  const waiting = [pid]
  for (let seen = 0; seen < MOST_PROCESSES; seen++) {
    const next = waiting.shift()
    if (next === undefined) break
    try {
      const pages = Number((await readFile(`/proc/${next}/statm`, 'utf8')).split(' ')[1])
      sum += Number.isFinite(pages) ? pages * PAGE_BYTES : 0
      const children = await readFile(`/proc/${next}/task/${next}/children`, 'utf8')
      waiting.push(...children.split(' ').filter(Boolean).map(Number))
    } catch {
      // The process has just ended, or the system lists no children.
    }
  }
  return sum
}
