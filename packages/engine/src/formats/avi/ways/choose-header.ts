import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { showsConfiguration } from '../../../recording/shown-configuration.ts'
import { isSizeUntold } from '../../../recording/told-size.ts'
import { type Refusal, takeFirst } from '../../../recording/ways.ts'
import type { RepairJob } from '../../format.ts'
import { UnitCheck } from '../mend/unit-check.ts'
import type { ChunkTable } from '../read/chunk-table.ts'
import { type AviFile, readFile } from '../read/file.ts'
import type { AviHeader } from '../read/header.ts'
import type { AviStream } from '../read/stream.ts'
import type { Walk } from '../read/walk.ts'
import { deduceHeader } from './deduce-header.ts'

/** The header that a result gets, and where it is from. */
export interface ChosenHeader {
  readonly header: AviHeader
  readonly walk: Walk
  /** The recording whose header it is, where that is not the file's own. */
  readonly sample?: AviFile
  readonly sampleUsed: readonly string[]
  readonly strategy?: { readonly name: string; readonly outcome: string }
  /** Facts that nothing told. */
  readonly assumed: boolean
  /** The pictures' rate is what their bitstream states, and nothing else tells one. */
  readonly unconfirmed?: boolean
  /** A stream is left out, of which nothing tells what it is. */
  readonly missing: boolean
}

/** Pictures looked at to tell whether a sample is of the same kind. */
const LOOKED = 40
/** Chunks of the sample from which its streams' settings are learned. */
const TAUGHT = 100

/**
 * The file's own header, else the sample's where its streams are what the chunks hold, else one put together of what they say.
 */
export function chooseHeader(job: RepairJob, file: AviFile): Promise<ChosenHeader | Refusal> {
  return takeFirst<ChosenHeader>(
    [async () => ownHeader(file), () => sampleHeader(job, file), async () => toldHeader(file)],
    'The description of the streams is lost, and neither they nor a sample tell it.',
  )
}

function ownHeader({ header, walk }: AviFile): ChosenHeader | undefined {
  return header && { header, walk, sampleUsed: [], assumed: false, missing: false }
}

function toldHeader(file: AviFile): ChosenHeader | undefined {
  const deduced = deduceHeader(file)
  return (
    deduced && {
      ...{ ...deduced, walk: file.walk, sampleUsed: [] },
      strategy: { name: 'deduced header', outcome: 'streams described by what they say of themselves' },
    }
  )
}

async function sampleHeader(job: RepairJob, file: AviFile): Promise<ChosenHeader | Refusal | undefined> {
  const sample = job.sample ? await readFile(job.sample.reader, job.limits, job.monitor) : undefined
  if (!sample?.header) return undefined
  const unlike = unlikeStream(file, sample)
  if (unlike) return { reason: unlike }
  return {
    header: sample.header,
    walk: file.walk,
    sample,
    sampleUsed: ['headers'],
    strategy: { name: 'sample header', outcome: 'streams described as in the sample' },
    assumed: isSizeUntold(sample.header.streams.map(({ description }) => description)),
    missing: false,
  }
}

/** Why the sample's streams cannot be the file's. */
function unlikeStream({ reader, walk }: AviFile, sample: AviFile): string | undefined {
  const { chunks } = walk
  const streams = sample.header?.streams ?? []
  const seen = streams.map(() => ({ none: 0, some: 0 }))
  const checks = streams.map((stream) => new UnitCheck(reader, stream))
  const taught = sample.walk.chunks
  for (let row = 0; row < Math.min(taught.length, TAUGHT); row++)
    checks[taught.stream[row]]?.learn(taught.offset[row], taught.size[row], sample.reader)
  for (let row = 0; row < chunks.length; row++) {
    const number = chunks.stream[row]
    // any bytes are plain sound
    if (number >= streams.length || streams[number].description.codec === 'pcm') continue
    const count = seen[number]
    if (chunks.size[row] === 0 || count.none + count.some >= LOOKED) continue
    checks[number].learn(chunks.offset[row], chunks.size[row])
    if (checks[number].state(chunks.offset[row], chunks.size[row]) === 'none') count.none++
    else count.some++
  }
  const wrong = streams.findIndex(
    (stream, index) => seen[index].none > seen[index].some * 2 || isContradicted(reader, chunks, stream),
  )
  return wrong < 0 ? undefined : `The sample's stream ${wrong} is of another kind than the file's.`
}

/** Whether pictures tell another size than the sample's header, or read as nothing by its configuration. */
function isContradicted(reader: ByteReader, chunks: ChunkTable, { number, description }: AviStream): boolean {
  const isTold = SIZED.has(description.codec) || description.framing === 'length'
  return isTold && showsConfiguration(reader, description, unitsOf(chunks, number)) === false
}

/** Codecs whose pictures tell a size that their decoders do not look at. */
const SIZED: ReadonlySet<string> = new Set(['mjpeg', 'cinepak'])
/** Chunks by which a configuration is proven. */
const PROVING = 300

/** Where the first chunks of a stream lie that hold anything. */
function unitsOf(chunks: ChunkTable, stream: number): Region[] {
  const found: Region[] = []
  for (let row = 0; row < chunks.length && found.length < PROVING; row++)
    if (chunks.stream[row] === stream && chunks.size[row] > 0)
      found.push({ offset: chunks.offset[row], length: chunks.size[row] })
  return found
}
