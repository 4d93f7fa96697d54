export type Theme = 'light' | 'dark'

const KEY = 'theme'

/**
 * Sets the remembered theme before the first paint; inlined in the page's head. It has no character that needs
 * escaping in HTML.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem(\`${KEY}\`);if(/^(light|dark)$/.test(t))document.documentElement.dataset.theme=t}catch{}`

/** The theme on screen: the chosen one, otherwise the system's. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Switches the page to a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
