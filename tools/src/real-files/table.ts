import { KINDS, type Trial } from './trial.ts'

/** What became of the files of each folder, and of all: a Markdown table, and what its columns mean. */
export function table(trials: readonly (Trial & { readonly folder: string })[]): string {
  const kinds = Object.keys(KINDS) as Trial['kind'][]
  const row = (name: string, some: readonly Trial[]): string => {
    const counts = kinds.map((kind) => some.filter((trial) => trial.kind === kind).length)
    return `| ${[name, some.length, ...counts, some.filter(({ worse }) => worse).length].join(' | ')} |`
  }
  const folders = [...new Set(trials.map(({ folder }) => folder))].sort()
  const columns = ['folder', 'files', ...kinds, 'worse']
  return [
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---|').join('')}`,
    ...folders.map((name) =>
      row(
        name,
        trials.filter(({ folder }) => folder === name),
      ),
    ),
    row('all', trials),
    '',
    ...kinds.map((kind) => `${kind}: ${KINDS[kind]}`),
    'worse: fewer packets or pictures than before, more errors in decoding, or changed or refused for nothing',
  ].join('\n')
}
