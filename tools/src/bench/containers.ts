import { extname } from 'node:path'

/** Containers by the extension of a file at hand; others go by their extension itself. */
const CONTAINERS: Readonly<Record<string, string>> = {
  m4v: 'mp4',
  '3g2': '3gp',
  divx: 'avi',
  mkv: 'matroska',
  mka: 'matroska',
  ts: 'mpegts',
  mts: 'mpegts',
  m2ts: 'mpegts',
  m2t: 'mpegts',
  mpg: 'mpeg',
  mod: 'mpeg',
  dat: 'vcd',
  wmv: 'asf',
  wma: 'asf',
}

/** What the library that writes files of this name calls their container. */
export function containerOf(path: string): string {
  const extension = extname(path).slice(1).toLowerCase()
  return CONTAINERS[extension] ?? extension
}
