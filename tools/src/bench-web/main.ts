import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../browser.ts'
import { judge, median, type Visit } from './budgets.ts'
import { serveSite } from './server.ts'
import { PROFILES, visit } from './visit.ts'

const USAGE = `Measures the landing pages of the built site in a real browser and holds them against their budgets.

  npm run bench:web [-- --site apps/web/build/client] [--profile slow|phone] [--visits 5] [--json]

Build the site first: npm run build --workspace @mendframe/web. Exit status 1: a budget is broken.`

const ROOT = join(import.meta.dirname, '../../..')
const PAGES = ['/', '/photo/'] as const

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: join(ROOT, 'apps/web/build/client') },
    profile: { type: 'string', default: 'slow' },
    visits: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function print(page: string, visits: readonly Visit[]): void {
  console.log(`\n${page}`)
  for (const { budget, value, kept } of judge(visits)) {
    const bound = `of ${budget.show(budget.most)}`
    console.log(
      `  ${kept ? 'kept  ' : 'BROKEN'}  ${budget.name.padEnd(22)} ${budget.show(value).padStart(10)} ${bound}`,
    )
  }
  console.log(
    `          everything before a touch ${(median(visits.map((each) => each.totalBytes)) / 1000).toFixed(1)} kB`,
  )
  console.log(`          longest task ${Math.round(median(visits.map((each) => each.longestTask)))} ms`)
  console.log(`          largest element: ${visits[0]?.largestElement ?? 'none'}`)
}

async function run(): Promise<number> {
  const profile = PROFILES[values.profile]
  const count = Number(values.visits)
  if (values.help || !profile || !Number.isInteger(count) || count < 1) {
    console.log(USAGE)
    return values.help ? 0 : 2
  }
  if (!existsSync(join(values.site, 'index.html'))) {
    console.error(`No built site in ${values.site}.\n\n${USAGE}`)
    return 2
  }
  const server = await serveSite(values.site)
  const browser = await launchBrowser()
  try {
    const results: Record<string, readonly Visit[]> = {}
    for (const page of PAGES) {
      const visits: Visit[] = []
      for (let i = 0; i < count; i++) visits.push(await visit(browser, server.origin + page, profile))
      results[page] = visits
    }
    const kept = Object.values(results).every((visits) => judge(visits).every((verdict) => verdict.kept))
    if (values.json) console.log(JSON.stringify({ profile: profile.name, kept, results }, null, 2))
    else {
      console.log(`${profile.name}, processor ${profile.slowdown} times slower, median of ${count} visits`)
      for (const [page, visits] of Object.entries(results)) print(page, visits)
    }
    return kept ? 0 : 1
  } finally {
    await browser.close()
    await server.close()
  }
}

process.exitCode = await run()
