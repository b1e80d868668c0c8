/**
 * Keys. Elements say theirs in `data-hotkey` (`g i`, `t`, `Mod+k`); lists are worked through with `j`, `k` and Enter. Keys that are typed into a field
 * belong to the field.
 */
import { install, uninstall } from '@github/hotkey'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Elements that have their key already. */
const known = new WeakSet<HTMLElement>()

function installAll(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-hotkey]')) {
    if (known.has(element)) continue
    known.add(element)
    install(element)
  }
}

/** Macs have another key where the rest have Ctrl: the page is written for these. */
function nameModKey(): void {
  if (!/mac|iphone|ipad/i.test(navigator.platform)) return
  for (const key of document.querySelectorAll<HTMLElement>('[data-mod-key]')) key.textContent = `⌘${key.dataset.modKey}`
}

document.addEventListener('turbo:load', nameModKey)
document.addEventListener('turbo:load', installAll)
document.addEventListener('turbo:frame-load', installAll)
document.addEventListener('turbo:before-cache', () => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-hotkey]')) {
    known.delete(element)
    uninstall(element)
  }
})

/** The key of a menu opens it, and the next Tab is in it. The event does not bubble. */
const stepInto = ({ target }: Event): void => {
  if (target instanceof HTMLElement && target.tagName === 'SUMMARY') target.focus()
}

document.addEventListener('hotkey-fire', stepInto, { capture: true })

/** Moves the focus in the page's list. */
function step(by: 1 | -1): void {
  // Of a title the first link: others in it are labels.
  const links = [...document.querySelectorAll('[data-list] .title')].flatMap(title => title.querySelector<HTMLElement>('a') ?? [])
  if (links.length === 0) return
  const here = links.indexOf(document.activeElement as HTMLElement)
  const next = links[Math.max(0, Math.min(links.length - 1, here < 0 ? 0 : here + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Presses the button for a key in the entry of the list that has the focus. */
function pressInRow(key: string): boolean {
  const button = document.activeElement?.closest('[data-list] > li')?.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(key)}"]`)
  button?.click()
  return button != null
}

/** What pressing an element does, in words: its title without the key in brackets, what it is called to those who do not see it, or its text. */
const meaningOf = (element: HTMLElement): string =>
  (element.title.replace(/ \(.{1,3}\)$/, '') || element.ariaLabel || element.textContent || '').replace(/\s+/g, ' ').trim()

/** Shows the help on keys, with those of what stands on the page. */
function showHelp(): void {
  const help = document.querySelector<HTMLDialogElement>('#keyboard-help')
  const part = help?.querySelector<HTMLElement>('[data-page-keys]')
  const list = part?.querySelector('dl')
  if (!help || !part || !list) return
  const keys = new Map<string, string>()
  for (const element of document.querySelectorAll<HTMLElement>('main [data-hotkey]'))
    for (const key of element.dataset.hotkey?.split(',') ?? []) if (!keys.has(key)) keys.set(key, meaningOf(element))
  list.replaceChildren(...[...keys].flatMap(([key, does]) => entry(key, does)))
  part.hidden = keys.size === 0
  help.showModal()
}

function entry(key: string, does: string): HTMLElement[] {
  const [term, meaning, face] = [document.createElement('dt'), document.createElement('dd'), document.createElement('kbd')]
  face.textContent = key
  term.append(face)
  meaning.textContent = does
  return [term, meaning]
}

document.addEventListener('keydown', event => {
  if (isField(event.target) || event.metaKey || event.ctrlKey || event.altKey) return
  if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
  else if (pressInRow(event.key)) event.stopPropagation()
  else if (event.key === '?') showHelp()
  else return
  event.preventDefault()
})

document.addEventListener('click', event => {
  const closer = (event.target as Element).closest('[data-close-dialog]')
  closer?.closest('dialog')?.close()
})
