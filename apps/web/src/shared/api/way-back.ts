let place: string | undefined

/** Remembers where the work of this page can be taken up again, a path of this site; `undefined` when it has none. */
export function setWayBack(path: string | undefined): void {
  place = path
}

/** Where a visitor who has to log in again goes on: with the work of this page, or else at its address. */
export function wayBack(): string {
  return place ?? window.location.pathname + window.location.search
}
