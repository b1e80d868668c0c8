/**
 * Lists whose items are moved: dragged with a mouse or a finger, or by keyboard. Space picks up the item that has the focus, arrows move it, Space or
 * Enter puts it down, and Escape gives it back. A move is sent to the address of the item (`data-sort-to`); what is refused goes back and says
 * why. docs/adding-a-page.md shows the attributes.
 */
import { announce } from '../live/announce.ts'
import { type DragHost, followPointer } from './dragging.ts'
import { isAcross, itemsOf, listOf, listsFor, nameOf, placeInWords, put, type Spot, spotAt, spotOf } from './places.ts'
import { paramsOf, send } from './sending.ts'

const ITEM = '[data-sort-item]'

/** An item that is moved by keyboard, and where it stood. */
interface PickedUp {
  readonly item: HTMLElement
  readonly from: Spot
  /** What has the focus. */
  readonly focused: HTMLElement
}

/** What the page says of the last move that was refused. */
const complaint = (): Element | null => document.querySelector('.sort-refused')

class SortableList extends HTMLElement implements DragHost {
  #picked: PickedUp | undefined
  #leaving: AbortController | undefined
  /** Moves are sent one after the other. */
  #sending: Promise<void> = Promise.resolve()
  #underWay = 0

  get root(): HTMLElement {
    return this
  }

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    this.addEventListener('pointerdown', event => this.#press(event), { signal })
    this.addEventListener('dragstart', event => (event.target as Element).closest?.(ITEM) && event.preventDefault(), { signal })
    this.addEventListener('keydown', event => this.#key(event), { signal })
    this.addEventListener('focusout', event => this.#blur(event), { signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    this.#picked = undefined
    this.#hold(-this.#underWay)
  }

  #press(event: PointerEvent): void {
    const target = event.target as Element
    const item = target.closest<HTMLElement>(ITEM)
    if (!item || event.button !== 0 || !event.isPrimary || this.#picked) return
    const handle = target.closest('[data-sort-handle]')
    // An item that has a handle is dragged by it; others by all but what is pressed or written into.
    const isByHandle = [...item.querySelectorAll('[data-sort-handle]')].some(other => other.closest(ITEM) === item)
    if (isByHandle ? !handle : target.closest('button, input, select, textarea, summary, label, [contenteditable]')) return
    followPointer(this, item, event)
  }

  begin(_item: HTMLElement): void {
    this.#hold(1)
  }

  end(item: HTMLElement, spot: Spot | undefined): void {
    const from = spotOf(item)
    if (spot) put(item, spot)
    this.#drop(item, from)
  }

  /** While something is moved, the page stays as it is (`live/updates.ts`). */
  #hold(by: number): void {
    this.#underWay = Math.max(0, this.#underWay + by)
    this.toggleAttribute('data-moving', this.#underWay > 0)
    if (this.#underWay === 0) document.dispatchEvent(new Event('sortable:end'))
  }

  /** Sends where an item stands now, unless it stands where it was. */
  #drop(item: HTMLElement, from: Spot): void {
    const now = spotOf(item)
    const to = item.dataset.sortTo
    if (to === undefined || (now.list === from.list && now.before === from.before)) {
      this.#hold(-1)
      return
    }
    const params = paramsOf(item, from)
    this.#sending = this.#sending.then(async () => {
      const refusal = await send(to, params)
      if (refusal === undefined) this.#done(item)
      else this.#giveBack(item, from, refusal)
      this.#hold(-1)
    })
  }

  #done(item: HTMLElement): void {
    complaint()?.remove()
    if (item.isConnected) item.dispatchEvent(new CustomEvent('sortable:moved', { bubbles: true }))
  }

  #giveBack(item: HTMLElement, from: Spot, why: string): void {
    const hadFocus = item.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined
    put(item, from)
    hadFocus?.focus()
    const says = `${nameOf(item)} was not moved: ${why}`
    const notice = complaint() ?? document.createElement('div')
    notice.className = 'notice danger sort-refused'
    notice.textContent = says
    // Outside of the parts that follow what they show.
    document.querySelector('#content')?.prepend(notice)
    notice.scrollIntoView({ block: 'nearest' })
    announce(says)
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (this.#picked) {
      this.#steer(event, this.#picked)
      return
    }
    const focused = event.target as HTMLElement
    const item = focused.closest<HTMLElement>(ITEM)
    if (event.key !== ' ' || !item || !focused.matches(`a, ${ITEM}, [data-sort-handle]`)) return
    event.preventDefault()
    const from = spotOf(item)
    this.#picked = { item, from, focused }
    item.dataset.picked = ''
    this.#hold(1)
    announce(`${nameOf(item)} is picked up, ${placeInWords(item)}. Arrows move it, Space puts it down, Escape gives it back.`)
  }

  #steer(event: KeyboardEvent, { item, from, focused }: PickedUp): void {
    const spot = step(this, item, event.key)
    if (spot) this.#carry(item, spot, focused)
    else if (event.key === ' ' || event.key === 'Enter') this.#putDown(`${nameOf(item)} is put down, ${placeInWords(item)}`)
    else if (event.key === 'Escape') {
      this.#carry(item, from, focused)
      this.#putDown(`${nameOf(item)} is back where it was`)
    } else if (!event.key.startsWith('Arrow') && event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }

  #carry(item: HTMLElement, spot: Spot, focused: HTMLElement): void {
    const picked = this.#picked
    // Moving it in the document takes the focus away.
    this.#picked = undefined
    put(item, spot)
    focused.focus()
    this.#picked = picked
    item.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    announce(placeInWords(item))
  }

  #putDown(says: string): void {
    const picked = this.#picked
    if (!picked) return
    this.#picked = undefined
    delete picked.item.dataset.picked
    announce(says)
    this.#drop(picked.item, picked.from)
  }

  /** Who goes elsewhere gives up. */
  #blur(event: FocusEvent): void {
    const picked = this.#picked
    if (!picked || picked.item.contains(event.relatedTarget as Node | null)) return
    put(picked.item, picked.from)
    this.#putDown(`${nameOf(picked.item)} is back where it was`)
  }
}

/** Where a key moves an item; undefined where it moves nothing. */
function step(root: HTMLElement, item: HTMLElement, key: string): Spot | undefined {
  const list = listOf(item) as HTMLElement
  const index = itemsOf(list).indexOf(item)
  const [back, on] = isAcross(list) ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  if (key === back) return index > 0 ? spotAt(list, index - 1, item) : undefined
  if (key === on) return index < itemsOf(list).length - 1 ? spotAt(list, index + 1, item) : undefined
  if (isAcross(list) || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return undefined
  const lists = listsFor(root, item)
  const next = lists[lists.indexOf(list) + (key === 'ArrowLeft' ? -1 : 1)]
  return next && spotAt(next, Math.min(index, itemsOf(next).length), item)
}

customElements.define('sortable-list', SortableList)
