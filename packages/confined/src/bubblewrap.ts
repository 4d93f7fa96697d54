import type { Mount } from './room.ts'

/** Where the filter of system calls is handed over. */
export const FILTER_DESCRIPTOR = 3
/** Nobody, on every system. */
const NOBODY = '65534'

/** Arguments that make a room of mounts and run a command there as its only process. */
export function bubblewrapArguments(
  mounts: readonly Mount[],
  filter: boolean,
  command: readonly string[],
): string[] {
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...['--uid', NOBODY, '--gid', NOBODY],
    // The group of the process is what ends with its caller, so nothing in the room may start in a session of its own;
    // the whole group has one without a terminal.
    '--die-with-parent',
    '--as-pid-1',
    ...mounts.flatMap(mountArguments),
    ...['--proc', '/proc'],
    ...['--remount-ro', '/'],
    ...['--chdir', '/'],
    ...(filter ? ['--seccomp', String(FILTER_DESCRIPTOR)] : []),
    '--',
    ...command,
  ]
}

function mountArguments(mount: Mount): string[] {
  const { path } = mount
  switch (mount.kind) {
    case 'link':
      return ['--symlink', mount.target, path]
    case 'device':
      return ['--dev-bind', path, path]
    case 'output':
      return ['--bind', path, path]
    // A file that is not there is for the program to miss.
    default:
      return ['--ro-bind-try', path, path]
  }
}
