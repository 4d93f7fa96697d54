import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { brandUrl } from '../../src/shared/brand/brand.ts'
import { hostOf } from '../../src/shared/config/hosts.ts'
import {
  formatMegabytes,
  formatSpeed,
  formatTimecode,
  formatTimeLeft,
  formatUntil,
  plural,
} from '../../src/shared/lib/format.ts'
import { initialsOf } from '../../src/shared/lib/initials.ts'
import { ChunkLoadError, loadChunk } from '../../src/shared/lib/lazy-with-timeout.ts'
import { desktopUrl, isMac } from '../../src/shared/lib/platform.ts'
import { hasStarted, mayStart } from '../../src/shared/lib/starts.ts'
import { connectToasts, type Notice, notify } from '../../src/shared/notify/notify.ts'
import { OptionalPart } from '../../src/shared/ui/optional-part.tsx'

describe('figures', () => {
  it('show sizes in MB cut to two decimals, never rounded up', () => {
    expect(formatMegabytes(88_211_200)).toBe('84.12 MB')
    expect(formatMegabytes(104_857_599)).toBe('99.99 MB')
    expect(formatMegabytes(5_368_709_120)).toBe('5,120.00 MB')
  })

  it('show speeds and times as people say them', () => {
    expect(formatSpeed(3.44 * 2 ** 20)).toBe('3.4 MB/s')
    expect(formatSpeed(200 * 1024)).toBe('200 KB/s')
    expect(formatTimeLeft(0.4)).toBe('almost done')
    expect(formatTimeLeft(34.2)).toBe('35 s left')
    expect(formatTimeLeft(245)).toBe('about 4 min left')
    expect(formatTimeLeft(3600 * 2 + 60 * 59.7)).toBe('about 3 h left')
    expect(formatTimeLeft(Number.POSITIVE_INFINITY)).toBe('working out the time left')
    expect(formatUntil(7_500_000)).toBe('2 h 5 min')
    expect(formatUntil(-5)).toBe('0 min')
  })

  it('show places in a recording', () => {
    expect(formatTimecode(31.9)).toBe('0:31')
    expect(formatTimecode(3725)).toBe('1:02:05')
    expect(formatTimecode(31.26, true)).toBe('0:31.2')
    expect(formatTimecode(59.99, true)).toBe('0:59.9')
    expect(plural(1, 'frame')).toBe('1 frame')
    expect(plural(1812, 'frame')).toBe('1,812 frames')
  })
})

describe('the desktop link', () => {
  it('goes to the Mac page for a user agent with mac in it, otherwise to Windows', () => {
    expect(isMac('Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)')).toBe(true)
    expect(isMac('Mozilla/5.0 (X11; Linux x86_64)')).toBe(false)
    expect(desktopUrl('iMac')).toContain('/desktop/mac')
    expect(desktopUrl('Android')).toContain('/desktop/windows')
  })

  it('leaves whole addresses of the brand file as they are', () => {
    expect(brandUrl('https://elsewhere.example/x')).toBe('https://elsewhere.example/x')
    expect(brandUrl('/blog')).toMatch(/^https:\/\/.+\/blog$/)
  })
})

describe('the initials of a user', () => {
  it('come from the name, else from the email', () => {
    expect(initialsOf('Mira Anne Lund', 'x@y.z')).toBe('ML')
    expect(initialsOf('Mira', 'x@y.z')).toBe('M')
    expect(initialsOf('  ', 'x@y.z')).toBe('X')
    expect(initialsOf('', '')).toBe('?')
    expect(initialsOf('李 小龙', '')).toBe('李小')
  })
})

describe('the parts of the service', () => {
  const hosts = { video: 'v', photo: 'p', main: 'm', upload: 'u', repair: 'r' }
  it('answer the paths the specification gives them', () => {
    const of = (path: string) => hostOf(path, hosts)
    expect(['/api/login', '/api/appleauth'].map(of)).toEqual(['v', 'v'])
    expect(['/api/photologin', '/api/photoupload'].map(of)).toEqual(['p', 'p'])
    expect(['/api/user', '/api/purchases', '/api/logout'].map(of)).toEqual(['m', 'm', 'm'])
    expect(['/api/upload', '/api/upload/parts/sign', '/api/video-metadata'].map(of)).toEqual(['u', 'u', 'u'])
    expect(['/api/repair', '/api/repairstatus', '/api/progress/events', '/api/download'].map(of)).toEqual(
      Array(4).fill('r'),
    )
  })
})

describe('a part of the page that does not arrive', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('counts as failed after 120 seconds', async () => {
    vi.useFakeTimers()
    const loading = loadChunk('repair', () => new Promise<never>(() => undefined))
    const failed = expect(loading).rejects.toThrow('Loading chunk repair failed.')
    await vi.advanceTimersByTimeAsync(119_999)
    await vi.advanceTimersByTimeAsync(1)
    await failed
  })

  it('says which part it was when the network refuses it', async () => {
    const loading = loadChunk('dialogs', async () => {
      throw new TypeError('Failed to fetch')
    })
    await expect(loading).rejects.toThrow(ChunkLoadError)
  })

  it('is said to be missing where the page can do without it, and is no fault of the page', () => {
    const part = new OptionalPart({ children: 'a toast' })
    expect(part.render()).toBe('a toast')
    part.state = OptionalPart.getDerivedStateFromError(new ChunkLoadError('Loading chunk toasts failed.'))
    expect(renderToStaticMarkup(part.render())).toMatch(
      /role="alert".*Loading chunk toasts failed\. What you do/,
    )
    part.state = OptionalPart.getDerivedStateFromError(new TypeError('a fault'))
    expect(() => part.render()).toThrow('a fault')
  })

  it('is handed on when it arrives in time', async () => {
    expect(await loadChunk('x', async () => 7)).toBe(7)
  })
})

describe('a page whose script is refused again and again', () => {
  afterEach(() => vi.unstubAllGlobals())
  const store = () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
  }
  const starts = (count: number) => Array.from({ length: count }, mayStart)

  it('begins four times, then says so, and has as many when it is loaded again', () => {
    store()
    expect(starts(6)).toEqual([true, true, true, true, false, true])
  })

  it('has all of them again once it is there', () => {
    store()
    starts(3)
    hasStarted()
    expect(starts(4)).toEqual([true, true, true, true])
  })

  it('begins where nothing can be counted', () => {
    vi.stubGlobal('sessionStorage', undefined)
    expect(starts(6)).not.toContain(false)
    hasStarted()
  })
})

describe('toasts', () => {
  it('that came before the container are shown when it is there', () => {
    notify('error', 'Upload failed!')
    notify('info', 'text', 'title')
    const shown: Notice[] = []
    const disconnect = connectToasts((notice) => shown.push(notice))
    notify('success', 'done')
    disconnect()
    expect(shown).toEqual([
      { kind: 'error', text: 'Upload failed!' },
      { kind: 'info', text: 'text', title: 'title' },
      { kind: 'success', text: 'done' },
    ])
  })
})
