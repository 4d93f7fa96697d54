import { bytesOf, type CameraProfile, type ProfileTrack } from '../../../recording/cameras/camera-profile.ts'
import type { Draft, DraftFamily, DraftTrack } from '../../../recording/draft.ts'
import { withPictures } from './adopt-pictures.ts'
import { draftMovie, FAMILY, type MovieBoxes, type TrackBoxes } from './draft-movie.ts'

/** Drafts as recordings of ISO media. */
export const ISO_DRAFTS: DraftFamily = {
  describe: (draft) => draftMovie(draft)?.movie.tracks.map(({ description }) => description),
  withPictures,
  fromProfile,
}

function fromProfile({ isobmff, tracks }: CameraProfile): Draft {
  const { fileType, timescale } = isobmff
  const verbatim: MovieBoxes = {
    family: FAMILY,
    timescale,
    ...(fileType ? { fileType: bytesOf(fileType) } : {}),
  }
  return { verbatim, tracks: tracks.map(profiledTrack) }
}

function profiledTrack(track: ProfileTrack): DraftTrack {
  const { id, kind, timescale, width, height, habits, constantBytes } = track
  const { handler, entry, information, handlerBox, trackBoxes, edits } = track.isobmff
  const verbatim: TrackBoxes = {
    family: FAMILY,
    handler,
    entry: bytesOf(entry),
    information: information.map(bytesOf),
    ...(handlerBox ? { handlerBox: bytesOf(handlerBox) } : {}),
    trackBoxes: trackBoxes.map(bytesOf),
    ...(edits.length > 0 ? { edits } : {}),
  }
  return {
    ...{ id, kind, timescale, width, height, verbatim },
    unit: habits.unitDuration,
    ...(constantBytes === undefined ? {} : { constantBytes }),
  }
}
