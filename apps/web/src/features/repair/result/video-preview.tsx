import { type DownloadReply, previewsInline } from '@mendframe/contract'
import { useState } from 'react'
import { Button } from '../../../shared/ui/button.tsx'

interface VideoPreviewProps {
  readonly extension: string
  readonly download: DownloadReply
}

const NOT_PLAYABLE =
  'Preview of this Video type is not available to be played. You can download the file to see the preview'

/** The preview: an mp4 plays here; other types show a still, and a converted preview on request. */
export function VideoPreview({ extension, download }: VideoPreviewProps) {
  const [converted, setConverted] = useState(false)
  if (previewsInline(extension))
    return (
      <Player src={download.playableUrl ?? download.previewDownloadUrl} poster={download.photoDownloadUrl} />
    )
  if (converted && download.playableUrl)
    return <Player src={download.playableUrl} poster={download.photoDownloadUrl} />
  return (
    <div>
      {download.photoDownloadUrl ? (
        <img
          src={download.photoDownloadUrl}
          alt="A frame from the beginning of the repaired video"
          className="max-h-[60vh] w-full rounded-sm bg-[oklch(0.13_0.02_262)] object-contain"
        />
      ) : null}
      <p className="mt-3 max-w-[65ch] text-small text-ink-soft">{NOT_PLAYABLE}</p>
      {download.playableUrl ? (
        <Button look="secondary" size="small" className="mt-3" onClick={() => setConverted(true)}>
          Watch a converted preview
        </Button>
      ) : null}
    </div>
  )
}

function Player({ src, poster }: { readonly src: string; readonly poster: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: the visitor's own recording has no captions to show.
    <video
      controls
      playsInline
      preload="metadata"
      src={src}
      poster={poster || undefined}
      className="max-h-[64vh] w-full rounded-sm bg-[oklch(0.13_0.02_262)]"
      aria-label="Preview of the repaired video"
    />
  )
}
