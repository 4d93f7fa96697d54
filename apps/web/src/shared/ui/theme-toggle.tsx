import { chooseTheme, currentTheme } from '../lib/theme.ts'

/** Turns the page from light to dark and back. Both icons are there; the style sheet shows the one that fits. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      aria-label="Switch between light and dark"
      title="Switch between light and dark"
      onClick={() => chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark')}
      className="grid size-11 place-items-center rounded-sm text-ink-soft hover:bg-biscuit hover:text-ink"
    >
      <svg
        aria-hidden="true"
        width="20"
        height="20"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path className="only-light" d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z" />
        <path
          className="only-dark"
          d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4"
        />
      </svg>
    </button>
  )
}
