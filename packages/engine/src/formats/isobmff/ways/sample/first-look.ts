import type { Region } from '../../../../bytes/regions.ts'
import type { Place } from '../../../../recording/deduce/trial.ts'
import { type Carved, carve } from '../../../../recovery/carve.ts'
import { recorded, type Teacher } from '../carve-file.ts'

/** What the teacher finds in the regions. */
export function carveLike(place: Place, regions: readonly Region[], teacher: Teacher): Promise<Carved> {
  const { reader, limits, monitor } = place
  return carve({
    reader,
    regions,
    sample: { reader: teacher.reader, tracks: teacher.tracks.map((track) => recorded(teacher, track)) },
    limits,
    monitor: { progress: () => {}, pause: () => monitor.pause() },
  })
}
