/** Shows the part of a page that a form leads to: what was saved, or what is wrong. Turbo begins at the top where the answer is a redirect. */
import { navigator } from '@hotwired/turbo'

/** Is a person in a field already, where no attribute has placed them? They may be writing. */
const isInField = (): boolean => document.activeElement?.matches('input:not([autofocus]), select, textarea, [contenteditable]') === true

function arrive(): void {
  const part = document.querySelector<HTMLElement>('[data-arrive]')
  if (!part) return
  part.removeAttribute('data-arrive')
  if (isInField()) return
  const field = part.querySelector<HTMLElement>('[aria-invalid="true"]') ?? part
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}

interface SubmitEnd {
  readonly success?: boolean
  readonly formSubmission: { readonly isSafe: boolean }
  readonly fetchResponse?: { readonly location: URL }
}

/** Turbo shows what is refused without its address. A search has one, by which it is kept and corrected. */
document.addEventListener('turbo:submit-end', event => {
  const { success, formSubmission, fetchResponse } = (event as CustomEvent<SubmitEnd>).detail
  const form = event.target as HTMLFormElement
  const isOfFrame = form.dataset.turboFrame !== undefined || form.closest('turbo-frame') !== null
  if (success || !formSubmission.isSafe || isOfFrame || !fetchResponse) return
  if (fetchResponse.location.href !== location.href) navigator.history.push(fetchResponse.location)
})

// A refused form is rendered without a visit; afterwards Turbo scrolls to the top.
document.addEventListener('turbo:render', () => requestAnimationFrame(arrive))
document.addEventListener('turbo:load', () => requestAnimationFrame(arrive))
