import { brand } from '../../shared/brand/brand.ts'
import type { PageDescription } from '../../shared/lib/page-meta.ts'

/** How the page is announced to search engines and messengers. */
export const PAGE: PageDescription = {
  title: `Free Online Photo Repair: mend JPEG, HEIC, raw | ${brand.name}`,
  description:
    'Repair blurry, grey or corrupt photos online: JPEG for free, HEIC, AVIF, PNG, WebP, TIFF and camera raw with Premium. Compare before and after, then save.',
  keywords: [
    'photo repair',
    'repair corrupt photo',
    'repair jpeg',
    'fix grey photo',
    'repair heic',
    'repair raw photo',
    'online photo repair',
  ],
  path: '/photo/',
  picture: '/share/photo.jpg',
  pictureText: 'A torn photograph that has been joined with seams of gold.',
}
