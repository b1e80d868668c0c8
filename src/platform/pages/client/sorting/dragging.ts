/** Dragging with a pointer: the mouse after a few pixels, a finger after it has rested, since it also scrolls. */
import { listNear, listsFor, put, type Spot, spotNear, spotOf } from './places.ts'

/** What a drag does to the element whose items are dragged. */
export interface DragHost {
  readonly root: HTMLElement
  begin(item: HTMLElement): void
  /** It ends over a place, or over none. */
  end(item: HTMLElement, spot: Spot | undefined): void
}

/** Pixels that a mouse moves before it drags. */
const THRESHOLD = 5
/** Milliseconds that a finger rests before it drags, and pixels that it may tremble. */
const REST = 250
const TREMBLE = 10
/** Pixels from the edge of what scrolls, in which a drag scrolls it, and pixels that it scrolls by in a frame. */
const EDGE = 48
const SPEED = 14

interface Point {
  readonly x: number
  readonly y: number
}

/** Follows a pointer that is pressed on an item until it is released. */
export function followPointer(host: DragHost, item: HTMLElement, pressed: PointerEvent): void {
  const begun = new AbortController()
  const { signal } = begun
  const isTouch = pressed.pointerType === 'touch' && !(pressed.target as Element).closest('[data-sort-handle]')
  let at: Point = { x: pressed.clientX, y: pressed.clientY }
  let drag: Drag | undefined
  const start = () => {
    drag = new Drag(host, item, at, pressed)
  }
  const timer = isTouch ? window.setTimeout(start, REST) : undefined
  const stop = (isDropped: boolean) => {
    begun.abort()
    window.clearTimeout(timer)
    drag?.end(isDropped)
  }
  const on = <Name extends keyof DocumentEventMap>(name: Name, react: (event: DocumentEventMap[Name]) => void, options = {}) =>
    document.addEventListener(name, react, { signal, ...options })

  on('pointermove', event => {
    if (event.pointerId !== pressed.pointerId) return
    at = { x: event.clientX, y: event.clientY }
    const way = Math.hypot(at.x - pressed.clientX, at.y - pressed.clientY)
    if (drag) drag.move(at)
    else if (isTouch && way > TREMBLE) stop(false)
    else if (!isTouch && way > THRESHOLD) start()
  })
  on('pointerup', event => event.pointerId === pressed.pointerId && stop(true))
  on('pointercancel', event => event.pointerId === pressed.pointerId && stop(false))
  on('keydown', event => {
    if (event.key !== 'Escape' || !drag) return
    event.preventDefault()
    event.stopPropagation()
    stop(false)
  })
  // The window would scroll with the finger, and offer a menu where it rests.
  on('touchmove', event => drag && event.cancelable && event.preventDefault(), { passive: false })
  on('contextmenu', event => isTouch && event.preventDefault())
}

/** An item on its way. It stays in the document, hidden: a picture of it follows the pointer, and a gap shows where it would stand. */
class Drag {
  readonly #host: DragHost
  readonly #item: HTMLElement
  readonly #lists: readonly HTMLElement[]
  readonly #picture: HTMLElement
  readonly #gap: HTMLElement
  readonly #offset: Point
  #at: Point
  #spot: Spot
  #frame = 0

  constructor(host: DragHost, item: HTMLElement, at: Point, pressed: PointerEvent) {
    const box = item.getBoundingClientRect()
    this.#host = host
    this.#item = item
    this.#at = at
    this.#lists = listsFor(host.root, item)
    this.#spot = spotOf(item)
    this.#offset = { x: pressed.clientX - box.left, y: pressed.clientY - box.top }
    this.#picture = pictureOf(item, box)
    this.#gap = document.createElement(item.tagName)
    this.#gap.className = `${item.className} sort-gap`
    this.#gap.ariaHidden = 'true'
    this.#gap.style.width = `${box.width}px`
    this.#gap.style.height = `${box.height}px`
    host.begin(item)
    item.before(this.#gap)
    item.dataset.sorting = ''
    document.documentElement.classList.add('sorting')
    document.getSelection()?.removeAllRanges()
    document.body.append(this.#picture)
    this.move(at)
    this.#frame = requestAnimationFrame(() => this.#scroll())
  }

  move(at: Point): void {
    this.#at = at
    this.#picture.style.transform = `translate(${at.x - this.#offset.x}px, ${at.y - this.#offset.y}px)`
    const list = listNear(this.#lists, at.x, at.y)
    if (!list) return
    this.#spot = spotNear(list, this.#item, at.x, at.y)
    put(this.#gap, this.#spot)
  }

  #scroll(): void {
    if (scrollAt(this.#at)) this.move(this.#at)
    this.#frame = requestAnimationFrame(() => this.#scroll())
  }

  end(isDropped: boolean): void {
    cancelAnimationFrame(this.#frame)
    this.#picture.remove()
    this.#gap.remove()
    delete this.#item.dataset.sorting
    document.documentElement.classList.remove('sorting')
    // The button that is released after a drag is no click on what lies below.
    const swallow = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('click', swallow, { capture: true, once: true })
    window.setTimeout(() => document.removeEventListener('click', swallow, true))
    this.#host.end(this.#item, isDropped ? this.#spot : undefined)
  }
}

/** A copy that only looks like the item. */
function pictureOf(item: HTMLElement, { width, height }: DOMRect): HTMLElement {
  const picture = document.createElement('div')
  const copy = item.cloneNode(true) as HTMLElement
  // A copied frame would load itself again.
  for (const frame of copy.querySelectorAll('turbo-frame')) frame.remove()
  for (const element of [copy, ...copy.querySelectorAll('[id], [data-sort-item], [data-live]')])
    for (const name of ['id', 'data-sort-item', 'data-live', 'data-hotkey']) element.removeAttribute(name)
  picture.className = 'sort-picture'
  picture.ariaHidden = 'true'
  picture.inert = true
  picture.style.width = `${width}px`
  picture.style.height = `${height}px`
  picture.append(copy)
  return picture
}

/** Scrolls what scrolls at a point near its edge. @returns whether it did */
function scrollAt({ x, y }: Point): boolean {
  let hasMoved = false
  for (let element = document.elementFromPoint(x, y); element; element = element.parentElement) {
    const isWindow = element === document.documentElement
    const { overflowX, overflowY } = getComputedStyle(element)
    const box = isWindow ? new DOMRect(0, 0, window.innerWidth, window.innerHeight) : element.getBoundingClientRect()
    const before = [element.scrollLeft, element.scrollTop]
    if (isWindow || /auto|scroll/.test(overflowX)) element.scrollLeft += pull(x, box.left, box.right)
    if (isWindow || /auto|scroll/.test(overflowY)) element.scrollTop += pull(y, box.top, box.bottom)
    hasMoved ||= before[0] !== element.scrollLeft || before[1] !== element.scrollTop
  }
  return hasMoved
}

const pull = (at: number, start: number, end: number): number => (at < start + EDGE ? -SPEED : at > end - EDGE ? SPEED : 0)
