import { brand } from '../../shared/brand/brand.ts'
import type { PageDescription } from '../../shared/lib/page-meta.ts'

/** How the page is announced to search engines and messengers. */
export const PAGE: PageDescription = {
  title: `Free Online Video Repair: mend MP4, MOV, AVI | ${brand.name}`,
  description:
    'Repair corrupt or unplayable MP4, MOV, AVI and other videos online. See a preview and a frame-by-frame report before you pay.',
  keywords: [
    'video repair',
    'repair corrupt video',
    'fix mp4',
    'repair mov',
    'repair avi',
    'unplayable video',
    'online video repair',
  ],
  path: '/',
  picture: '/share/video.jpg',
  pictureText: 'A frame of film that was broken and has been joined with seams of gold.',
}
