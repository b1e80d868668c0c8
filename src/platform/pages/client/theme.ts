/** The colours that a person chose in the menu of colours or in the palette: kept in a cookie, so the server's next page has them from its first byte. */

const YEAR = 365 * 24 * 60 * 60

/** Shows these colours, and keeps them. */
export function chooseTheme(theme: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = `theme=${theme}; path=/; max-age=${YEAR}; samesite=lax`
  const [mode = 'auto', contrast] = theme.split('-')
  const { dataset } = document.documentElement
  dataset.colorMode = mode
  dataset.lightTheme = contrast ? 'light_high_contrast' : 'light'
  dataset.darkTheme = contrast ? 'dark_high_contrast' : 'dark'
  for (const other of document.querySelectorAll<HTMLElement>('[data-choose-theme]'))
    if (other.dataset.chooseTheme === theme) other.setAttribute('aria-current', 'true')
    else other.removeAttribute('aria-current')
}

document.addEventListener('click', event => {
  const theme = (event.target as Element).closest<HTMLElement>('[data-choose-theme]')?.dataset.chooseTheme
  if (theme === undefined) return
  event.preventDefault()
  chooseTheme(theme)
})
