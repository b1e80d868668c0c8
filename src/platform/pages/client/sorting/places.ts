/** Where sorted items stand: lists (`data-sort-list`, whose value is the kind of their items) and items (`data-sort-item`). */

/** A place in a list: before an item, or at the end. */
export interface Spot {
  readonly list: HTMLElement
  readonly before: HTMLElement | undefined
}

const LIST = '[data-sort-list]'

/** The list that an item stands in. */
export const listOf = (item: HTMLElement): HTMLElement | null => item.parentElement?.closest<HTMLElement>(LIST) ?? null

/** The items of a list, without those of lists within it. */
export const itemsOf = (list: HTMLElement): HTMLElement[] =>
  [...list.querySelectorAll<HTMLElement>('[data-sort-item]')].filter(item => listOf(item) === list)

/** The lists of a root that an item may be moved to: those of its kind. */
export const listsFor = (root: HTMLElement, item: HTMLElement): HTMLElement[] => {
  const kind = listOf(item)?.dataset.sortList ?? ''
  return [...root.querySelectorAll<HTMLElement>(LIST)].filter(list => list.dataset.sortList === kind)
}

/** Where an item stands. */
export function spotOf(item: HTMLElement): Spot {
  const list = listOf(item) as HTMLElement
  const items = itemsOf(list)
  return { list, before: items[items.indexOf(item) + 1] }
}

/** The place of a list that has `index` items before it, the moved one not counted. */
export function spotAt(list: HTMLElement, index: number, moved: HTMLElement): Spot {
  const others = itemsOf(list).filter(item => item !== moved)
  return { list, before: others[index] }
}

/** Puts an element into a place. */
export function put(element: HTMLElement, { list, before }: Spot): void {
  const last = itemsOf(list)
    .filter(item => item !== element)
    .at(-1)
  if (before?.isConnected) before.before(element)
  else if (last) last.after(element)
  else list.append(element)
}

/** Are the items side by side? */
export const isAcross = (list: HTMLElement): boolean => list.dataset.sortAxis === 'x'

/** The place of a list at a point of the window. */
export function spotNear(list: HTMLElement, moved: HTMLElement, x: number, y: number): Spot {
  const before = itemsOf(list).find(item => {
    if (item === moved) return false
    const { left, right, top, bottom } = item.getBoundingClientRect()
    return isAcross(list) ? x < (left + right) / 2 : y < (top + bottom) / 2
  })
  return { list, before }
}

/** The list for an item at a point of the window: one that is there, or that of the area (`data-sort-area`) around it. */
export function listNear(lists: readonly HTMLElement[], x: number, y: number): HTMLElement | undefined {
  const hit = document.elementFromPoint(x, y)
  return lists.find(list => list.contains(hit)) ?? lists.find(list => list.closest('[data-sort-area]')?.contains(hit))
}

/** What an item is called. */
export const nameOf = (item: HTMLElement): string =>
  item.dataset.sortName ?? item.querySelector('.title')?.textContent?.trim() ?? item.textContent?.trim() ?? ''

/** Where an item stands, in words. */
export function placeInWords(item: HTMLElement): string {
  const list = listOf(item) as HTMLElement
  const items = itemsOf(list)
  const name = list.getAttribute('aria-label')
  return `${items.indexOf(item) + 1} of ${items.length}${name ? ` in ${name}` : ''}`
}
