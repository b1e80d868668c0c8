/** The colours that a person chose in the avatar menu: kept in a cookie, so the server's next page has them from its first byte. */

const YEAR = 365 * 24 * 60 * 60

document.addEventListener('click', event => {
  const choice = (event.target as Element).closest<HTMLElement>('[data-choose-theme]')
  const theme = choice?.dataset.chooseTheme
  if (!choice || theme === undefined) return
  event.preventDefault()
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = `theme=${theme}; path=/; max-age=${YEAR}; samesite=lax`
  const [mode = 'auto', contrast] = theme.split('-')
  const { dataset } = document.documentElement
  dataset.colorMode = mode
  dataset.lightTheme = contrast ? 'light_high_contrast' : 'light'
  dataset.darkTheme = contrast ? 'dark_high_contrast' : 'dark'
  for (const other of document.querySelectorAll('[data-choose-theme]')) other.removeAttribute('aria-current')
  choice.setAttribute('aria-current', 'true')
})

export {}
