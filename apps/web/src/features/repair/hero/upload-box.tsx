import { DropBox } from '../../../shared/ui/drop-box.tsx'

interface UploadBoxProps {
  /** Extensions for the file dialog; a guest is asked to sign in before it opens. */
  readonly extensions?: readonly string[] | undefined
  readonly onFiles: (files: readonly File[]) => void
  readonly onBeforeChoose?: (() => boolean) | undefined
  readonly busy?: boolean | undefined
}

/** Where the damaged video goes in. */
export function UploadBox({ extensions = [], onFiles, onBeforeChoose, busy }: UploadBoxProps) {
  return (
    <DropBox
      action="Upload Video"
      hint="or drop the damaged file here"
      label="Damaged video"
      extensions={extensions}
      mediaType="video"
      onFiles={onFiles}
      onBeforeChoose={onBeforeChoose}
      disabled={busy}
    />
  )
}
