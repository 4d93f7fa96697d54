import { RendererError } from '../../errors.ts'
import { boxesIn, findBox, makeBox } from '../../iso/boxes.ts'
import { type Substitution, sampleTables, writeSpliced } from '../../iso/splice.ts'
import type { Film } from './film.ts'
import type { Recipe } from './recipes.ts'
import type { Run } from './runs.ts'
import type { SampleStore, Stored } from './store.ts'

/** A stretch with its new samples. */
export interface NewRun extends Run {
  readonly samples: readonly Stored[]
}

/** Visual sample entries begin with 78 bytes of fixed fields (ISO/IEC 14496-12:2022 §12.1.3.2). */
const VISUAL_ENTRY_BYTES = 78

/** Writes the film with new samples in these stretches; whatever is outside of them keeps its bytes and all keep their times. */
export function rewrite(
  film: Film,
  path: string,
  runs: readonly NewRun[],
  recipe: Recipe,
  configuration: Buffer,
  store: SampleStore,
): void {
  const { samples } = film
  const sizes = samples.sizes.slice()
  const shifts = samples.shifts?.slice()
  const sync = samples.sync?.slice()
  const substitutions: Substitution[] = []
  for (const run of runs) {
    for (const [index, stored] of run.samples.entries()) {
      const sample = run.start + index
      sizes[sample] = stored.size
      // The new samples are decoded in the order they are shown.
      if (shifts) shifts[sample] = film.time(film.sampleAt[sample] ?? 0) - (samples.dts[sample] ?? 0)
      if (sync && (index === 0 || (run.kept !== undefined && sample === run.end - 1))) sync[sample] = 1
      substitutions.push({
        offset: samples.offsets[sample] ?? 0,
        length: samples.sizes[sample] ?? 0,
        size: stored.size,
        bytes: () => store.read(stored),
      })
    }
  }
  const tables = sampleTables(samples, sizes, shifts, sync)
  if (recipe.splicer.extend && recipe.splicer.box)
    tables.set('stsd', newDescription(film, recipe.splicer.box, recipe.splicer.extend(configuration)))
  writeSpliced(film.iso, path, substitutions, { trak: film.trak, tables })
}

/** The track's sample description with another content of the box `type` in its only entry. */
function newDescription(film: Film, type: string, content: Buffer): Buffer {
  const { moov } = film.iso
  const stsd = findBox(moov, film.trak, 'mdia', 'minf', 'stbl', 'stsd')
  const entries = stsd ? boxesIn(moov, stsd.content + 8, stsd.end) : []
  const [entry] = entries
  if (!stsd || !entry || entries.length !== 1 || entry.end - entry.content < VISUAL_ENTRY_BYTES)
    throw new RendererError('unsupported', 'the track has no single sample description')
  const fixed = entry.content + VISUAL_ENTRY_BYTES
  const children = boxesIn(moov, fixed, entry.end)
  const target = children.find((child) => child.type === type)
  if (!target) throw new RendererError('unsupported', `the sample description has no ${type}`)
  const changed = makeBox(
    entry.type,
    moov.subarray(entry.content, target.start),
    makeBox(type, content),
    moov.subarray(target.end, entry.end),
  )
  return makeBox('stsd', moov.subarray(stsd.content, stsd.content + 8), changed)
}
