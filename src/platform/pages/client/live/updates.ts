/**
 * Changes arrive while one looks. The element listens to the stream of its page: Turbo streams are carried out, and what has changed is fetched
 * again with the page, whose marked parts (`data-live`) then become what they would be after a reload. Windows that nobody sees do not
 * listen: a browser has few connections, and what they missed arrives when they are seen again.
 */
import { type FrameElement, morphElements } from '@hotwired/turbo'
import { announce } from './announce.ts'
import { isPressed, released } from './pressed.ts'

/** Milliseconds after which a hidden window stops listening. */
const HIDDEN = 10_000

/** Milliseconds after which a refused stream is asked for again. */
const PATIENCE = 60_000

/** Milliseconds after which a page that could not be had for a moment is asked for again: the first time, and at most. */
const FIRST_PAUSE = 2_000
const LONGEST_PAUSE = 60_000

/** Is something of the page being moved? It then stays as it is until the move is done (`sorting/sortable_list.ts`). */
const isMoving = (): boolean => document.querySelector('[data-moving]') !== null

const isHeld = (): boolean => isMoving() || isPressed()

/** Moves, forms and frames that were answered: a page that was fetched before does not know of them, and would take away what they brought. */
let answered = 0
for (const event of ['sortable:end', 'turbo:submit-end', 'turbo:frame-load'])
  document.addEventListener(event, () => {
    answered++
  })

async function letGo(): Promise<void> {
  while (isHeld())
    if (isMoving()) await new Promise(resolve => document.addEventListener('sortable:end', resolve, { once: true }))
    else await released()
}

/**
 * Carries out Turbo streams, which do so when they enter the document. By its own function Turbo gives the focus back to what had it a frame before,
 * also where a person has gone to another field meanwhile.
 */
function carryOut(streams: string): void {
  const template = document.createElement('template')
  template.innerHTML = streams
  document.documentElement.append(template.content)
}

/** Where the page is fetched from again. One that has grown since it was loaded says so itself. */
const refreshAddress = (): string => document.querySelector<HTMLElement>('[data-refresh-from]')?.dataset.refreshFrom ?? window.location.href

class LiveUpdates extends HTMLElement {
  #source: EventSource | undefined
  #last: string | undefined
  #timer: number | undefined
  #changed = new Set<string>()
  #isFetching = false
  #pause = FIRST_PAUSE
  /** Runs while the page is not asked for since it could not be had a moment ago. */
  #again: number | undefined
  readonly #onVisibility = () => this.#follow()
  /** What was moved here is counted here too, without waiting for the stream. */
  readonly #onMoved = ({ target }: Event) => {
    for (const topic of (target as Element).closest<HTMLElement>('[data-live]')?.dataset.live?.split(' ') ?? []) this.#changed.add(topic)
    void this.#refresh()
  }

  connectedCallback(): void {
    // The copy that Turbo shows until the page is there.
    if (document.documentElement.hasAttribute('data-turbo-preview')) return
    this.#last ??= this.dataset.since
    document.addEventListener('visibilitychange', this.#onVisibility)
    document.addEventListener('sortable:moved', this.#onMoved)
    this.#follow()
  }

  disconnectedCallback(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility)
    document.removeEventListener('sortable:moved', this.#onMoved)
    window.clearTimeout(this.#timer)
    window.clearTimeout(this.#again)
    this.#again = undefined
    this.#close()
  }

  #follow(): void {
    window.clearTimeout(this.#timer)
    if (document.visibilityState === 'visible') this.#open()
    else this.#timer = window.setTimeout(() => this.#close(), HIDDEN)
  }

  #open(): void {
    if (this.#source) return
    const query = new URLSearchParams({ on: this.dataset.on ?? '', since: this.#last ?? '' })
    const source = new EventSource(`/-/live?${query}`)
    this.#source = source
    source.addEventListener('change', event => this.#change(event as MessageEvent<string>))
    source.addEventListener('streams', event => {
      this.#note(event as MessageEvent<string>)
      carryOut((event as MessageEvent<string>).data)
    })
    source.addEventListener('error', () => {
      // The browser comes back by itself unless it was refused.
      if (source.readyState !== EventSource.CLOSED) return
      this.#close()
      this.#timer = window.setTimeout(() => this.#follow(), PATIENCE)
    })
  }

  #close(): void {
    this.#source?.close()
    this.#source = undefined
  }

  #note({ lastEventId }: MessageEvent<string>): void {
    if (lastEventId) this.#last = lastEventId
  }

  #change(event: MessageEvent<string>): void {
    this.#note(event)
    this.#changed.add(event.data)
    void this.#refresh()
  }

  /** Fetches the page and takes over the parts that show what has changed. */
  async #refresh(): Promise<void> {
    if (this.#isFetching || this.#again !== undefined) return
    this.#isFetching = true
    try {
      while (this.#changed.size > 0 && this.isConnected) {
        await letGo()
        const topics = this.#changed
        this.#changed = new Set()
        if (partsOf(topics).length === 0) continue
        const [address, before] = [window.location.href, answered]
        const found = await pageAt(refreshAddress())
        // Elsewhere now, or gone: a reload says so.
        if (found === 'gone' || address !== window.location.href) continue
        if ('after' in found || isHeld() || before !== answered) {
          for (const topic of topics) this.#changed.add(topic)
          if ('after' in found) return this.#refreshLater(found)
          continue
        }
        this.#pause = FIRST_PAUSE
        const fresh = new DOMParser().parseFromString(found.text, 'text/html')
        takeFresh(fresh, topics)
        this.#followToo(fresh)
      }
    } finally {
      this.#isFetching = false
    }
  }

  /** The page may show other things now: their changes are listened to from where the stream was. */
  #followToo(fresh: Document): void {
    const on = fresh.querySelector<HTMLElement>('live-updates')?.dataset.on
    if (on === undefined || on === this.dataset.on) return
    this.dataset.on = on
    this.#close()
    this.#follow()
  }

  /** What has changed is kept until then. Each time in a row it is later. */
  #refreshLater({ after }: Unavailable): void {
    const pause = Math.max(after, this.#pause)
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE)
    this.#again = window.setTimeout(() => {
      this.#again = undefined
      void this.#refresh()
    }, pause)
  }
}

