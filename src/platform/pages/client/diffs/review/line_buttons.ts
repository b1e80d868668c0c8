/**
 * The buttons that begin a comment at a line. A page has thousands of lines, few of which are commented on: those near the window get a button, and
 * the page comes without them.
 */

/** Rows from one that is watched to the next. */
const STEP = 20

/** Gives lines their buttons. */
export class LineButtons {
  readonly #near = new IntersectionObserver(
    seen => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.#fill(target)
    },
    { rootMargin: '100% 0px' },
  )

  /** Gives the lines within an element their buttons when they come near the window. */
  watch(within: ParentNode): void {
    for (const { rows } of within.querySelectorAll<HTMLTableSectionElement>('table.diff > tbody:not(.gap)'))
      for (let at = 0; at < rows.length; at += STEP) this.#near.observe(shownCell(rows[at] as HTMLTableRowElement))
  }

  /** Gives the line around an element its button: one that is pointed at, or has the focus. */
  at(element: Element): HTMLElement | undefined {
    const row = element.closest<HTMLTableRowElement>('.diff-file table.diff tr')
    if (row) addButtons(row)
    return row?.querySelector<HTMLElement>('.add-comment') ?? undefined
  }

  stop(): void {
    this.#near.disconnect()
  }

  /** The rows around one that was watched. */
  #fill(cell: Element): void {
    this.#near.unobserve(cell)
    const row = cell.closest('tr')
    const { rows } = cell.closest('tbody') ?? {}
    if (!row || !rows) return
    const at = row.sectionRowIndex
    for (const other of Array.prototype.slice.call(rows, Math.max(0, at - STEP), at + STEP)) addButtons(other)
  }
}

/** A cell that is there in wide windows and in narrow ones, where rows have no boxes and old lines that have not changed are left out. */
const shownCell = (row: HTMLTableRowElement): Element =>
  row.querySelector('.text.new:not(.blank)') ?? row.querySelector('td:not(.blank)') ?? row

/** A line has one button; of two that stand beside each other each has its own, unless they are the same. */
function addButtons(row: HTMLTableRowElement): void {
  const numbers = [...row.querySelectorAll<HTMLElement>('.number a[data-line]')].map(({ dataset }) => dataset.line as string)
  const file = row.closest('.diff-file')
  if (numbers.length === 0 || row.querySelector('.add-comment') || !document.getElementById(`on-${file?.id}`)) return
  const [old] = numbers
  const fresh = numbers.at(-1)
  for (const sign of row.querySelectorAll('.sign:not(.blank, .old.context)')) {
    const { classList } = sign.matches('.old, .new') ? sign : row
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'add-comment'
    if (classList.contains('removed')) button.value = `${old}_`
    else button.value = classList.contains('added') ? `_${fresh}` : `${old}_${fresh}`
    button.setAttribute('aria-label', `Comment on line ${classList.contains('removed') ? `old ${old}` : fresh}`)
    sign.append(button)
  }
}
