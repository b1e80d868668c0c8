/** Says, for a moment, that something was copied; screen readers hear it too. */

import { announce } from '../live/announce.ts'

const MILLISECONDS = 2_000

document.addEventListener('clipboard-copy', event => {
  const button = event.target as HTMLElement
  const before = button.getAttribute('aria-label') ?? ''
  button.setAttribute('aria-label', 'Copied')
  button.classList.add('copied-hint')
  announce('Copied')
  setTimeout(() => {
    button.setAttribute('aria-label', before)
    button.classList.remove('copied-hint')
  }, MILLISECONDS)
})
