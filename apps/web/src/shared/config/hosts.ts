/**
 * Base addresses of the service's parts. One origin by default; each can be split off at build time
 * (`VITE_VIDEO_HOST=https://video.example.com` and so on). The paths never change.
 */
export interface Hosts {
  /** Sign-in of the video flavour. */
  readonly video: string
  /** Sign-in and flow of the photo flavour. */
  readonly photo: string
  /** Account data. */
  readonly main: string
  /** Uploads. */
  readonly upload: string
  /** Repairs, their progress and their results. */
  readonly repair: string
}

const env = import.meta.env ?? {}

export const hosts: Hosts = {
  video: env.VITE_VIDEO_HOST ?? '',
  photo: env.VITE_PHOTO_HOST ?? '',
  main: env.VITE_MAIN_HOST ?? '',
  upload: env.VITE_UPLOAD_HOST ?? '',
  repair: env.VITE_REPAIR_HOST ?? '',
}

const VIDEO = ['/api/login', '/api/signup', '/api/googleauth', '/api/appleauth']
const UPLOAD = [
  '/api/upload',
  '/api/uploadcheck',
  '/api/filesize',
  '/api/video-metadata',
  '/api/sampleupload',
]
const REPAIR = [
  '/api/repair',
  '/api/checkprogress',
  '/api/download',
  '/api/report',
  '/api/progress',
  '/api/getUserByUniqueId',
]

/** The part of the service that answers a path. */
export function hostOf(path: string, all: Hosts = hosts): string {
  const isUnder = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  if (path.startsWith('/api/photo')) return all.photo
  if (VIDEO.includes(path)) return all.video
  if (UPLOAD.some(isUnder)) return all.upload
  if (REPAIR.some(isUnder) || path.startsWith('/api/repair')) return all.repair
  return all.main
}

/** An address of a reply of the main host, which may be relative to it. */
export function addressOfMainHost(address: string): string {
  return new URL(address, new URL(hosts.main || '/', window.location.href)).href
}
