import {
  FREE_KEEP_HOURS,
  FREE_VIDEO_REPAIRS,
  PREMIUM_KEEP_HOURS,
  RESUME_HOURS,
  VIDEO_EXTENSIONS,
  type VideoExtension,
} from '@mendframe/contract'
import { brand } from '../../shared/brand/brand.ts'
import { LARGEST_FREE_VIDEO, LARGEST_VIDEO, PREVIEW_SHARE } from '../../shared/lib/plan-text.ts'
import type { Question } from '../../shared/lib/questions.ts'

export type StepKind = 'upload' | 'repair' | 'preview'

export const STEPS: readonly { readonly kind: StepKind; readonly title: string; readonly text: string }[] = [
  {
    kind: 'upload',
    title: 'Upload a corrupt video',
    text: 'Choose the file that will not play. Then add one healthy video from the same camera: it shows us how that camera writes.',
  },
  {
    kind: 'repair',
    title: 'Get it repaired',
    text: 'We look for every frame and every sample of sound that survived, put them in order and write a new file. Yours is never changed.',
  },
  {
    kind: 'preview',
    title: 'Preview and save',
    text: `Watch about ${PREVIEW_SHARE} of the repaired video and read the report: what came back, what did not, and when. Then save it.`,
  },
]

export type ScenarioKind = 'corrupted' | 'glitch' | 'blurry' | 'slow' | 'unplayable' | 'flickering'

export const SCENARIOS: readonly {
  readonly kind: ScenarioKind
  readonly title: string
  readonly text: string
}[] = [
  {
    kind: 'corrupted',
    title: 'Corrupted',
    text: 'The battery died, the card came out, or a copy stopped half way. The frames are often still there; the index that finds them is not. We write it anew.',
  },
  {
    kind: 'glitch',
    title: 'Glitch',
    text: 'A few bytes were overwritten, and every frame that builds on them tears or turns to blocks. We tell the damaged frames from the sound ones, and the report lists them.',
  },
  {
    kind: 'blurry',
    title: 'Blurry',
    text: 'A frame lost the one it builds on, and detail melts until the next full picture. We put frames back on the right one. A shot that was out of focus stays so.',
  },
  {
    kind: 'slow',
    title: 'Slow playback',
    text: 'The clock in the file is wrong: it stutters, drags, or the sound runs ahead. We read the true times from the recording, and picture and sound meet again.',
  },
  {
    kind: 'unplayable',
    title: 'Unplayable',
    text: 'The beginning is missing or blank, so no player knows what it is holding. Your healthy video says what belongs there, and the frames say the rest.',
  },
  {
    kind: 'flickering',
    title: 'Flickering',
    text: 'Frames out of order, doubled or dropped make light and motion jump. We sort them into the order the camera gave them and close the gaps honestly.',
  },
]

/** Containers, with the extensions that hold them. Together they are exactly the supported extensions. */
export const FAMILIES: readonly {
  readonly extensions: readonly VideoExtension[]
  readonly from: string
}[] = [
  { extensions: ['mov', 'mp4', 'm4v', '3gp', '3g2', 'f4v'], from: 'Phones, cameras, drones, action cameras' },
  { extensions: ['avi', 'divx'], from: 'Dash cameras, older cameras, old collections' },
  { extensions: ['mkv', 'webm'], from: 'Screen and stream recorders' },
  { extensions: ['mpg', 'mpeg', 'dat'], from: 'Discs, tape transfers, Video CDs' },
  { extensions: ['mts'], from: 'High-definition camcorders' },
  { extensions: ['wmv', 'asf'], from: 'Computer and security recorders' },
  { extensions: ['flv'], from: 'Web video of earlier years' },
]

export type DeviceKind =
  | 'phone'
  | 'action-camera'
  | 'drone'
  | 'camera'
  | 'camcorder'
  | 'dash-camera'
  | 'security-camera'
  | 'screen'

export const DEVICES: readonly { readonly kind: DeviceKind; readonly label: string }[] = [
  { kind: 'phone', label: 'Phones and tablets' },
  { kind: 'action-camera', label: 'Action cameras' },
  { kind: 'drone', label: 'Drones' },
  { kind: 'camera', label: 'Photo cameras' },
  { kind: 'camcorder', label: 'Camcorders' },
  { kind: 'dash-camera', label: 'Dash cameras' },
  { kind: 'security-camera', label: 'Security cameras' },
  { kind: 'screen', label: 'Screen recordings' },
]

const freeRepairs = FREE_VIDEO_REPAIRS === 1 ? 'one video' : `${FREE_VIDEO_REPAIRS} videos`

export const QUESTIONS: readonly Question[] = [
  {
    question: 'How does the repair work?',
    answer: [
      'A video is a long row of frames and pieces of sound, with an index that says where each one lies. When the index, the beginning or some of the frames are damaged, players give up.',
      'We read the file byte by byte, recognise the frames that survived, work out their order and times, and write a new file around them. Your original is only read.',
    ],
  },
  {
    question: 'Why do you ask for a sample video?',
    answer: [
      'Cameras differ in how they write. A healthy video from the same camera, with the same settings, tells us what is missing from the damaged one.',
      'A few seconds are enough. If the camera is gone, an older recording that still plays will do.',
    ],
  },
  {
    question: 'Which videos can you repair?',
    answer: [
      `Files of up to ${LARGEST_VIDEO} that end in ${VIDEO_EXTENSIONS.slice(0, -1).join(', ')} or ${VIDEO_EXTENSIONS[VIDEO_EXTENSIONS.length - 1]}.`,
      `For larger files, or a whole archive, there is ${brand.desktop.name}.`,
    ],
  },
  {
    question: 'What do I get for free?',
    answer: [
      `The repair of ${freeRepairs}, with the full result for a file of up to ${LARGEST_FREE_VIDEO}.`,
      `A larger file is repaired too, and you see about ${PREVIEW_SHARE} of it and the report before you decide about Premium.`,
    ],
  },
  {
    question: 'How long are my files kept?',
    answer: [
      `On the Free plan a repaired file is deleted by itself ${FREE_KEEP_HOURS} hours after the upload, on Premium after ${PREMIUM_KEEP_HOURS} hours; never sooner than that after the repair has ended.`,
      `An upload you have not repaired yet waits ${RESUME_HOURS} hours, so that you can resume it.`,
    ],
  },
  {
    question: 'Who sees my video?',
    answer: [
      'The repair is done by a program. A person opens your files only when you ask for a manual repair.',
      'Files and results can be reached from your account alone, over addresses that expire.',
    ],
  },
  {
    question: 'What if the repair does not bring everything back?',
    answer: [
      'The report says exactly what is missing. Bytes that were overwritten cannot be brought back by anyone, and we do not pretend otherwise.',
      'When a repair fails or is only partial, you can request a free manual repair: one of our engineers looks at the file and writes to you.',
    ],
  },
  {
    question: 'Can I get a refund?',
    answer: [
      'No, this service is non-refundable.',
      'That is why the preview and the report come first: you see what you would be paying for.',
    ],
  },
]
