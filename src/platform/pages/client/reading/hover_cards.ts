/**
 * References in texts show what they name when one points at them or moves the focus to them. A card is loaded once it is needed, can be pointed at
 * itself, and goes with Escape (WCAG 1.4.13). The server renders it for this person; what they may not see has none.
 */

const REFERENCE = 'a.gfm:not(.gfm-label)'
const OPEN_MS = 300
const CLOSE_MS = 200
/** Pixels between a card and what it is about, and the edges of the window. */
const GAP = 8

const cards = new Map<string, Promise<string | undefined>>()
let shown: { readonly card: HTMLElement; readonly of: HTMLElement } | undefined
let opening = 0
let closing = 0

/** The card of an address; undefined where there is none. */
function cardOf(address: string): Promise<string | undefined> {
  const known = cards.get(address)
  if (known) return known
  const loaded = fetch(`/-/card?${new URLSearchParams({ address })}`, { headers: { 'x-part': '1' } }).then(
    response => (response.ok ? response.text() : undefined),
    // Without a connection there is no card now.
    () => void cards.delete(address),
  )
  cards.set(address, loaded)
  return loaded
}

async function open(link: HTMLAnchorElement): Promise<void> {
  const content = await cardOf(new URL(link.href).pathname)
  // The pointer and the focus may be elsewhere by now.
  if (!content || !link.isConnected || !(link.matches(':hover') || link === document.activeElement) || shown?.of === link) return
  close()
  const card = document.createElement('div')
  card.className = 'hover-card'
  card.id = 'hover-card'
  card.innerHTML = content
  // Within a landmark, where readers of screens look for what the page says.
  ;(link.closest('main') ?? document.body).append(card)
  place(card, link)
  // In place of the browser's own, which would lie over it.
  link.dataset.title = link.title
  link.removeAttribute('title')
  link.setAttribute('aria-describedby', card.id)
  shown = { card, of: link }
}

/** Puts a card below a link, or above it where there is more room. */
function place(card: HTMLElement, link: HTMLElement): void {
  // Of a link over several lines the first.
  const at = link.getClientRects()[0] ?? link.getBoundingClientRect()
  const isAbove = at.bottom + GAP + card.offsetHeight > window.innerHeight && at.top > card.offsetHeight + GAP
  const left = Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - card.offsetWidth - GAP))
  const origin = (card.offsetParent ?? document.body).getBoundingClientRect()
  card.style.left = `${left - origin.left}px`
  card.style.top = `${(isAbove ? at.top - GAP - card.offsetHeight : at.bottom + GAP) - origin.top}px`
}

function close(): void {
  clearTimeout(closing)
  if (!shown) return
  const { card, of } = shown
  card.remove()
  of.removeAttribute('aria-describedby')
  if (of.dataset.title) of.title = of.dataset.title
  delete of.dataset.title
  shown = undefined
}

const referenceAt = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>(REFERENCE) : null

function soon(link: HTMLAnchorElement): void {
  clearTimeout(opening)
  if (shown?.of === link) clearTimeout(closing)
  else opening = window.setTimeout(() => void open(link), OPEN_MS)
}

function closeSoon(): void {
  clearTimeout(opening)
  clearTimeout(closing)
  closing = window.setTimeout(close, CLOSE_MS)
}

document.addEventListener('pointerover', event => {
  // A finger follows the link.
  if (event.pointerType === 'touch') return
  const link = referenceAt(event.target)
  if (link) soon(link)
  else if (shown?.card.contains(event.target as Node)) clearTimeout(closing)
  else if (shown && shown.of !== document.activeElement) closeSoon()
  else clearTimeout(opening)
})
document.addEventListener('focusin', event => {
  const link = referenceAt(event.target)
  if (link?.matches(':focus-visible')) soon(link)
  else if (shown && !shown.card.contains(event.target as Node)) close()
})
document.addEventListener('focusout', event => {
  if (referenceAt(event.target) && !shown?.card.contains(event.relatedTarget as Node | null)) closeSoon()
})
document.addEventListener(
  'keydown',
  event => {
    if (event.key !== 'Escape' || !shown) return
    event.stopPropagation()
    clearTimeout(opening)
    close()
  },
  true,
)
document.addEventListener('turbo:before-visit', () => clearTimeout(opening))
document.addEventListener('turbo:before-cache', close)
// What was loaded for another page may have changed.
document.addEventListener('turbo:load', () => cards.clear())

export {}
