/**
 * Texts that the specification gives word by word and that both the page and the server use. Texts with a `{…}` place
 * are filled by `fill`.
 */
export const TEXTS = {
  emailRequired: 'Email is required',
  emailInvalid: 'Invalid email format',
  passwordRequired: 'Password is required',
  userFetchFailed: 'Failed to fetch user data.',
  providerFailed: 'HTTP error! Try Again',
  signInFailed: 'An error occurred',
  signInNetwork: 'An error occurred during sign-up.',
  codeMissing: 'Authorization code is missing',
  uploadFailed: 'Upload failed!',
  uploadAborted: 'Upload was aborted! Please check your internet connection.',
  uploadOffline: 'No internet connection. Please reconnect and try again.',
  uploadServerError: 'Server error (500). Please try again later.',
  oneFileOnly: 'You can only upload one file.',
  unsupportedFormat: 'Unsupported file format.',
  sampleWrongExtension: 'Invalid File Type. Please upload a video file with the {ext} extension.',
  sampleSameFile: 'You are uploading the same file. Please choose a different file.',
  sampleTooLarge: 'File size exceeds 5GB limit.',
  photoSampleWrongExtension: 'Invalid File Type. Please upload a photo file with the {ext} extension.',
  photoSampleTooLarge: 'File size exceeds 500MB limit.',
  sampleMissing: 'Please upload the Sample Video.',
  sampleNecessary: 'Sample video is necessary requirement to repair your video',
  statusNotRecorded: 'Instance Id not Added',
  progressFailed: 'HTTP error! Please Refresh the process',
  repairFailedTitle: 'Repair Failed',
  repairFailed: 'The video repair process has failed.',
  repairThrew: 'An error occurred during the repair process.',
  downloadFailed: 'Failed to generate download link',
  tooLarge: 'Your file size is above 5GB which cannot be repaired online.',
  photoTooLarge: 'Your file size is above 500MB which cannot be repaired online.',
  freeVideoOverLimit: 'Your video size is more than 100MB. Free version has exceeded the size limit.',
  freePhotoOverLimit: 'Your photo size is more than 20MB. Free version has exceeded the size limit.',
  countExhausted: 'Your repair count has been exhausted. Upgrade your plan to continue repairing videos.',
  photoCountExhausted:
    'Your repair count has been exhausted. Upgrade your plan to continue repairing photos.',
  noPurchases: 'No records found',
  noUploads: 'No recent uploads',
  routerFallback: 'Unexpected Application Error!',
} as const

/** Fills the `{name}` places of a text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}
