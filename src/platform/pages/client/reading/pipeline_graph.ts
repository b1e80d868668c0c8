/** The graph of a pipeline: the job under the pointer or with the focus shows what it needs, and what needs it, all the way. */
import { visit } from '@hotwired/turbo'

class PipelineGraph extends HTMLElement {
  #leaving: AbortController | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    const over = (event: Event) => this.#show((event.target as Element).closest<SVGElement>('[data-job]')?.dataset.job)
    this.addEventListener('pointerover', over, { signal })
    this.addEventListener('focusin', over, { signal })
    this.addEventListener('pointerleave', () => this.#show(undefined), { signal })
    this.addEventListener('focusout', () => this.#show(undefined), { signal })
    this.addEventListener('click', follow, { signal })
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
  }

  #show(job: string | undefined): void {
    const lines = [...this.querySelectorAll<SVGPathElement>('.lines path')]
    const marked = job === undefined ? new Set<string>() : new Set([...reach(lines, job, 'from', 'to'), ...reach(lines, job, 'to', 'from')])
    const isShown = job !== undefined && lines.length > 0
    this.toggleAttribute('data-shows', isShown)
    const isOnPath = (id: string | undefined) => id !== undefined && marked.has(id)
    for (const line of lines) line.classList.toggle('marked', isOnPath(line.dataset.from) && isOnPath(line.dataset.to))
    for (const node of this.querySelectorAll<SVGElement>('[data-job]')) node.classList.toggle('marked', isOnPath(node.dataset.job))
  }
}

/** Follows a link of the graph, which Turbo cannot: the address of a link in a drawing is not a text. */
function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest('a')
  if (!link) return
  event.stopPropagation()
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  visit(link.getAttribute('href') as string)
}

/** The jobs that lines lead to from one, in one direction, itself among them. */
function reach(lines: readonly SVGPathElement[], job: string, here: 'from' | 'to', there: 'from' | 'to'): Set<string> {
  const found = new Set([job])
  // What is added while the set is walked is walked too.
  for (const at of found)
    for (const { dataset } of lines) if (dataset[here] === at && dataset[there] !== undefined) found.add(dataset[there])
  return found
}

customElements.define('pipeline-graph', PipelineGraph)
