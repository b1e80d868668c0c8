/**
 * What scripts add to a diff, whose markup the server has made: lines that were left out are put where the gap is, files fold, marks of what was
 * viewed are set without leaving the place, the tree is filtered, and keys go from file to file.
 */
import { announce } from '../live/announce.ts'
import { type Frame, pendingFrame, reveal } from './reveal.ts'
import './newer_changes.ts'
import { filterTree } from './tree_filter.ts'
import { markViewed } from './viewed.ts'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

class DiffViewer extends HTMLElement {
  readonly #onKey = (event: KeyboardEvent) => this.#key(event)
  /** Loads the next files before a reader gets to them, so that nothing moves before their eyes. */
  readonly #near = new IntersectionObserver(
    seen => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) (target as Frame).loading = 'eager'
    },
    { rootMargin: '400% 0px' },
  )

  connectedCallback(): void {
    this.addEventListener('click', event => this.#click(event))
    this.addEventListener('toggle', event => this.#folded(event), true)
    this.addEventListener('submit', event => this.#submit(event))
    this.addEventListener('input', event => filterTree(this, event))
    this.querySelector('[data-tree-filter]')?.removeAttribute('hidden')
    document.addEventListener('keydown', this.#onKey)
    this.addEventListener('turbo:frame-load', () => this.#watchNext())
    this.#watchNext()
  }

  disconnectedCallback(): void {
    document.removeEventListener('keydown', this.#onKey)
    this.#near.disconnect()
  }

  #watchNext(): void {
    const next = pendingFrame(this)
    if (next) this.#near.observe(next)
  }

  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const target = event.target as Element
    const fold = target.closest('[data-fold]')
    const body = fold?.closest('[data-file]')?.querySelector<HTMLDetailsElement>(':scope > details')
    if (body) body.open = !body.open
    const gap = target.closest<HTMLAnchorElement>('a[data-expand]')
    if (gap) {
      event.preventDefault()
      void expand(gap)
    }
    const file = target.closest<HTMLAnchorElement>('.file-tree a[href*="page="]')
    if (file && reveal(this, file)) event.preventDefault()
  }

  #folded(event: Event): void {
    const body = event.target as HTMLDetailsElement
    body.parentElement?.querySelector(':scope > header [data-fold]')?.setAttribute('aria-expanded', String(body.open))
  }

  #submit(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement
    if (!form.matches('[data-viewed]')) return
    event.preventDefault()
    void markViewed(this, form)
  }

  #key(event: KeyboardEvent): void {
    if (isField(event.target) || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === ']') this.#step(1)
    else if (event.key === '[') this.#step(-1)
    else if (event.key === 'v') this.#current()?.querySelector<HTMLElement>(':scope > header [data-viewed] button')?.click()
    else return
    event.preventDefault()
  }

  get #files(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[data-file]')]
  }

  /** The file that has the focus, or is at the top of the window. */
  #current(): HTMLElement | undefined {
    const focused = document.activeElement?.closest<HTMLElement>('[data-file]')
    return focused ?? this.#files.findLast(file => file.getBoundingClientRect().top <= 8) ?? this.#files[0]
  }

  #step(by: 1 | -1): void {
    const files = this.#files
    const focused = document.activeElement?.closest<HTMLElement>('[data-file]')
    // From outside of the files the first one comes first.
    const here = focused ? files.indexOf(focused) : files.findLastIndex(file => file.getBoundingClientRect().top <= 8)
    if (!files[here + by]) {
      // Where a page has one file, the next one is on the next page.
      const onward = this.querySelector<HTMLAnchorElement>(`.file-steps a[rel=${by === 1 ? 'next' : 'prev'}]`)
      if (onward) {
        onward.click()
        return
      }
    }
    const next = files[Math.max(0, Math.min(files.length - 1, here + by))]
    next?.scrollIntoView({ block: 'start' })
    next?.querySelector<HTMLElement>(':scope > header [data-fold]')?.focus({ preventScroll: true })
  }
}

/** Puts the lines that a link names in place of the gap that it is in. */
async function expand(link: HTMLAnchorElement): Promise<void> {
  const gap = link.closest('tbody')
  if (!gap || gap.hasAttribute('aria-busy')) return
  gap.setAttribute('aria-busy', 'true')
  const answer = await fetch(link.href, { headers: { accept: 'text/html', 'turbo-frame': 'diff-lines' } })
  if (!answer.ok) {
    // The page of the link says what is wrong.
    location.href = link.href
    return
  }
  const bodies = [...new DOMParser().parseFromString(await answer.text(), 'text/html').querySelectorAll('table > tbody')]
  const rows = bodies.flatMap(body => [...body.querySelectorAll('tr:not(.hunk)')]).length
  gap.replaceWith(...bodies)
  announce(rows === 1 ? '1 line is shown' : `${rows} lines are shown`)
  bodies.flatMap(body => [...body.querySelectorAll<HTMLElement>('a')])[0]?.focus({ preventScroll: true })
}

customElements.define('diff-viewer', DiffViewer)
