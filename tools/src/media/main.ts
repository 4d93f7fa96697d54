import { parseArgs } from 'node:util'
import { clipOf, RECIPES, type Role } from './catalogue.ts'
import { makeClip } from './make-clip.ts'

const USAGE = `usage: node tools/src/media/main.ts NAME OUT [--role victim|calm-sample|like-sample|larger-sample] [--seconds N] [--size WxH] [--seed N]
       node tools/src/media/main.ts --list`

const ROLES: readonly Role[] = ['victim', 'calm-sample', 'like-sample', 'larger-sample']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    role: { type: 'string', default: 'victim' },
    seconds: { type: 'string', default: '5' },
    size: { type: 'string', default: '640x360' },
    seed: { type: 'string', default: '1' },
  },
})
const [name, output] = positionals
const role = ROLES.find((known) => known === values.role)
const [width = 0, height = 0] = values.size.split('x').map(Number)

if (values.list) {
  for (const [recipe, { about }] of Object.entries(RECIPES)) console.log(`${recipe.padEnd(26)}${about}`)
} else if (name && output && role && RECIPES[name] && width > 0 && height > 0) {
  await makeClip(
    clipOf(name, role, { seconds: Number(values.seconds), width, height, seed: Number(values.seed) }),
    output,
  )
} else {
  console.error(USAGE)
  process.exitCode = 2
}
