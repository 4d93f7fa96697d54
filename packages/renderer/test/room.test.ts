import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { lookAtHost } from '@mendframe/confined'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verify } from '../src/index.ts'
import { type Clips, clips } from './clips.ts'

let scratch: Clips
beforeAll(() => {
  scratch = clips()
})
afterAll(() => scratch.remove())

/** Processes that run the renderer's child, below this one. */
function mediaProcesses(): string[] {
  const parents = new Map<string, string>()
  const commands = new Map<string, string>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(pid, /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '')
      commands.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
    } catch {
      // It ended while we looked.
    }
  }
  const ours = (pid: string): boolean =>
    pid === String(process.pid) || (parents.has(pid) && ours(parents.get(pid) ?? ''))
  const running = /^[^\0]*node\0.*renderer\/src\/child\.ts\0/
  return [...commands].filter(([pid, command]) => ours(pid) && running.test(command)).map(([pid]) => pid)
}

const status = (pid: string, field: string) =>
  new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
const limit = (pid: string, name: string) =>
  new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1]

it('decodes in a room of its own, without rights and within limits, as far as this machine can make one', async () => {
  const host = await lookAtHost()
  const clip = await scratch.make('h264-camera-aac')
  const stop = new AbortController()
  const done = verify(clip, { signal: stop.signal, memoryBytes: 2 ** 30 }).catch(() => undefined)
  let pid: string | undefined
  while (pid === undefined) {
    pid = mediaProcesses().find((found) => limit(found, 'Max data size') !== 'unlimited' || !host.prlimit)
    await setTimeout(2)
  }
  const namespaces = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts']
  const own = namespaces.map((name) => readlinkSync(`/proc/self/ns/${name}`))
  const its = namespaces.map((name) => readlinkSync(`/proc/${pid}/ns/${name}`))
  const shared = its.filter((name) => own.includes(name))
  const about = {
    shared: shared.length,
    rights: status(pid, 'CapEff'),
    filter: status(pid, 'Seccomp'),
    data: Number(limit(pid, 'Max data size')),
    home: existsSync(`/proc/${pid}/root/home`),
  }
  stop.abort()
  await done
  if (host.prlimit) expect(about.data).toBe(2 ** 31)
  if (host.means === 'none') expect(about.shared).toBe(namespaces.length)
  else expect(about).toMatchObject({ shared: 0, rights: '0000000000000000', home: false })
  if (host.filter) expect(about.filter).toBe('2')
})