/** The page cannot be had for a moment. */
interface Unavailable {
  /** The milliseconds that the server asks to wait. */
  readonly after: number
}

/** The page as it is now; `gone` where it is refused to this person, or has moved elsewhere. */
async function pageAt(address: string): Promise<{ readonly text: string } | 'gone' | Unavailable> {
  try {
    const response = await fetch(address, { headers: { accept: 'text/html', 'x-live-refresh': '1' } })
    if (response.ok && !response.redirected) return { text: await response.text() }
    const isPassing = response.status === 429 || response.status >= 500
    return isPassing ? { after: Number(response.headers.get('retry-after')) * 1000 || 0 } : 'gone'
  } catch (error) {
    // What `fetch` throws without a connection; anything else is a mistake of ours.
    if (error instanceof TypeError) return { after: 0 }
    throw error
  }
}

/** The parts of the page that show one of these topics; without topics all parts. */
const partsOf = (topics?: ReadonlySet<string>): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-live][id]')].filter(
    part => !topics || part.dataset.live?.split(' ').some(topic => topics.has(topic)),
  )

/** Frames that were loaded and show one of these topics (`data-follows`): each fetches its own address again. */
function reloadFrames(topics: ReadonlySet<string>): void {
  for (const frame of document.querySelectorAll<FrameElement>('turbo-frame[data-follows][complete]:not([busy])'))
    if (topics.has(frame.dataset.follows ?? '')) void frame.reload()
}

/** Takes over the parts of a page that was fetched again: those of some topics, or all. Other elements then take what they need of it. */
function takeFresh(fresh: Document, topics?: ReadonlySet<string>): void {
  takeOver(partsOf(topics), fresh)
  if (topics) reloadFrames(topics)
  // A page that grows by parts is fetched from an address of its own, which has no title.
  if (fresh.title !== '') document.title = fresh.title
  document.dispatchEvent(new CustomEvent('live:fresh', { detail: fresh }))
}

// What a script of some pages has fetched itself.
document.addEventListener('live:take', event => takeFresh((event as CustomEvent<Document>).detail))

function takeOver(parts: readonly HTMLElement[], fresh: Document): void {
  const changed = parts.flatMap(part => {
    const next = fresh.getElementById(part.id)
    return !next || part.isEqualNode(next) ? [] : [{ part, next }]
  })
  // What grows by the second, as a log does, would have to be said by the second.
  const isNews = changed.some(({ part, next }) => !part.hasAttribute('data-quiet') && part.textContent !== next.textContent)
  for (const { part, next } of changed) morphElements(part, next)
  if (isNews) announce('The page was updated')
}

/** Is something typed or chosen in a form that was not sent? */
const isBeingFilled = (form: Element): boolean =>
  [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type=hidden], [type=search])')].some(field =>
    field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue,
  )

/** Was a form refused, and shown again with what was sent (`data-refused`)? That is what its fields begin with then, so it does not count as filled. */
const isShownAgain = (form: Element, next: Element | undefined): boolean => next !== undefined && form.hasAttribute('data-refused')

/** What a person works in stays as it is, whatever the rest of the page becomes: forms that are being filled, and frames that were loaded. */
const stays = (element: Element, next: Element | undefined): boolean =>
  element.matches('form')
    ? isBeingFilled(element) || isShownAgain(element, next)
    : element.matches('turbo-frame')
      ? element.matches('[complete], [busy], details[open] turbo-frame') &&
        element.getAttribute('data-keep') === (next?.getAttribute('data-keep') ?? null)
      : element.matches('li, article') && [...element.querySelectorAll('form')].some(isBeingFilled) && next === undefined

document.addEventListener('turbo:before-morph-element', event => {
  const { newElement } = (event as CustomEvent<{ newElement?: Element }>).detail
  if (event.target instanceof Element && stays(event.target, newElement)) event.preventDefault()
})

// What a person has opened stays open, and what a script has shown or hidden stays so: in the page as it was sent `hidden` means "until a script
// is there", which the scripts of this page have seen to.
document.addEventListener('turbo:before-morph-attribute', event => {
  const { attributeName } = (event as CustomEvent<{ attributeName: string }>).detail
  if (attributeName === 'hidden' || (attributeName === 'open' && event.target instanceof HTMLDetailsElement)) event.preventDefault()
})

customElements.define('live-updates', LiveUpdates)
