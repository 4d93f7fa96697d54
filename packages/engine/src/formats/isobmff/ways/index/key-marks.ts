import type { ByteReader } from '../../../../bytes/reader.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { Unit } from '../../../../codecs/recogniser.ts'
import { SAMPLE_KEY } from '../../../../model/sample-table.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/**
 * Marks key pictures by their bytes in tracks whose table of them was lost, alone or with other parts of the movie box: without
 * it every picture passes for one, and players seek to pictures that cannot be shown.
 */
export function markKeys(reader: ByteReader, tracks: readonly RecoveredTrack[]): void {
  for (const { plan } of tracks) {
    const { template, table } = plan
    const { kind, codec } = template.description
    const { sync, syncLost } = template.tables
    if (kind !== 'video' || (template.whole && !syncLost) || sync || template.extends) continue
    const recogniser = codecNamed(codec)?.recogniser(template.description)
    if (!recogniser) continue
    const unit = new Unit()
    const keys = new Uint8Array(table.length)
    let found = 0
    for (let row = 0; row < table.length; row++) {
      if (!recogniser.recognise(reader, table.offset[row], table.offset[row] + table.size[row], unit))
        continue
      recogniser.accept(reader, table.offset[row], unit)
      if (!unit.key && !unit.recovery) continue
      keys[row] = 1
      found++
    }
    if (found === 0) continue
    for (let row = 0; row < table.length; row++) {
      table.flags[row] = keys[row] ? table.flags[row] | SAMPLE_KEY : table.flags[row] & ~SAMPLE_KEY
    }
  }
}
