/**
 * Reviewing on a diff: comments begin at a line with a button, `c` or (for several lines) Shift; forms of threads are sent without leaving the page;
 * what others write is put where it belongs; `n` and `p` go from one unresolved thread to the next. All of it works without a script too,
 * by pages of their own.
 */
import { announce } from '../../live/announce.ts'
import { showNotice } from '../../live/notices.ts'
import { LineButtons } from './line_buttons.ts'
import { drawPins, formOf, keyOn, openPictures, pointAt } from './pins.ts'
import { buttonBeside, moveToLines, type Place, placeOfFile, placeOfLine, placeThread, tidy } from './places.ts'

/** The page of threads knows by this header that it is asked by this script. */
const HEADER = 'x-review'

class DiffReview extends HTMLElement {
  #known = new Map<string, string>()
  #lines = new LineButtons()
  /** Where a range of lines begins: the line whose button was pressed last. */
  #begun: HTMLButtonElement | undefined
  #leaving: AbortController | undefined
  #fetching: Promise<void> | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    this.#known = indexIn(document)
    this.#show()
    this.addEventListener('click', event => this.#click(event), { signal })
    this.addEventListener('submit', event => void this.#submit(event), { signal, capture: true })
    this.addEventListener('keydown', event => this.#key(event), { signal })
    // Lines that were left out, and files that were too large, come later.
    const observer = new MutationObserver(changes => this.#came(changes))
    observer.observe(this, { childList: true, subtree: true })
    signal.addEventListener('abort', () => observer.disconnect())
    for (const type of ['pointerover', 'focusin'])
      this.addEventListener(type, event => void this.#lines.at(event.target as Element), { signal })
    this.#lines.watch(this)
    signal.addEventListener('abort', () => this.#lines.stop())
    document.addEventListener('live:fresh', event => this.#take((event as CustomEvent<Document>).detail), { signal })
    this.#goToHash()
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
  }

  /** Shows what needs a script. */
  #show(): void {
    for (const hidden of this.querySelectorAll('.jump[hidden]')) hidden.removeAttribute('hidden')
    openPictures(this)
    drawPins(this)
  }

  /** A thread that is folded away opens when the address names it. */
  #goToHash(): void {
    const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
    const thread = named?.closest<HTMLElement>('.diff-thread')
    if (!thread) return
    unfold(thread)
    named?.scrollIntoView({ block: 'center' })
  }

  /** Lines have come: threads that wait for them go there, and comments can begin at them. */
  #came(changes: readonly MutationRecord[]): void {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(node => node instanceof Element)
    const lines = added.filter(({ tagName }) => /^(TABLE|TBODY|TURBO-FRAME)$/.test(tagName))
    const files = new Set([...lines.map(part => part.closest('.diff-file')), ...added.filter(part => part.querySelector('.diff-file'))])
    if (files.size > 0) this.#show()
    for (const file of files) {
      if (!file) continue
      this.#lines.watch(file)
      moveToLines(file)
    }
  }

  #click(event: MouseEvent): void {
    const target = event.target as Element
    const button = target.closest<HTMLButtonElement>('.add-comment, .comment-on-file button')
    const jump = target.closest<HTMLElement>('[data-jump]')
    const picture = target.closest('.pin') ? null : target.closest<HTMLElement>('.picture[role]')
    const pin = target.closest<SVGAElement>('a.pin')
    if (picture) this.#beginAt(picture, pointAt(picture, event))
    else if (pin) {
      event.preventDefault()
      goTo(document.getElementById(pin.getAttribute('href')?.slice(1) ?? ''))
    } else if (button) {
      event.preventDefault()
      this.#begin(button, event.shiftKey)
    } else if (target.closest('[data-close-comment]')) closeForm(target)
    else if (jump) this.#jump(Number(jump.dataset.jump))
  }

  /** Opens the form of a comment at a line, or at the top of a file. */
  #begin(button: HTMLButtonElement, isRange: boolean): void {
    const form = button.form ?? formOf(button)
    if (!form) return
    const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
    const isLine = button.classList.contains('add-comment')
    const first = this.#begun
    if (isLine) {
      query.set('line', button.value)
      if (isRange && first && formOf(first) === form && first !== button) {
        // The form belongs to the last of the lines, whichever was chosen first.
        const isBelow = (first.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
        query.set('first', isBelow ? first.value : button.value)
        if (!isBelow) {
          query.set('line', first.value)
          this.#open(first, query, form)
          return
        }
      }
      this.#begun = button
    }
    this.#open(button, query, form)
  }

  #open(button: HTMLButtonElement, query: URLSearchParams, form: HTMLFormElement): void {
    const place = button.classList.contains('add-comment') ? placeOfLine(button) : placeOfFile(form)
    const id = `comment-${place?.name}`
    if (!place) return
    const open = document.getElementById(id)
    if (open && !query.has('first')) {
      open.querySelector('textarea')?.focus()
      return
    }
    open?.remove()
    this.#load(place, id, query, form)
  }

  /** Opens the form of a comment at a place on a picture, or moves the one that is open. */
  #beginAt(picture: HTMLElement, point: string | undefined): void {
    const form = formOf(picture)
    const place = form && placeOfFile(form)
    if (!form || !place || point === undefined) return
    const id = `comment-${place.name}-${picture.dataset.side}`
    const open = document.getElementById(id)
    if (open) {
      open.dataset.pin = point
      const field = open.querySelector<HTMLInputElement>('input[name=point]')
      if (field) field.value = point
      open.querySelector('textarea')?.focus()
    } else {
      const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
      query.set('point', point)
      this.#load(place, id, query, form).dataset.pin = point
    }
    drawPins(this)
  }

