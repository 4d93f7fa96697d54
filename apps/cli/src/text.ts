/** Seconds as `h:mm:ss` or `m:ss`, with milliseconds when `precise`. */
export function formatDuration(seconds: number, precise = false): string {
  const milliseconds = Math.round(Math.max(0, seconds) * 1000)
  const whole = Math.floor(milliseconds / 1000)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const tail =
    String(whole % 60).padStart(2, '0') + (precise ? `.${String(milliseconds % 1000).padStart(3, '0')}` : '')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Bytes in binary units, e.g. `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

/** Rows under their titles, columns aligned, two blanks between them. Lines end without blanks. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  indent = '  ',
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => row[index].length)),
  )
  const line = (cells: readonly string[]): string =>
    indent +
    cells
      .map((cell, index) =>
        columns[index].align === 'right' ? cell.padStart(widths[index]) : cell.padEnd(widths[index]),
      )
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...rows.map(line)]
}
