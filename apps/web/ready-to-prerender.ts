import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Loads the pages' server build, where there is one, before the server that prerendering asks can be reached. The framework
 * grants each page ten seconds, a fixed time, and the first one would spend most of them on loading: too much for a slow or
 * busy machine.
 * @param folder the server build's folder, relative to the project's root
 */
export function readyToPrerender(folder: string): Plugin {
  return {
    name: 'ready-to-prerender',
    async configurePreviewServer({ config }) {
      const build = join(config.root, folder, 'index.js')
      if (existsSync(build)) await import(pathToFileURL(build).href)
    },
  }
}
