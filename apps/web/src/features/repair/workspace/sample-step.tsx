import { TEXTS } from '@mendframe/contract'
import { Button } from '../../../shared/ui/button.tsx'
import { DropBox } from '../../../shared/ui/drop-box.tsx'

interface SampleStepProps {
  readonly extension: string
  readonly onFiles: (files: readonly File[]) => void
  readonly onStart: () => void
}

/** Asks for a video that plays, from the same camera. */
export function SampleStep({ extension, onFiles, onStart }: SampleStepProps) {
  return (
    <section aria-labelledby="sample-heading">
      <h2 id="sample-heading" className="text-heading">
        Now a video that plays, from the same camera
      </h2>
      <p className="mt-2 mb-5 max-w-[65ch] text-ink-soft">
        A few seconds are enough. It shows us how your camera writes its recordings, so that we recognise
        yours in the damaged file. Same device, same settings, same format.
      </p>
      <DropBox
        action="Add Sample Video"
        hint={`or drop a .${extension} file here`}
        label="Sample video"
        extensions={[extension]}
        mediaType="video"
        onFiles={onFiles}
      >
        <p className="mt-5 text-small text-ink-soft">{TEXTS.sampleNecessary}</p>
      </DropBox>
      <Button look="secondary" className="mt-6" onClick={onStart}>
        Start Repair
      </Button>
    </section>
  )
}
