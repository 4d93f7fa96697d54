import type { Host } from './host.ts'

/** One thing that contains FFmpeg's process, and what to do where it is missing. */
export interface Protection {
  readonly protection: string
  readonly present: boolean
  /** One line for an operator. */
  readonly note: string
}

/** What holds a process that works on strangers' files, on this machine. */
export function protectionsOf(host: Host): Protection[] {
  const room = host.means !== 'none'
  return [
    {
      protection: 'own files, network and processes',
      present: room,
      note: room
        ? `by ${host.means === 'bubblewrap' ? 'bubblewrap' : 'user namespaces (bubblewrap is not installed or does not work)'}`
        : 'it can read and write whatever this user can, and open connections: install bubblewrap and allow unprivileged user namespaces',
    },
    {
      protection: 'system calls',
      present: host.filter,
      note: host.filter
        ? 'filtered: no sockets, no new processes, no change of the machine'
        : 'not filtered, so that it can start processes of its own: bubblewrap has to work, on x64 or arm64',
    },
    {
      protection: 'memory, time and file size',
      present: host.prlimit !== undefined,
      note:
        host.prlimit !== undefined
          ? 'limited by the system'
          : 'only watched from outside: install util-linux, which brings prlimit',
    },
  ]
}

/** Whether a service may work on strangers' files here: a room of its own and limits. The filter of calls is a further wall. */
export function isContained(host: Host): boolean {
  return host.means !== 'none' && host.prlimit !== undefined
}
