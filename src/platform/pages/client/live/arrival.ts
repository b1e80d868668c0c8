/** Shows the part of a page that a form leads to: what was saved, or what is wrong. Turbo begins at the top where the answer is a redirect. */

function arrive(): void {
  const part = document.querySelector<HTMLElement>('[data-arrive]')
  if (!part) return
  part.removeAttribute('data-arrive')
  const field = part.querySelector<HTMLElement>('[aria-invalid="true"]') ?? part
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}

// A refused form is rendered without a visit; afterwards Turbo scrolls to the top.
document.addEventListener('turbo:render', () => requestAnimationFrame(arrive))
document.addEventListener('turbo:load', () => requestAnimationFrame(arrive))
