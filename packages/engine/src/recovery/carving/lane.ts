import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'

/** One track as a healthy recording holds it: what recovery learns from. */
export interface RecordedTrack {
  /** Its times are a recording's own, and not worked out. */
  readonly told?: true
  readonly description: TrackDescription
  /** Rows in decoding order with offsets into the recording's own file. */
  readonly table: SampleTable
  /** Units elsewhere to learn the encoder's habits from, where the recording's own were coded with other settings. */
  readonly lessons?: { readonly reader: ByteReader; readonly table: SampleTable }
  /** The same rows with the times that the recording gives them, where `table` has those of the recording under recovery. */
  readonly asRecorded?: SampleTable
  /** The recording under recovery leaves out some units of the constant rate that this one has. */
  readonly leavesOut?: true
  /** Its pictures are said to be shown as they are decoded, though they number themselves in another order. */
  readonly asDecoded?: true
}

/** One track under recovery: what is known of it and what was found so far. */
export interface Lane {
  readonly index: number
  readonly description: TrackDescription
  /** Index into the groups of lanes whose units look alike; -1 for lanes without syntax. */
  readonly group: number
  readonly recogniser: Recogniser | undefined
  readonly table: SampleTable
}

/**
 * Lanes whose units cannot be told apart by their bytes (two audio tracks of one codec): recognised once, then
 * given to one of the lanes by its clock.
 */
export interface LaneGroup {
  readonly lanes: readonly Lane[]
  /**
   * All lanes whose units pass for these: other rates of the same codec read them as well. The same array for each group of a
   * family.
   */
  readonly family: readonly Lane[]
  readonly recogniser: Recogniser
  readonly unit: Unit
  /** Offset that `unit` describes, so that looking ahead is not repeated; -1 for none. */
  at: number
  /** What `recognise` said at `at`. */
  matched: boolean
  /** The recording marks recovery points (open groups of pictures) as sync samples too. */
  recoveryIsKey: boolean
  /** See `toldPace`; absent where units last as long as they say. */
  pace?: number
}

/** Whether the numbers of a lane's units tell how many are lost. */
export function isNumbered({ recogniser }: Lane): boolean {
  return recogniser?.orderPeriod !== undefined
}

/**
 * Builds a lane for each track, groups those with the same syntax, and joins groups to a family where `alike` says that lanes
 * look alike.
 * @param bytes of the file that is carved in its order, 0 where these are not known
 */
export function makeLanes(
  descriptions: readonly TrackDescription[],
  samplesPerTrack: number,
  alike: (a: number, b: number) => boolean = () => false,
  bytes = 0,
): { lanes: Lane[]; groups: LaneGroup[] } {
  const lanes: Lane[] = []
  const groups: {
    lanes: Lane[]
    family: Lane[]
    recogniser: Recogniser
    unit: Unit
    at: number
    matched: boolean
    recoveryIsKey: boolean
  }[] = []
  for (const description of descriptions) {
    const found = codecNamed(description.codec)?.recogniser(description)
    const recogniser = found?.selfDelimiting ? found : undefined
    const twin = groups.findIndex((group) => sameSyntax(group.lanes[0].description, description))
    const group = recogniser === undefined ? -1 : twin >= 0 ? twin : groups.length
    const lane = {
      index: lanes.length,
      description,
      group,
      recogniser,
      table: new SampleTable(samplesPerTrack, bytes),
    }
    lanes.push(lane)
    if (recogniser === undefined) continue
    const kin = (): (typeof groups)[number] | undefined =>
      groups.find(({ family }) => family.some((other) => alike(other.index, lane.index)))
    // whoever has the syntax of another is of its family, and need not be held against all others
    const family = (twin >= 0 ? groups[twin] : kin())?.family ?? []
    family.push(lane)
    if (twin >= 0) groups[twin].lanes.push(lane)
    else
      groups.push({
        lanes: [lane],
        family,
        recogniser,
        unit: new Unit(),
        at: -1,
        matched: false,
        recoveryIsKey: false,
      })
  }
  return { lanes, groups }
}

function sameSyntax(a: TrackDescription, b: TrackDescription): boolean {
  return (
    a.codec === b.codec &&
    a.framing === b.framing &&
    a.sampleRate === b.sampleRate &&
    a.channels === b.channels &&
    a.config.length === b.config.length &&
    a.config.every((byte, index) => byte === b.config[index])
  )
}
