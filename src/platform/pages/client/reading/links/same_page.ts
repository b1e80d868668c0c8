/**
 * A link to a place of the page that is shown leads there by the browser itself. Turbo 8.0.23 means to leave such links alone and asks for the whole page:
 * it looks for `#` at the beginning of the resolved address. That would take away what was typed, opened and loaded meanwhile.
 */
window.addEventListener(
  'turbo:click',
  event => {
    const { url } = (event as CustomEvent<{ readonly url: string }>).detail
    const to = new URL(url)
    if (to.hash === '' || to.pathname !== location.pathname || to.search !== location.search || to.origin !== location.origin) return
    // Frames listen too, and would load the address.
    event.stopImmediatePropagation()
    event.preventDefault()
  },
  { capture: true },
)

export {}
