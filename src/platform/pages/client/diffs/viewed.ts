/** Sets the mark of a file that was viewed, or takes it away, without leaving the place. */
import { announce } from '../live/announce.ts'

export async function markViewed(viewer: HTMLElement, form: HTMLFormElement): Promise<void> {
  const field = form.elements.namedItem('viewed') as HTMLInputElement
  const button = form.querySelector('button')
  const isViewed = field.value === 'true'
  const answer = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams([...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)])),
    redirect: 'manual',
  })
  // A redirect is what follows a success; anything else says on its page what is wrong.
  if (answer.type !== 'opaqueredirect') {
    form.submit()
    return
  }
  field.value = String(!isViewed)
  button?.setAttribute('aria-pressed', String(isViewed))
  const file = form.closest<HTMLElement>('[data-file]')
  file?.classList.toggle('viewed', isViewed)
  const body = file?.querySelector<HTMLDetailsElement>(':scope > details')
  if (body) body.open = !isViewed
  // A folded file leaves the reader above the next one.
  if (file && isViewed && file.getBoundingClientRect().top < 0) file.scrollIntoView({ block: 'start' })
  viewer.querySelector(`.file-tree a[href$="#${file?.id}"]`)?.closest('li')?.classList.toggle('viewed', isViewed)
  count(viewer, isViewed ? 1 : -1)
}

function count(viewer: HTMLElement, by: 1 | -1): void {
  const progress = viewer.querySelector<HTMLElement>('.viewed-progress')
  if (!progress) return
  const done = Number(progress.dataset.viewed) + by
  progress.dataset.viewed = String(done)
  const bar = progress.querySelector('progress')
  if (bar) bar.value = done
  const text = `${done} of ${progress.dataset.of} viewed`
  const words = progress.querySelector('span')
  if (words) words.textContent = text
  announce(text)
}
