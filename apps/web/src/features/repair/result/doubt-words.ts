import type { RepairReport } from '@mendframe/contract'

type Doubt = NonNullable<RepairReport['doubts']>[number]

/** What a doubt means to the person whose file it is, by its code. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['index-cut', 'The index breaks off, so the recording may have had more than was found.'],
  ['index-hit', 'The index was damaged, and nothing proves that it still names everything that is there.'],
  ['index-lossy', 'The damaged index cost much of a track. More of that track may still be in the file.'],
  ['unexplained', 'Parts of the file could be matched to no picture and no sound.'],
  ['missing', 'A track of the recording, such as its sound, was not found.'],
  ['further', 'The file has tracks that the sample does not have. They were told by their bytes alone.'],
  ['encrypted', 'Encrypted parts could not be put in order and were left out.'],
  ['none-whole', 'Of one track nothing is undamaged: its pictures or sound may lie elsewhere in the file.'],
  ['ends', 'Where single frames end is estimated: some may have a little too much or too little.'],
  ['times', 'When some pictures or sounds were recorded is estimated: they may play a little early or late.'],
  ['assumed', 'Some settings of the recording are assumed, because nothing in the file tells them.'],
  [
    'stated-rate',
    'Only the pictures themselves say how fast they play. Some recordings were made to play faster or slower.',
  ],
  [
    'moved',
    'Bytes are gone or came in, and nothing shows where: what was recorded after that may be out of place.',
  ],
  ['beside', 'What was stored beside picture and sound, such as chapters, is gone, incomplete or altered.'],
  ['others', 'The file holds further recordings with other settings. They were left out.'],
  ['hits', 'Damage was found between pictures and sounds. Nothing shows whether those were hit, too.'],
  ['beginning-hit', 'The very beginning of the recording may be damaged: nothing in it would show.'],
  ['decode-errors', 'Some frames do not play cleanly, and no damage that was found explains why.'],
  ['torn-pictures', 'Some pictures are likely damaged inside, though players show them without complaint.'],
  ['other-look', 'What plays has another size, speed or form than the file says.'],
  ['unchecked', 'The result could not be opened here to check it.'],
  ['areas-lost', 'Parts of the picture are gone. They were filled in or left blank.'],
  ['detail-lost', 'Fine detail of the picture is gone.'],
  ['colour', 'The brightness or colour of parts of the picture is estimated.'],
  ['placement', 'Where some of the recovered parts belong in the picture is estimated.'],
  [
    'quantisation',
    'How strongly the picture was compressed is estimated: its contrast and colours may be off.',
  ],
  ['size', 'Width and height of the picture are estimated.'],
  ['orientation', 'Which side of the picture is up is not known: you may have to turn it.'],
  ['preview-only', 'The picture itself is gone. A smaller one that was stored with it takes its place.'],
  [
    'search-ended',
    'This file would take far longer to search than any recording does, so not all of it was looked at.',
  ],
  ['frames', 'Pictures of the animation are gone, or when they are shown is estimated.'],
  ['metadata', 'What was stored beside the picture, such as its date, is gone, incomplete or altered.'],
])

/** What is uncertain, a sentence each. A doubt of a newer engine is told in the engine's words. */
export function doubtsInWords(doubts: readonly Doubt[]): readonly string[] {
  return doubts.map(({ code, message }) => WORDS.get(code) ?? message)
}
