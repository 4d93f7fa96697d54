import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../boundaries/project.ts'

interface Forbidden {
  readonly pattern: RegExp
  readonly what: string
}

/** What belongs to one machine, one day or one conversation, and so not into the project's texts. */
const EVERYWHERE: readonly Forbidden[] = [
  { pattern: /(?<![\w.$@})~-])\/(?:home|Users|root|work|workspace)\/[\w.-]+/, what: 'a path of one machine' },
  { pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, what: 'unfinished work: do it, or write it down as a decision' },
  { pattern: /\blorem ipsum\b/i, what: 'placeholder text' },
]
/** What a line of a comment must not be. */
const COMMENTS: readonly Forbidden[] = [
  { pattern: /^(?=.{131})\s*(?:\/\*\*|\*|\/\/)/, what: 'a comment of more than 130 columns' },
]
const DOCUMENTS: readonly Forbidden[] = [
  { pattern: /(?<![\w.$@})~-])\/(?:tmp|var\/folders)\/[\w.-]+/, what: 'a path of one machine' },
  {
    pattern: /\b(?:issue|ticket)s?\s+(?:#\s*)?\d+\b|(?<![\w&/])#\d+\b/i,
    what: 'a number of a tracker readers do not have',
  },
]

const TEXT = /\.(?:tsx?|mjs|cjs|js|jsx|css|html|json|md|ya?ml|sh|txt)$/
const DOCUMENT = /\.md$/
const CODE = /\.tsx?$/
/** Written by npm, and this very list. */
const EXCEPTIONS = new Set([
  'package-lock.json',
  'tools/src/check/texts.ts',
  'tools/test/check-texts.test.ts',
])

/** Lines of the project's texts that hold what must not be in them. */
export function checkTexts(root: string): string[] {
  return listFiles(root, (name) => TEXT.test(name))
    .filter((path) => !EXCEPTIONS.has(path))
    .flatMap((path) => {
      const forbidden = [
        ...EVERYWHERE,
        ...(DOCUMENT.test(path) ? DOCUMENTS : []),
        ...(CODE.test(path) ? COMMENTS : []),
      ]
      return readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          forbidden
            .filter(({ pattern }) => pattern.test(line))
            .map(({ what }) => `${path}:${index + 1}: ${what}: ${line.trim().slice(0, 100)}`),
        )
    })
}
