import type { PhotoArea, PictureReport } from '../../model/photo.ts'

/** The raw picture of a camera's file: one stretch of sensor data, row after row. */
export interface RawPicture {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly orientation: number
  readonly layout: string
  /** Where the data lies in the damaged file, and its bytes when whole. */
  readonly offset: number
  readonly length: number
  /** Stretches of it that are gone: offsets from its start. */
  readonly gone: readonly { readonly from: number; readonly to: number }[]
  /** All of it is one code: what stands behind a stretch that is gone survives, but where it belongs is not known. */
  readonly chained?: boolean
}

/** What became of it. Rows are those that the share of bytes stands for. */
export function rawReport(picture: RawPicture, rebuilt: PictureReport['rebuilt']): PictureReport {
  const { width, height, length, offset, gone } = picture
  const row = (at: number): number => (Math.min(length, Math.max(0, at)) / Math.max(1, length)) * height
  const areas: PhotoArea[] = []
  const add = (state: PhotoArea['state'], from: number, to: number): void => {
    const top = Math.floor(row(from))
    const bottom = Math.ceil(row(to))
    if (bottom <= top) return
    areas.push({ x: 0, y: top, width, height: bottom - top, state, offset: offset + from, length: to - from })
  }
  for (const { from, to } of gone) add('lost', from, to)
  const first = picture.chained ? gone.reduce<number>((least, { to }) => Math.min(least, to), length) : length
  if (first < length && !gone.some(({ to }) => to >= length)) add('estimated', first, length)
  const sum = (state: PhotoArea['state']): number =>
    areas.filter((area) => area.state === state).reduce((rows, area) => rows + area.height, 0)
  const lost = Math.min(height, sum('lost'))
  const estimated = Math.min(height - lost, sum('estimated'))
  return {
    role: 'main',
    codec: picture.codec,
    width,
    height,
    orientation: picture.orientation,
    layout: picture.layout,
    unit: 'row',
    total: height,
    recovered: height - lost - estimated,
    estimated,
    lost,
    areas,
    rebuilt,
  }
}
