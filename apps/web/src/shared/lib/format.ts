const MEBIBYTE = 2 ** 20

/** `812`, `1,204`: a count with thousands separated. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

/** `84.21 MB` of a size in bytes, cut to two decimals as everywhere in the product. */
export function formatMegabytes(bytes: number): string {
  const shown = Math.floor((bytes / MEBIBYTE) * 100) / 100
  return `${shown.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} MB`
}

/** `3.4 MB/s` of bytes a second. */
export function formatSpeed(bytesPerSecond: number): string {
  const megabytes = bytesPerSecond / MEBIBYTE
  if (megabytes >= 100) return `${Math.round(megabytes)} MB/s`
  if (megabytes >= 1) return `${megabytes.toFixed(1)} MB/s`
  return `${Math.max(1, Math.round(bytesPerSecond / 1024))} KB/s`
}

/** `about 4 min left`, for seconds from now; exact seconds only near the end. */
export function formatTimeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'working out the time left'
  if (seconds < 1) return 'almost done'
  if (seconds < 60) return `${Math.ceil(seconds)} s left`
  if (seconds < 3600) return `about ${Math.round(seconds / 60)} min left`
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.round((seconds % 3600) / 60)
  return minutes === 0 || minutes === 60
    ? `about ${hours + (minutes === 60 ? 1 : 0)} h left`
    : `about ${hours} h ${minutes} min left`
}

/** `0:31`, `1:02:05`: a place in a recording, from seconds. Tenths where the recording is short. */
export function formatTimecode(seconds: number, tenths = false): string {
  const total = Math.max(0, tenths ? Math.floor(seconds * 10) / 10 : Math.floor(seconds))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  const rest = total % 60
  const text = tenths ? rest.toFixed(1).padStart(4, '0') : String(rest).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${text}` : `${minutes}:${text}`
}

/** `1 frame`, `812 frames`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `45 min`, `2 h 5 min`: how long until something happens; never negative. */
export function formatUntil(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}
