import {
  FREE_KEEP_HOURS,
  FREE_PHOTO_EXTENSIONS,
  FREE_PHOTO_MB,
  FREE_PHOTO_REPAIRS,
  PHOTO_EXTENSIONS,
  type PhotoExtension,
  PREMIUM_KEEP_HOURS,
} from '@mendframe/contract'
import { inWords } from '../../shared/lib/in-words.ts'
import { LARGEST_PHOTO } from '../../shared/lib/plan-text.ts'
import type { Question } from '../../shared/lib/questions.ts'

export const STEPS = [
  {
    kind: 'upload',
    title: 'Upload',
    text: 'Choose the photo that is grey, torn, blurred or will not open. The file itself is never changed.',
  },
  {
    kind: 'repair',
    title: 'Automatic Repair',
    text: 'Nothing to set. What is whole stays bit for bit as your camera wrote it; what is broken is rebuilt around it.',
  },
  {
    kind: 'preview',
    title: 'Preview & Save',
    text: 'Compare before and after, read what could not be brought back, and save.',
  },
] as const

export type ComparisonKind = 'blurry' | 'pixelated' | 'not-opening' | 'greyed-out' | 'corrupt' | 'fading'

export const COMPARISONS: readonly {
  readonly kind: ComparisonKind
  readonly title: string
  readonly text: string
  readonly scene: string
}[] = [
  {
    kind: 'blurry',
    title: 'Blurry photos',
    text: 'The viewer cannot read the picture and shows the thumbnail, blown up. The full one is often still in the file.',
    scene: 'A porcelain bowl mended with gold holds three lemons; two pears lie beside it.',
  },
  {
    kind: 'pixelated',
    title: 'Pixelated pictures',
    text: 'A broken marker stops the viewer after the first pass, at one colour a block. The finer passes behind it go back in.',
    scene: 'A white arcade with box trees in clay pots under a deep blue sky.',
  },
  {
    kind: 'not-opening',
    title: 'Photos not opening',
    text: 'The header is gone, so nothing knows that this is a photo. We write it anew and find the size by fitting the blocks.',
    scene: 'A wooden jetty runs out into a lake under snowy mountains.',
  },
  {
    kind: 'greyed-out',
    title: 'Greyed-out images',
    text: 'The viewer lost its place in the data and painted the rest grey. We find the place again and read on.',
    scene: 'Hot-air balloons over misty hills at sunrise.',
  },
  {
    kind: 'corrupt',
    title: 'Corrupt images',
    text: 'Some bytes were overwritten; every block behind them slid and changed colour. We set each one back in place.',
    scene: 'A row of painted gabled houses along a canal, a small boat in front.',
  },
  {
    kind: 'fading',
    title: 'Colour fading',
    text: 'The tables that say how strong each colour is were damaged. With the right tables back, so are the colours.',
    scene: 'A blue crate full of oranges, lemons and limes in the sun.',
  },
]

/** Extensions of photos that no raw developer is needed for. */
const DEVELOPED: readonly PhotoExtension[] = [
  ...FREE_PHOTO_EXTENSIONS,
  ...(['heic', 'heif', 'hif', 'avif', 'png', 'webp', 'gif', 'bmp', 'tif', 'tiff'] as const),
]

/** Kinds of files, with the extensions that Premium and, for the first, Free take. */
export const FORMATS: readonly {
  readonly name: string
  readonly extensions: readonly PhotoExtension[]
}[] = [
  { name: 'JPEG', extensions: FREE_PHOTO_EXTENSIONS },
  { name: 'HEIC', extensions: ['heic', 'heif', 'hif'] },
  { name: 'AVIF', extensions: ['avif'] },
  { name: 'PNG', extensions: ['png'] },
  { name: 'WebP', extensions: ['webp'] },
  { name: 'GIF', extensions: ['gif'] },
  { name: 'BMP', extensions: ['bmp'] },
  { name: 'TIFF', extensions: ['tif', 'tiff'] },
  {
    name: 'Camera raw',
    extensions: PHOTO_EXTENSIONS.filter((extension) => !DEVELOPED.includes(extension)),
  },
]

/** Makers whose devices write the formats above. Names only; they belong to their owners. */
export const MAKERS: readonly {
  readonly name: string
  readonly extensions: readonly PhotoExtension[]
}[] = [
  { name: 'Canon', extensions: ['cr3', 'cr2', 'crw', 'hif'] },
  { name: 'Nikon', extensions: ['nef', 'nrw'] },
  { name: 'Sony', extensions: ['arw', 'sr2', 'srf', 'hif'] },
  { name: 'Fujifilm', extensions: ['raf', 'hif'] },
  { name: 'Panasonic', extensions: ['rw2'] },
  { name: 'Olympus', extensions: ['orf'] },
  { name: 'Pentax', extensions: ['pef', 'dng'] },
  { name: 'Leica', extensions: ['dng'] },
  { name: 'Apple', extensions: ['heic', 'dng'] },
  { name: 'Samsung', extensions: ['srw', 'heic'] },
  { name: 'Google', extensions: ['dng', 'jpg'] },
  { name: 'Kodak', extensions: ['dcr', 'kdc'] },
  { name: 'Minolta', extensions: ['mrw'] },
  { name: 'Epson', extensions: ['erf'] },
  { name: 'Hasselblad', extensions: ['3fr'] },
  { name: 'Phase One', extensions: ['iiq'] },
  { name: 'Sigma', extensions: ['x3f', 'dng'] },
  { name: 'GoPro', extensions: ['gpr'] },
]

export const QUESTIONS: readonly Question[] = [
  {
    question: 'How does the photo repair work?',
    answer: [
      'A photo is a header that says what it is, tables that say how to read it, and thousands of small blocks. When one of these is damaged, viewers stop or paint nonsense.',
      'We rebuild the header and the tables, find the blocks that survived, and put each back in its place and colour. Your original is only read.',
    ],
  },
  {
    question: 'Which photos can you repair?',
    answer: [
      `On the Free plan JPEG and JPG of up to ${FREE_PHOTO_MB} MB.`,
      `On Premium also HEIC, AVIF, PNG, WebP, GIF, BMP, TIFF and the raw files of most cameras, ${PHOTO_EXTENSIONS.length} extensions in all, of up to ${LARGEST_PHOTO} each.`,
    ],
  },
  {
    question: 'What do I get for free?',
    answer: [
      `${inWords(FREE_PHOTO_REPAIRS)} repaired photos in full size. A photo in which nothing is wrong, or that cannot be repaired, is not counted.`,
    ],
  },
  {
    question: 'Do I need a sample photo?',
    answer: [
      'No, the repair works without one.',
      'If header and tables are gone, a healthy photo from the same camera helps, because cameras bring their own tables.',
    ],
  },
  {
    question: 'Will an out-of-focus photo become sharp?',
    answer: [
      'No. We repair files. If a photo looks blurred because its file is damaged, the detail comes back; what the lens did not see was never in the file.',
    ],
  },
  {
    question: 'How long are my photos kept?',
    answer: [
      `A repaired photo can be downloaded for ${FREE_KEEP_HOURS} hours on the Free plan and for ${PREMIUM_KEEP_HOURS} hours on Premium. Then it is deleted by itself.`,
      'Only your account can reach it, and the repair is done by a program.',
    ],
  },
  {
    question: 'What if the repair is not complete, and can I get a refund?',
    answer: [
      'You can request a free manual repair: one of our engineers looks at the file and writes to you.',
      'No, this service is non-refundable. The preview comes first, so that you see what you would be paying for.',
    ],
  },
]
