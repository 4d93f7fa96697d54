import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** An unpacked browser and the environment it runs in. */
export interface InstalledBrowser {
  readonly executable: string
  readonly environment: Readonly<Record<string, string>>
}

/** What makes the package unpack the system libraries that a bare machine lacks. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }

/** The list of fonts that is added to what the package unpacks. */
const FONTS = 'own-fonts.conf'

/** Unpacks the browser once for each version and user; later calls find it there. */
export async function installBrowser(): Promise<InstalledBrowser> {
  const folder = join(tmpdir(), `mendframe-browser-${versionMark()}`)
  // The browser itself is unpacked first and the libraries last, so a folder only counts when it was renamed whole.
  if (!existsSync(folder)) await unpack(folder)
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  return {
    executable: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, FONTS),
      HOME: home,
      TMPDIR: tmpdir(),
      LANG: 'en_US.UTF-8',
    },
  }
}

/** Lets the browser find the fonts that came with it, whatever the machine has: without any it crashes. */
function fontsIn(fonts: string, cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>
`
}

function versionMark(): string {
  const require = createRequire(import.meta.url)
  const entry = require.resolve('@sparticuz/chromium')
  const description = readFileSync(join(dirname(dirname(entry)), 'package.json'))
  return createHash('sha256')
    .update(description)
    .update(String(process.getuid?.() ?? 0))
    .update(FONTS)
    .digest('hex')
    .slice(0, 16)
}

async function unpack(folder: string): Promise<void> {
  const staging = mkdtempSync(`${folder}-`)
  try {
    await run(fileURLToPath(new URL('./unpack.ts', import.meta.url)), { TMPDIR: staging })
    writeFileSync(join(staging, FONTS), fontsIn(join(folder, 'fonts'), join(folder, 'home')))
    renameSync(staging, folder)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    // Another test process may have been faster.
    if (!existsSync(folder)) throw error
  }
}

function run(script: string, environment: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...WITH_LIBRARIES, ...environment },
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`unpacking the browser failed (exit ${code})`)),
    )
  })
}