  #load({ container }: Place, id: string, query: URLSearchParams, form: HTMLFormElement): HTMLElement {
    const frame = document.createElement('turbo-frame')
    frame.id = id
    frame.className = 'comment-form'
    frame.setAttribute('src', `${form.getAttribute('action')}?${query}`)
    frame.textContent = 'Loading'
    container.append(frame)
    return frame
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement
    if (target.matches('.picture[role]')) {
      const { isTaken, point } = keyOn(target, event)
      if (isTaken) event.preventDefault()
      if (point !== undefined) this.#beginAt(target, point)
      return
    }
    if (event.key === 'Escape' && target.closest('turbo-frame.comment-form')) {
      // What is typed is kept as a draft by the editor.
      closeForm(target)
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, textarea, select')) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const button = event.key === 'c' ? this.#lines.at(target) : undefined
    if (button) button.click()
    else if (by !== 0 && target.matches('.add-comment')) buttonBeside(target, by)?.focus()
    else return
    event.preventDefault()
  }

  /** Goes to the next unresolved thread: of those on the page, in the order in which they stand there, else to the page of the next. */
  #jump(by: number): void {
    const links = [...this.querySelectorAll<HTMLAnchorElement>('[data-thread]')].sort(byPlace)
    const shown = links.map(threadOf)
    const here = document.activeElement?.closest('.diff-thread')
    const at = shown.indexOf((here as HTMLElement | null) ?? null)
    const order = here && at >= 0 ? at : by > 0 ? -1 : links.length
    const next = (((order + by) % links.length) + links.length) % links.length
    const thread = shown[next]
    if (!thread) {
      links[next]?.click()
      return
    }
    goTo(thread)
    announce(`${next + 1} of ${links.length} unresolved`)
  }

  /** Sends forms of threads, and takes what the answer shows. */
  async #submit(event: SubmitEvent): Promise<void> {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.method !== 'post') return
    const frame = form.closest('turbo-frame')
    if (!form.closest('.diff-thread, .comment-form, .review-bar')) return
    event.preventDefault()
    event.stopPropagation()
    const { turboConfirm } = form.dataset
    if (turboConfirm !== undefined && !window.confirm(turboConfirm)) return
    const { submitter } = event
    const body = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>)
    submitter?.setAttribute('disabled', '')
    try {
      // What the answer says is shown here: left to the next page, it would be about something else.
      const headers = { [HEADER]: '1', 'x-shown': '1', accept: 'text/html', ...(frame && { 'turbo-frame': frame.id }) }
      const response = await fetch(form.action, { method: 'POST', headers, body })
      const answer = parsed(await response.text())
      if (response.redirected && response.ok) this.#sent(form, frame, response, answer)
      else refuse(form, frame, answer)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      refuse(form, null, document)
    } finally {
      submitter?.removeAttribute('disabled')
    }
  }

  #sent(form: HTMLFormElement, frame: Element | null, response: Response, answer: Document): void {
    const location = new URL(response.url)
    // An ended session leads to the sign-in page: nothing was sent, and the text stays.
    if (location.pathname === '/users/sign_in') {
      window.location.assign(location)
      return
    }
    form.dispatchEvent(new CustomEvent('turbo:submit-end', { bubbles: true, detail: { success: true, fetchResponse: { location } } }))
    if (frame?.classList.contains('comment-form')) closeForm(form)
    else if (frame) {
      // Loaded frames stay as they are when a part changes; this one is done.
      const fresh = answer.getElementById(frame.id)
      if (fresh) frame.replaceWith(document.importNode(fresh, true))
    }
    document.dispatchEvent(new CustomEvent('live:take', { detail: answer }))
    showNotice(answer)
  }

  /** Takes what a fresh page shows: threads that it has go to their places, others that have changed are asked for. */
  #take(fresh: Document): void {
    const index = indexIn(fresh)
    if (!fresh.querySelector('[data-index]')) return
    const has = (id: string) => fresh.getElementById(id)?.classList.contains('diff-thread') === true
    const changed = [...index].filter(([id, stamp]) => this.#known.get(id) !== stamp).map(([id]) => id)
    for (const id of changed.filter(has)) {
      placeThread(fresh.getElementById(id) as HTMLElement)
      this.#known.set(id, index.get(id) as string)
    }
    for (const id of this.#known.keys()) {
      if (index.has(id)) continue
      this.#known.delete(id)
      removeThread(id)
    }
    this.#show()
    const missing = changed.filter(id => !has(id))
    if (missing.length > 0) void this.#fetch(missing)
  }

  async #fetch(ids: readonly string[]): Promise<void> {
    await this.#fetching
    const address = `${this.dataset.threads}?${new URLSearchParams({ only: ids.slice(0, 50).join(',') })}`
    this.#fetching = fetch(address, { headers: { [HEADER]: '1', accept: 'text/html', 'x-live-refresh': '1' } }).then(
      async response => {
        if (response.ok && !response.redirected)
          document.dispatchEvent(new CustomEvent('live:take', { detail: parsed(await response.text()) }))
      },
      // Without a connection the stream fails too, and comes back.
      () => undefined,
    )
    await this.#fetching
  }
}

