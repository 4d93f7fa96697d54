import { PlannedPlaces } from '../../../bytes/foresight.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { ByteSink } from '../../../bytes/sink.ts'
import { roomInFront } from '../../lead.ts'
import type { Survey } from '../read/survey.ts'
import { planClusters } from './plan.ts'
import { type Front, firstClusterAt, writeCluster } from './write.ts'

/**
 * Tells the sink while a large file is walked where its Clusters come to lie, which needs nothing but the room that the head of
 * the result keeps.
 */
export class ClusterWatch {
  readonly #reader: ByteReader
  readonly #places: PlannedPlaces | undefined
  /** Runs whose Clusters are told. */
  #told = 0
  /** Runs looked at, and the last of them that begins a Cluster. */
  #seen = 0
  #headed = 0

  constructor(reader: ByteReader, sink: ByteSink) {
    this.#reader = reader
    this.#places = roomInFront(reader.size) > 0 ? PlannedPlaces.of(sink, reader.source) : undefined
  }

  /** Whether Clusters were told. */
  get began(): boolean {
    return this.#told > 0
  }

  /** Tells the Clusters that are known as a whole. `front`: what will stand in front of them. */
  async walking(survey: Survey, front: () => Front): Promise<void> {
    const { runs } = survey
    for (; this.#seen < runs.length; this.#seen++) if (runs[this.#seen].headed) this.#headed = this.#seen
    // of the runs behind the last head some may still become part of its Cluster
    await this.#tell(survey, front, this.#headed)
  }

  /** Tells all that are left: the file is walked to its end. */
  async walked(survey: Survey, front: () => Front): Promise<void> {
    await this.#tell(survey, front, survey.runs.length)
  }

  async #tell(survey: Survey, front: () => Front, end: number): Promise<void> {
    const places = this.#places
    if (!places || !survey.tracksWhole || end <= this.#told) return
    if (!this.began) places.position += firstClusterAt(front())
    const { blocks, runs } = survey
    const clusters = planClusters(this.#reader, { blocks, runs: runs.slice(this.#told, end) })
    this.#told = end
    for (const cluster of clusters) await writeCluster(cluster, this.#reader, blocks, places)
  }
}
