/** Links in drawings, such as the graph of a pipeline, lead on as others do: Turbo takes the address of a link for a text, which that of a drawn one is not. */
import { visit } from '@hotwired/turbo'

window.addEventListener(
  'click',
  event => {
    const link = event.target instanceof Element ? event.target.closest('svg a[href]') : null
    const href = link?.getAttribute('href')
    // To a place of the same page the script of that page leads.
    if (!href || href.startsWith('#')) return
    event.stopImmediatePropagation()
    // With a key or another button the browser opens a window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    visit(href)
  },
  { capture: true },
)
