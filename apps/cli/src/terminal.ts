/** What a stream can show. */
export interface Terminal {
  readonly interactive: boolean
  readonly colour: boolean
  readonly unicode: boolean
  /** Columns of a line, measured anew at each call: windows are resized. */
  readonly columns: () => number
}

const DEFAULT_COLUMNS = 80

/** Judges a stream by what it is and by the settings people make for all their programs (https://no-color.org). */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const interactive = stream.isTTY === true && env.TERM !== 'dumb'
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return {
    interactive,
    colour: interactive && !env.NO_COLOR,
    unicode: /utf-?8/i.test(locale) || Boolean(env.WT_SESSION),
    columns: () => stream.columns || DEFAULT_COLUMNS,
  }
}
