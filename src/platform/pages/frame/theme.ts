/** The colours of pages: what the system says, unless the person chose otherwise (a cookie, written by `client/theme.ts` or by the preferences). */
import { type Html, html } from '../html.ts'

/** `auto` follows the system; `-contrast` takes the variant with strong contrast. */
export const themes = ['auto', 'light', 'dark', 'auto-contrast', 'light-contrast', 'dark-contrast'] as const
export type Theme = (typeof themes)[number]

export const THEME_COOKIE = 'theme'

/** How each is called. */
export const themeNames: Readonly<Record<Theme, string>> = {
  auto: 'Like the system',
  light: 'Light',
  dark: 'Dark',
  'auto-contrast': 'High contrast, like the system',
  'light-contrast': 'High contrast, light',
  'dark-contrast': 'High contrast, dark',
}

/** The theme that a `Cookie` header asks for. */
export function themeOf(cookies: string | undefined): Theme {
  const [, value] = /(?:^|;\s*)theme=([a-z-]+)/.exec(cookies ?? '') ?? []
  return themes.find(theme => theme === value) ?? 'auto'
}

/** The attributes of `<html>` that the style sheet reads. */
export function themeAttributes(theme: Theme): Html {
  const [mode = 'auto', contrast] = theme.split('-')
  const variant = contrast ? '_high_contrast' : ''
  return html`data-color-mode="${mode}" data-light-theme="light${variant}" data-dark-theme="dark${variant}"`
}
