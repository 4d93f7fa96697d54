import { fileURLToPath } from 'node:url'
import type { Mount } from './room.ts'

/* A room made by the tools that every Linux system has, where bubblewrap is not installed. */

export const UNSHARE_FLAGS = [
  '--user',
  '--map-root-user',
  '--mount',
  '--pid',
  '--net',
  '--ipc',
  '--uts',
  '--fork',
  '--kill-child',
]

const SCRIPT = fileURLToPath(new URL('./room.sh', import.meta.url))
/** Folders over which a room may be built: present everywhere, and nothing that anybody works with lies in them. */
const PLACES = ['/mnt', '/media', '/srv', '/opt', '/home', '/boot']
/** Takes away every right that making the room needed, for good. */
const POWERLESS = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

/** Arguments that make a room of mounts and run a command there. @throws when every place is taken. */
export function unshareArguments(
  mounts: readonly Mount[],
  setpriv: string,
  command: readonly string[],
): string[] {
  const place = PLACES.find((folder) => !mounts.some(({ path }) => `${path}/`.startsWith(`${folder}/`)))
  if (place === undefined) throw new Error('there is no place to make a room at')
  const shown = mounts.flatMap((mount) => [
    mount.kind,
    mount.path,
    ...(mount.kind === 'link' ? [mount.target] : []),
  ])
  return [...UNSHARE_FLAGS, '/bin/sh', SCRIPT, place, ...shown, '--', setpriv, ...POWERLESS, ...command]
}
