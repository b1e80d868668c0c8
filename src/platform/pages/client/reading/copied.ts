/** Says, for a moment, that something was copied; screen readers hear it too. A block of code is copied as it stands. */

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

/** The button beside a block of code has its text only when it is pressed. */
for (const event of ['click', 'keydown'])
  document.addEventListener(
    event,
    ({ target }) => {
      const button = (target as Element).closest('.sample-code > clipboard-copy')
      const code = button?.previousElementSibling?.textContent
      if (button && code != null) button.setAttribute('value', code)
    },
    { capture: true },
  )
