/** Text fields whose suggestions come from the server: fetched for what was typed, from a page that has the same field. */

import { LatestAnswer } from '../live/latest_answer.ts'

const DELAY_MS = 150

let timer = 0
const answer = new LatestAnswer()

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.suggestedFrom === undefined) return
  clearTimeout(timer)
  const isChosen = [...(target.list?.options ?? [])].some(({ value }) => value === target.value)
  if (!isChosen && target.value.trim() !== '') timer = window.setTimeout(() => void suggest(target), DELAY_MS)
})

async function suggest(field: HTMLInputElement): Promise<void> {
  const { list, value } = field
  if (!list) return
  const address = new URL(field.dataset.suggestedFrom ?? '', location.href)
  address.searchParams.set('search', value)
  // Without an answer nothing is suggested, and the field can be filled in all the same.
  const page = await answer.ask(address)
  if (page === undefined || field.value !== value) return
  const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById(list.id)
  if (fresh) list.replaceChildren(...document.importNode(fresh, true).children)
}
