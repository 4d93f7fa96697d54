import type { Import, Project, SourceFile } from './project.ts'

/** One arrow of the architecture: what files of a place may not import, and why. */
export interface Rule {
  readonly name: string
  readonly reason: string
  /** True when `file` may not have `imported`. */
  breaks(file: SourceFile, imported: Import, project: Project): boolean
}

const within = (path: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`))

/**
 * `packages/engine/src/formats/isobmff/x.ts` under `packages/engine/src/formats` is `isobmff`; a file beside the folders is none.
 */
function child(path: string, folder: string): string | undefined {
  if (!within(path, folder)) return undefined
  const rest = path.slice(folder.length + 1).split('/')
  return rest.length > 1 ? rest[0] : undefined
}

const ENGINE = 'packages/engine/src'
const FORMATS = `${ENGINE}/formats`
/** What serves several formats: rooms that know none of them. */
const SHARED_ROOMS = ['recovery', 'recording', 'photo'].map((room) => `${ENGINE}/${room}`)
const BACKEND = 'packages/backend/src'
const WEB = 'apps/web/src'
/** Writes the landing pages when the web is built; never part of what a browser loads. */
const WEB_BUILD_ENTRY = `${WEB}/entry.server.tsx`

/** Packages that talk to the world outside: databases, queues, object stores, mail, identity. */
const DRIVERS = new Set([
  'npm:@electric-sql/pglite',
  'npm:pg',
  'npm:pg-boss',
  'npm:@aws-sdk/client-s3',
  'npm:@aws-sdk/s3-request-presigner',
  'npm:nodemailer',
  'npm:openid-client',
])

/** What has the renderer's tasks done in its own process. */
const DECODING = ['packages/renderer/src/perform.ts', 'packages/renderer/src/in-process.ts']

function holdsDriver(path: string, project: Project): boolean {
  const file = project.files.find((candidate) => candidate.path === path)
  return file?.imports.some((imported) => !imported.typeOnly && DRIVERS.has(imported.target)) ?? false
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

export const RULES: readonly Rule[] = [
  {
    name: 'engine imports nothing',
    reason:
      'it runs in worker, browser, command line and fuzzer; a hostile file finds no network, disk or environment',
    breaks: (file, { target }) => within(file.path, ENGINE) && !within(target, ENGINE),
  },
  {
    name: 'no format imports another',
    reason: 'a format is added or removed as one folder',
    breaks: (file, { target }) => {
      const own = child(file.path, FORMATS)
      const other = child(target, FORMATS)
      return own !== undefined && other !== undefined && own !== other
    },
  },
  {
    name: 'formats are reached through their list',
    reason: 'the engine knows formats only by their contract',
    breaks: (file, { target }) =>
      within(file.path, ENGINE) && child(target, FORMATS) !== undefined && !within(file.path, FORMATS),
  },
  {
    name: 'codecs know no container',
    reason: 'syntax shared by containers lives once and depends on none of them',
    breaks: (file, { target }) =>
      within(file.path, `${ENGINE}/codecs`) && within(target, FORMATS, ...SHARED_ROOMS),
  },
  {
    name: 'recovery, recording and photo know no container',
    reason: 'what is known of recordings and of photos serves every format alike',
    breaks: (file, { target }) => within(file.path, ...SHARED_ROOMS) && within(target, FORMATS),
  },
  {
    name: 'bytes and model are the ground',
    reason: 'what everything stands on depends on nothing above it',
    breaks: (file, { target }) =>
      within(file.path, `${ENGINE}/bytes`, `${ENGINE}/model`) &&
      within(target, `${ENGINE}/syntax`, `${ENGINE}/codecs`, FORMATS, ...SHARED_ROOMS),
  },
  {
    name: 'syntax stands on bytes and model',
    reason: 'it turns bytes into values and back, and knows nothing of damage, codecs or formats',
    breaks: (file, { target }) =>
      within(file.path, `${ENGINE}/syntax`) && within(target, `${ENGINE}/codecs`, FORMATS, ...SHARED_ROOMS),
  },
  {
    name: 'api never loads the engine',
    reason: 'a hostile file cannot stall or kill the process that signs people in and takes payments',
    breaks: (file, { target }) =>
      within(file.path, 'apps/api/src') &&
      within(target, 'packages/engine', 'packages/runner', 'packages/renderer', 'apps/worker', 'apps/cli'),
  },
  {
    name: 'contract imports only zod',
    reason: 'it is shared by server and page',
    breaks: (file, { target }) =>
      within(file.path, 'packages/contract/src') &&
      target !== 'npm:zod' &&
      !within(target, 'packages/contract/src'),
  },
  {
    name: 'backend sees reports, not bytes',
    reason: 'business rules stay testable in milliseconds',
    breaks: (file, { target, typeOnly }) =>
      within(file.path, BACKEND) &&
      (within(target, 'apps', 'packages/runner', 'packages/renderer') ||
        (within(target, 'packages/engine') && !(typeOnly && target === `${ENGINE}/index.ts`))),
  },
  {
    name: 'drivers are built in context.ts only',
    reason: 'one place to look, one to override in tests',
    breaks: (file, { target, typeOnly }, project) =>
      within(file.path, BACKEND) &&
      !typeOnly &&
      file.path !== `${BACKEND}/context.ts` &&
      folderOf(file.path) !== folderOf(target) &&
      within(target, BACKEND) &&
      holdsDriver(target, project),
  },
  {
    name: 'web: shared imports only shared',
    reason: 'shared → features → routes, one way',
    breaks: (file, { target }) =>
      within(file.path, `${WEB}/shared`) && within(target, WEB) && !within(target, `${WEB}/shared`),
  },
  {
    name: 'web: features import no routes',
    reason: 'shared → features → routes, one way',
    breaks: (file, { target }) =>
      within(file.path, `${WEB}/features`) &&
      within(target, WEB) &&
      !within(target, `${WEB}/shared`, `${WEB}/features`),
  },
  {
    name: 'web loads nothing of the server',
    reason: 'what the page needs of the server it asks over the contract',
    breaks: (file, { target }) =>
      within(file.path, WEB) &&
      ((target.startsWith('node:') && file.path !== WEB_BUILD_ENTRY) ||
        within(
          target,
          'packages/backend',
          'packages/runner',
          'packages/renderer',
          'apps/api',
          'apps/worker',
          'apps/cli',
        )),
  },
  {
    name: 'the engine is loaded in its own process',
    reason:
      'a hostile file cannot stall its callers, and they start without hundreds of modules they never run',
    breaks: (file, { target, typeOnly }) =>
      target === `${ENGINE}/index.ts` &&
      !typeOnly &&
      file.path.includes('/src/') &&
      !within(file.path, ENGINE, 'tools') &&
      file.path !== 'packages/runner/src/child.ts',
  },
  {
    name: 'media library stays in its own process',
    reason:
      'the decoder is copyleft and fed with hostile bytes: only the renderer’s child and the tools load it',
    breaks: (file, { target }) =>
      target === 'npm:node-av' &&
      file.path.includes('/src/') &&
      !within(file.path, 'packages/renderer/src/media', 'packages/renderer/src/tasks', 'tools'),
  },
  {
    name: 'renderer’s callers do not load its child',
    reason: 'importing a task would bring the decoder into the caller’s process, which only the tools want',
    breaks: (file, { target, typeOnly }) =>
      (within(target, 'packages/renderer/src/media', 'packages/renderer/src/tasks') ||
        DECODING.includes(target)) &&
      !typeOnly &&
      !within(
        file.path,
        'packages/renderer/src/media',
        'packages/renderer/src/tasks',
        'packages/renderer/test',
        'tools',
      ) &&
      ![...DECODING, 'packages/renderer/src/child.ts'].includes(file.path),
  },
  {
    name: 'workspaces meet at their front doors',
    reason: 'a relative path into another workspace goes around what it exports',
    breaks: (file, { specifier, target }, { workspaces }) => {
      const home = workspaces.find(({ folder }) => within(file.path, folder))
      return (
        specifier.startsWith('.') &&
        home !== undefined &&
        !within(target, home.folder) &&
        within(file.path, `${home.folder}/src`)
      )
    },
  },
  {
    name: 'dependencies are declared',
    reason: 'a package that is only there by luck is gone tomorrow',
    breaks: (file, { specifier, target }, { workspaces }) => {
      const home = workspaces.find(({ folder }) => within(file.path, folder))
      if (!home || !within(file.path, `${home.folder}/src`)) return false
      const used = workspaces.find(({ folder }) => within(target, folder))
      if (used) return used !== home && !specifier.startsWith('.') && !home.dependencies.has(used.name)
      return target.startsWith('npm:') && !home.dependencies.has(target.slice(4)) && !isVirtual(specifier)
    },
  },
]

/** Modules that the web's build tools make up. */
function isVirtual(specifier: string): boolean {
  return specifier.startsWith('virtual:') || specifier.startsWith('/')
}
