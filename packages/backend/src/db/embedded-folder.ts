import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the embedded database lies in the data folder. */
export function embeddedFolder(dataFolder: string): string {
  return join(dataFolder, 'db')
}

/** Whether a service has kept its embedded database in the data folder before. */
export function hasEmbedded(dataFolder: string): boolean {
  return existsSync(embeddedFolder(dataFolder))
}
