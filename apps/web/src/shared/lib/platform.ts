import { brand, brandUrl } from '../brand/brand.ts'

/** Whether a user agent containing 'mac' (in any case) asks for the Mac page of the desktop software. */
export function isMac(userAgent: string): boolean {
  return userAgent.toLowerCase().includes('mac')
}

/** Address of the desktop software for a user agent: the Mac page, otherwise Windows. */
export function desktopUrl(userAgent: string): string {
  return brandUrl(isMac(userAgent) ? brand.desktop.mac : brand.desktop.windows)
}
