/** Why nothing can be written, as a report has it. */
export const ENCRYPTED =
  'The recording is encrypted: only its index tells where its samples begin and what they need to be decrypted, and that is lost.'
export const TOO_MANY =
  'The file seems to hold more pictures or pieces of sound than a recording of its length can have.'
