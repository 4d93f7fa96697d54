import { MAX_AREAS, type PhotoArea, type PictureReport } from '../../model/photo.ts'
import type { ItemState } from './read/nal-items.ts'
import type { Picture } from './read/picture.ts'

/** What became of the photo. */
export function pictureReport(
  { width, height, orientation, codec, tiles }: Picture,
  states: ReadonlyMap<number, ItemState>,
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  const hit = tiles.filter(({ item }) => states.get(item.id) !== 'whole')
  const areas = hit.map(({ item, x, y, width: w, height: h }): PhotoArea => {
    const [extent] = item.extents
    // a tile that was hit shows its own detail up to there, one that is cut off nothing
    const state = states.get(item.id) === 'cut' ? 'lost' : 'hit'
    return { x, y, width: w, height: h, state, ...(extent ?? {}) }
  })
  return {
    role: 'main',
    codec: codec === 'hvc1' ? 'HEVC' : codec === 'av01' ? 'AV1' : codec,
    width,
    height,
    orientation,
    layout: tiles.length > 1 ? `${tiles.length} tiles` : 'one picture',
    unit: 'tile',
    total: tiles.length,
    recovered: tiles.length - hit.length,
    estimated: 0,
    lost: hit.length,
    areas: areas.slice(0, MAX_AREAS),
    rebuilt,
  }
}
