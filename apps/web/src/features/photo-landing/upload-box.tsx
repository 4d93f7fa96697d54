import { useNavigate } from 'react-router'
import { handFiles } from '../../shared/lib/handed-files.ts'
import { openOverlay } from '../../shared/overlay/overlay.ts'
import { useSignedIn } from '../../shared/storage/use-signed-in.ts'
import { DropBox } from '../../shared/ui/drop-box.tsx'
import { PHOTO_APP_PATH } from '../auth/photo-app-path.ts'

/** Where a photo comes in. A guest is asked to sign in; a signed-in visitor goes on to the photo app, which uploads. */
export function UploadBox() {
  const signedIn = useSignedIn('photo')
  const navigate = useNavigate()
  const proceed = (dropped: readonly File[] = []) => {
    if (signedIn) {
      handFiles(dropped)
      navigate(PHOTO_APP_PATH)
    } else openOverlay({ kind: 'sign-in', product: 'photo' })
    return false
  }
  return (
    <DropBox
      action="Upload Photo"
      hint="or drop it here"
      label="Damaged photo"
      extensions={[]}
      mediaType="image"
      onBeforeChoose={proceed}
      onFiles={proceed}
    />
  )
}
