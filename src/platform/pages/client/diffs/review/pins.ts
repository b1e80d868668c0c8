/**
 * Places on the pictures of a diff: pins of the threads that are about them, and the place where a comment begins, by a click or by keyboard
 * (arrows move the mark, Shift moves it further, Enter begins the comment).
 */

const SVG = 'http://www.w3.org/2000/svg'

/** A place on a picture, `new 40 24 64 64`: the side, the place and the size in pixels. */
interface Point {
  readonly side: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function readPoint(text = ''): Point | undefined {
  const [side = '', ...numbers] = text.split(' ')
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number)
  return width > 0 && height > 0 ? { side, x, y, width, height } : undefined
}

/** Draws the pins of all threads, drafts and open forms that are about a place on a picture of the page, with numbers in their order. */
export function drawPins(within: Element): void {
  for (const file of within.querySelectorAll('.diff-file:has(.picture)')) {
    const pinned = [...file.querySelectorAll<HTMLElement>('[data-pin]')]
    const stamp = pinned.map(({ id, dataset }) => `${id} ${dataset.pin} ${'unresolved' in dataset}`).join()
    for (const picture of file.querySelectorAll<HTMLElement>('.picture')) {
      if (picture.dataset.pins === stamp) continue
      picture.dataset.pins = stamp
      picture.querySelector('.pins')?.remove()
      const pins = pinned.flatMap((element, index) => pinOf(element, index + 1, picture) ?? [])
      if (pins.length > 0) picture.append(overlay(pins))
    }
    for (const [index, element] of pinned.entries()) {
      const about = element.querySelector<HTMLElement>('.thread-about')
      if (about) about.dataset.number = String(index + 1)
    }
  }
}

function overlay(pins: readonly Element[]): Element {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'pins')
  svg.append(...pins)
  return svg
}

/** The pin of a thread on this picture: a link to it. */
function pinOf(thread: HTMLElement, number: number, picture: HTMLElement): Element | undefined {
  const point = readPoint(thread.dataset.pin)
  if (!point || point.side !== picture.dataset.side) return undefined
  const place = document.createElementNS(SVG, 'svg')
  place.setAttribute('x', `${(100 * point.x) / point.width}%`)
  place.setAttribute('y', `${(100 * point.y) / point.height}%`)
  const link = document.createElementNS(SVG, 'a')
  link.setAttribute('href', `#${thread.id}`)
  const isForm = thread.matches('turbo-frame')
  link.setAttribute('aria-label', isForm ? 'Your new comment' : `Thread ${number}`)
  const isDone = thread.classList.contains('thread') && thread.dataset.unresolved === undefined
  link.setAttribute('class', isForm ? 'pin begun' : isDone ? 'pin done' : 'pin')
  const circle = document.createElementNS(SVG, 'circle')
  circle.setAttribute('r', '11')
  const text = document.createElementNS(SVG, 'text')
  text.textContent = isForm ? '+' : String(number)
  link.append(circle, text)
  place.append(link)
  return place
}

/** Makes the pictures places where comments begin, where the page has a form for that. */
export function openPictures(within: Element): void {
  for (const picture of within.querySelectorAll<HTMLElement>('.picture:not([role])')) {
    if (!formOf(picture)) continue
    // The way to a page of its own, for windows without a script.
    const link = picture.querySelector('a[data-place]')
    link?.replaceWith(...link.childNodes)
    picture.tabIndex = 0
    picture.setAttribute('role', 'application')
    picture.setAttribute('aria-roledescription', 'picture')
    const says = 'Click a place to comment on it. By keyboard: arrows move the mark, Enter begins the comment.'
    picture.setAttribute('aria-label', `${picture.querySelector('img')?.alt}. ${says}`)
    picture.title = 'Click a place to comment on it'
  }
}

/** The form that comments on the file of a picture begin with. */
export const formOf = (picture: Element): HTMLFormElement | null =>
  picture.closest('.diff-file')?.querySelector<HTMLFormElement>('form.comment-on-file') ?? null

/** The place of a click on a picture, as forms send it; undefined while the picture is not loaded. */
export function pointAt(
  picture: HTMLElement,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): string | undefined {
  const image = picture.querySelector('img')
  if (!image || image.naturalWidth === 0) return undefined
  const { left, top, width, height } = image.getBoundingClientRect()
  return textOf(picture, image, (clientX - left) / width, (clientY - top) / height)
}

function textOf(picture: HTMLElement, { naturalWidth, naturalHeight }: HTMLImageElement, across: number, down: number): string {
  const within = (part: number, size: number) => Math.round(Math.min(1, Math.max(0, part)) * size)
  return [picture.dataset.side, within(across, naturalWidth), within(down, naturalHeight), naturalWidth, naturalHeight].join(' ')
}

/** A step of the mark, as a share of the picture. */
const STEP = 0.02
const FAR = 0.1

const directions: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A key on a picture: moves the mark, or answers the place where a comment begins. `isTaken`: nothing else should happen. */
export function keyOn(picture: HTMLElement, { key, shiftKey }: KeyboardEvent): { readonly isTaken: boolean; readonly point?: string } {
  const image = picture.querySelector('img')
  const [across = 0.5, down = 0.5] = (picture.dataset.mark ?? '').split(' ').filter(Boolean).map(Number)
  const direction = directions[key]
  if (!image || image.naturalWidth === 0) return { isTaken: false }
  if (direction) {
    const by = shiftKey ? FAR : STEP
    const moved = (part: number, sign: number) => Math.min(1, Math.max(0, part + sign * by))
    mark(picture, moved(across, direction[0]), moved(down, direction[1]))
    return { isTaken: true }
  }
  if (key !== 'Enter') return { isTaken: false }
  return { isTaken: true, point: textOf(picture, image, across, down) }
}

/** Shows the mark that the keyboard moves. */
function mark(picture: HTMLElement, across: number, down: number): void {
  picture.dataset.mark = `${across} ${down}`
  picture.querySelector('.mark')?.remove()
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'pins mark')
  const circle = document.createElementNS(SVG, 'circle')
  circle.setAttribute('cx', `${100 * across}%`)
  circle.setAttribute('cy', `${100 * down}%`)
  circle.setAttribute('r', '8')
  svg.append(circle)
  picture.append(svg)
}
