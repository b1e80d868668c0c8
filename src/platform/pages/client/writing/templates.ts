/**
 * Templates of a description: a link to one (`data-templates`) leads to the form with its text. Here the text is fetched from there and put into the
 * form as it is, so that what was typed in its other fields stays.
 */
import { announce } from '../live/announce.ts'
import { LatestAnswer } from '../live/latest_answer.ts'

const answer = new LatestAnswer()

const fieldIn = (page: Document): HTMLTextAreaElement | null => page.querySelector('textarea[name=description]')

/** Is something in the description that the person has typed, or taken from another template and changed? */
const isTyped = (field: HTMLTextAreaElement): boolean => field.value !== field.defaultValue && field.value.trim() !== ''

async function take(link: HTMLAnchorElement, field: HTMLTextAreaElement): Promise<void> {
  const text = await answer.ask(link.href, '')
  if (text === undefined) return
  const found = fieldIn(new DOMParser().parseFromString(text, 'text/html'))
  if (!found) {
    // Not the form any more: the session has ended, say. The page itself says so.
    location.assign(link.href)
    return
  }
  if (
    isTyped(field) &&
    field.value !== found.value &&
    !confirm('The template takes the place of the description that you have written. Use it?')
  )
    return
  field.value = found.value
  // The next template may take its place without a question.
  field.defaultValue = found.value
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
  announce(`The description is that of the template ${link.textContent}`)
}

document.addEventListener('click', event => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[data-templates] a')
  const field = fieldIn(document)
  if (!link || !field || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
  event.preventDefault()
  void take(link, field)
})
