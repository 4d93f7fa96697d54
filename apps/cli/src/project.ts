import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder the program is installed in. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
/** The web app's own folder. */
export const WEB = join(PROJECT, 'apps', 'web')
