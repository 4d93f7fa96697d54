import { PlannedPlaces } from '../../../bytes/foresight.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { ByteSink } from '../../../bytes/sink.ts'
import type { Survey } from '../read/survey.ts'
import { planClusters } from './plan.ts'
import { type Front, firstClusterAt, writeCluster } from './write.ts'

/**
 * Tells the sink while a file is walked where its Clusters come to lie, which needs nothing but the room that the head of the
 * result keeps.
 */
export class ClusterWatch {
  readonly #reader: ByteReader
  readonly #places: PlannedPlaces | undefined
  /** Runs whose Clusters are told. */
  #told = 0

  constructor(reader: ByteReader, sink: ByteSink) {
    this.#reader = reader
    this.#places = PlannedPlaces.of(sink, reader.source)
  }

  /** Whether Clusters were told. */
  get began(): boolean {
    return this.#told > 0
  }

  /**
   * Tells the Clusters that are known as a whole; all of them once the file is walked to its `end`. `front`: what will
   * stand in front of them.
   */
  async walked(survey: Survey, front: () => Front, end = lastHeaded(survey)): Promise<void> {
    const places = this.#places
    if (!places || !survey.tracksWhole || end <= this.#told) return
    if (!this.began) {
      const known = front()
      if (known.room === 0) return
      places.position += firstClusterAt(known)
    }
    const { blocks, runs } = survey
    const clusters = planClusters(this.#reader, { blocks, runs: runs.slice(this.#told, end) })
    this.#told = end
    for (const cluster of clusters) await writeCluster(cluster, this.#reader, blocks, places)
  }
}

/** The run that begins the last Cluster: those in front of it are complete, of the ones behind some may still become part of it. */
function lastHeaded({ runs }: Survey): number {
  let last = runs.length - 1
  while (last > 0 && !runs[last].headed) last--
  return Math.max(0, last)
}