const threadOf = (link: HTMLAnchorElement): HTMLElement | null => document.getElementById(link.dataset.thread ?? '')

/** Threads by where they stand on the page; those that are not on it come last. */
function byPlace(one: HTMLAnchorElement, other: HTMLAnchorElement): number {
  const [first, second] = [threadOf(one), threadOf(other)]
  if (!first || !second) return Number(!first) - Number(!second)
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
}

function goTo(thread: HTMLElement | null): void {
  if (!thread) return
  unfold(thread)
  if (thread.matches('turbo-frame')) thread.querySelector('textarea')?.focus()
  else thread.focus()
  thread.scrollIntoView({ block: 'center' })
}

/** Opens what a thread is folded away in, and the thread itself. */
function unfold(thread: Element): void {
  const own = thread.querySelector('details')
  if (own?.parentElement === thread) own.open = true
  for (let around = thread.closest('details'); around; around = around.parentElement?.closest('details') ?? null) around.open = true
}

const parsed = (text: string): Document => new DOMParser().parseFromString(text, 'text/html')

/** What the index of a page says: the stamp of each thread by its element. */
function indexIn(page: Document): Map<string, string> {
  const text = page.querySelector<HTMLElement>('[data-index]')?.dataset.index ?? ''
  return new Map(text === '' ? [] : text.split(' ').map(entry => entry.split(':', 2) as [string, string]))
}

/** Shows why a form was refused: in its place, or above it. */
function refuse(form: HTMLFormElement, frame: Element | null, answer: Document): void {
  const fresh = frame && answer.getElementById(frame.id)
  if (frame && fresh) {
    frame.replaceChildren(...document.importNode(fresh, true).childNodes)
    frame.querySelector<HTMLElement>('[aria-invalid], [role=alert]')?.focus()
    return
  }
  const said = answer === document ? null : answer.querySelector('main [role=alert], main .notice')
  const alert = document.createElement('p')
  alert.className = 'notice danger'
  alert.setAttribute('role', 'alert')
  alert.textContent = said?.textContent?.trim() || 'This did not work. Please try again.'
  form.previousElementSibling?.matches('.notice.danger[role=alert]') && form.previousElementSibling.remove()
  form.before(alert)
}

/** Closes the form of a comment; the row goes with it where nothing else is in it. */
function closeForm(inside: Element): void {
  const frame = inside.closest('turbo-frame.comment-form')
  const container = frame?.parentElement
  const line = container?.closest('tr')?.previousElementSibling
  const review = frame?.closest('diff-review')
  frame?.remove()
  tidy(container)
  if (review) drawPins(review)
  line?.querySelector<HTMLElement>('.add-comment')?.focus()
}

function removeThread(id: string): void {
  const thread = document.getElementById(id)
  const container = thread?.parentElement
  const isTyping = [...(thread?.querySelectorAll('textarea') ?? [])].some(field => field.value !== field.defaultValue)
  if (isTyping) return
  thread?.remove()
  tidy(container)
}

customElements.define('diff-review', DiffReview)
